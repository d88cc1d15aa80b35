/** Whether a password is hard enough to guess, for whoever knows its owner's name and address. */
import type { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { Refusal } from '../../domain/errors.ts';
import { toPasswordNormal } from '../../domain/password.ts';

const LENGTH_MIN = 12;
const LENGTH_MAX = 128;
const SCORE_MIN = 3;

let judge: Promise<ZxcvbnFactory> | null = null;

/** `known` are words that a guesser begins with. Throws password_too_weak. */
export async function checkNewPassword(password: string, known: readonly string[]): Promise<void> {
  const normal = toPasswordNormal(password);
  const { length } = Array.from(normal);
  if (length < LENGTH_MIN || length > LENGTH_MAX)
    throw toRefusal(`The password must have ${LENGTH_MIN} to ${LENGTH_MAX} characters.`);
  // Some MB of words: loaded when somebody chooses a password.
  judge ??= loadJudge();
  const words = known.flatMap((text) => [text, ...text.split(/[\s@.]+/)]).filter((word) => word.length > 2);
  const { score } = (await judge).check(normal, words);
  if (score < SCORE_MIN) throw toRefusal('The password is too easy to guess: add words.');
}

async function loadJudge(): Promise<ZxcvbnFactory> {
  const [{ ZxcvbnFactory: Factory }, { dictionary, adjacencyGraphs }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ]);
  return new Factory({ dictionary, graphs: adjacencyGraphs });
}

function toRefusal(message: string): Refusal {
  return new Refusal('password_too_weak', { message, details: [{ path: 'password', message }] });
}
