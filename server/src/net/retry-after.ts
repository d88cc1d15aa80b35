/** A receiver may ask for this much patience, and no more. */
const RETRY_AFTER_MAX_MS = 24 * 60 * 60 * 1000;

/**
 * Milliseconds that a `Retry-After` header asks for, as seconds or as a date against real time; from 0 to
 * 24 h. Null when the header is missing or not readable.
 */
export function toRetryAfterMs(header: string | string[] | undefined, realNowMs: number): number | null {
  const text = (Array.isArray(header) ? header[0] : header)?.trim();
  if (!text) return null;
  const askedMs = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - realNowMs;
  return Number.isNaN(askedMs) ? null : Math.min(Math.max(askedMs, 0), RETRY_AFTER_MAX_MS);
}
