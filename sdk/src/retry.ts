/** Whether and when a call is tried again. */

export const RETRIES = 2;
const STATUSES: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504]);
/** The same request is still being worked on, or the test clock is being moved. */
const CODES: ReadonlySet<string> = new Set(['request_in_progress', 'clock_advancing']);
/** Who is told to wait longer is told so. */
const RETRY_AFTER_MAX_MS = 60_000;
const FIRST_MS = 500;
const LAST_MS = 8_000;

export function mayRetry(status: number, code: string): boolean {
  return STATUSES.has(status) || (status === 409 && CODES.has(code));
}

/** Null = too long to wait for. `attempt` counts from 1. */
export function waitBefore(attempt: number, retryAfterMs: number | null): number | null {
  if (retryAfterMs !== null) return retryAfterMs <= RETRY_AFTER_MAX_MS ? retryAfterMs : null;
  const whole = Math.min(FIRST_MS * 2 ** (attempt - 1), LAST_MS);
  // Many that failed together must not come back together.
  return whole * (0.5 + Math.random() / 2);
}

/** Seconds, or a date. */
export function readRetryAfter(header: string | null): number | null {
  if (!header?.trim()) return null;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, at - Date.now());
}

export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}
