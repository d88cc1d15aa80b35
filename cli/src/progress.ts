/** What takes longer than a moment says how far it is. */
import type { Io } from './io.ts';

const QUIET_MS = 2_000;

/** `tell(count)` may be called at any pace; a line is written every two seconds. */
export function createProgress(io: Io, noun: string): (count: number) => void {
  const beganMs = io.nowMs();
  let toldMs = beganMs;
  return (count) => {
    const nowMs = io.nowMs();
    if (nowMs - toldMs < QUIET_MS) return;
    toldMs = nowMs;
    const rate = Math.round((count * 1000) / (nowMs - beganMs));
    io.err(`${count.toLocaleString('en')} ${noun}, ${rate.toLocaleString('en')}/s`);
  };
}
