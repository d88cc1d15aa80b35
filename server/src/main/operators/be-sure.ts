/** What an operator's command asks before it does what all would notice. */
import { createInterface } from 'node:readline/promises';
import { passOnInterrupt } from '../stop-signal.ts';
import { UsageError } from './operator-store.ts';

/** Somebody was asked, and did not want it. */
export class Declined extends Error {
  override name = 'Declined';
}

/** Goes on where it is meant. Without a terminal, or in CI, nobody can be asked: `yes` has to say it. */
export async function beSure(question: string, { yes }: { yes: boolean }): Promise<void> {
  if (yes) return;
  const { stdin, stderr, env } = process;
  if (!stdin.isTTY || !stderr.isTTY || env.CI)
    throw new UsageError(`${question}\nNobody is there to answer: add --yes.`);
  const terminal = createInterface({ input: stdin, output: stderr });
  passOnInterrupt(terminal);
  try {
    if (/^y(es)?$/i.test((await terminal.question(`${question} [y/N] `)).trim())) return;
  } finally {
    terminal.close();
  }
  throw new Declined('Nothing was changed.');
}
