/** When a charge that is not decided, and an unpaid order, are to be looked at again. */

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** A charge whose outcome is not known is looked at after these times, each counted from the look before. */
const UNKNOWN_DELAYS_MS = [10_000, MINUTE_MS, 5 * MINUTE_MS, HOUR_MS];
const UNKNOWN_LATER_MS = 6 * HOUR_MS;
/** One that waits for its buyer's authentication; the last look is at the end of the time that the buyer has. */
const BUYER_DELAYS_MS = [2 * MINUTE_MS, 10 * MINUTE_MS, HOUR_MS];
const SILENT_LONGEST_MS = HOUR_MS;

/** The first look at a charge, should the process that opened it die before it has an answer. */
export const FIRST_LOOK_MS = 10_000;

/**
 * The next look at what the processor has not decided, after `lookCount` looks. The processor's own hint wins when it
 * is earlier.
 */
export function computeNextLookMs(nowMs: number, lookCount: number, hintMs: number | null): number {
  const scheduledMs = nowMs + (UNKNOWN_DELAYS_MS[lookCount] ?? UNKNOWN_LATER_MS);
  return hintMs !== null && hintMs > nowMs ? Math.min(hintMs, scheduledMs) : scheduledMs;
}

/** The next look at a charge that waits for its buyer, who has until `endMs`. */
export function computeBuyerLookMs(nowMs: number, lookCount: number, endMs: number): number {
  const delayMs = BUYER_DELAYS_MS[lookCount];
  return delayMs === undefined ? endMs : Math.min(nowMs + delayMs, endMs);
}

/** A look that had no answer is none of those: it is repeated, after the `silentLooks` before it had none either. */
export function computeSilentLookMs(nowMs: number, silentLooks: number): number {
  return nowMs + Math.min(MINUTE_MS * 2 ** silentLooks, SILENT_LONGEST_MS);
}

/** A charge that nobody can make as it stands, by a fault of ours: it is asked for again once a day. */
export function computeFaultyLookMs(nowMs: number): number {
  return nowMs + 24 * HOUR_MS;
}

export interface WatchedOrder {
  holds: 'none' | 'held' | 'lapsed' | 'used';
  holdsUntil: number | null;
  expiresAt: number | null;
}

/** The next moment at which an unpaid order without a charge under way changes by itself; null = never. */
export function computeNextWatchMs(order: WatchedOrder): number | null {
  const lapseMs = order.holds === 'held' ? order.holdsUntil : null;
  if (lapseMs === null) return order.expiresAt;
  return order.expiresAt === null ? lapseMs : Math.min(lapseMs, order.expiresAt);
}
