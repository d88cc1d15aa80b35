/** How far back what happened at a processor is read. By real time, as the processor's own. */

/** Each reading begins so long before the one before it: what came to be known late is found, too. */
export const READ_AGAIN_MS = 300_000;
/** Processors keep no more. */
export const KEPT_THERE_MS = 29 * 24 * 3_600_000;

/** `readFrom` = what the reading before has left; null = there was none. */
export function toReadingStart(readFrom: number | null, nowMs: number): number {
  return Math.max(readFrom ?? 0, nowMs - KEPT_THERE_MS);
}
