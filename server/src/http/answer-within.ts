/** For whoever asks must be answered, whatever is asked of does not. */
import { setTimeout as wait } from 'node:timers/promises';

/** `late` where there is no answer within `limitMs`, and where it is that there can be none. What was asked goes on. */
export async function answerWithin<T, L>(limitMs: number, asked: Promise<T>, late: L): Promise<T | L> {
  const ended = new AbortController();
  const tooLate = wait(limitMs, late, { signal: ended.signal, ref: false }).catch(() => late);
  try {
    return await Promise.race([asked.catch(() => late), tooLate]);
  } finally {
    ended.abort();
  }
}
