/** When an unpaid order is to be looked at again. */

/** A processor that has not answered is asked after these times, then daily. */
const LOOK_DELAYS_MS = [60_000, 5 * 60_000, 3_600_000];
const DAY_MS = 86_400_000;

/**
 * The next look at a charge whose outcome is not known, after `lookCount` looks. The processor's own hint
 * wins when it is earlier.
 */
export function computeNextLookMs(nowMs: number, lookCount: number, hintMs: number | null): number {
  const scheduledMs = nowMs + (LOOK_DELAYS_MS[lookCount] ?? DAY_MS);
  return hintMs !== null && hintMs > nowMs ? Math.min(hintMs, scheduledMs) : scheduledMs;
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
