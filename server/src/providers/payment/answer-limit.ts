/** What a processor answers is read up to a limit: nobody else's server decides how much memory of ours it takes. */
import type { IncomingMessage } from 'node:http';

/** Far above the longest list that is asked for. */
export const ANSWER_MAX = 4 * 1024 * 1024;

/** The text that fetch was answered with. Throws where it is too long; what is left of it is never read. */
export async function readAnswer({ body }: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of body ?? []) {
    size += part.length;
    if (size > ANSWER_MAX) throw new Error('the answer is too long');
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}

/** Breaks off an answer that is too long, or not complete after `leftMs`: its reader learns that it broke. */
export function limitAnswer(answer: IncomingMessage, leftMs: number): void {
  let size = 0;
  answer.on('data', (part: Buffer | string) => {
    size += part.length;
    if (size > ANSWER_MAX) answer.destroy(new Error('the answer is too long'));
  });
  const timer = setTimeout(() => answer.destroy(new Error('the answer took too long')), Math.max(0, leftMs));
  answer.once('close', () => clearTimeout(timer));
}
