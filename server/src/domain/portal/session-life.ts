/** How long somebody is in at the portal, and how long a proof counts as fresh. Real time. */

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** A session that nobody uses for so long is over. */
export const IDLE_MS = 14 * DAY_MS;
export const LIFE_MS = 90 * DAY_MS;
export const FRESH_MS = 15 * MINUTE_MS;
/** Of a merchant's session: how long its link opens, and how long one lasts. */
export const LINK_OPEN_MS = 10 * MINUTE_MS;
export const MERCHANT_LIFE_MS = 60 * MINUTE_MS;

export const CODE_MS = 15 * MINUTE_MS;
/** How long the old mailbox may say no to a change of the address. */
export const UNDO_MS = 7 * DAY_MS;
/** How long the copy of what is kept of a buyer can be fetched. */
export const EXPORT_MS = 7 * DAY_MS;
export const CODE_TRIES_MAX = 5;
/** While a store is on its guard. */
export const GUARDED_TRIES_MAX = 1;
export const CODE_DIGITS = 8;

/** More failures than this in an hour put a store on its guard, until there are fewer than the other. */
export const GUARD_ABOVE = 1_000;
export const GUARD_BELOW = 100;
export const GUARD_WINDOW_MINUTES = 60;

/** How long a former address of a portal leads to the new one. */
export const FORMER_SLUG_MS = 180 * DAY_MS;

interface Life {
  method: 'code' | 'password' | 'merchant';
  usedAt: number;
  endsAt: number;
  provedAt: number;
  revokedAt: number | null;
}

export function isLiving({ usedAt, endsAt, revokedAt }: Life, nowMs: number): boolean {
  return revokedAt === null && nowMs < endsAt && nowMs < usedAt + IDLE_MS;
}

/** When a session ends if nobody uses it any more. */
export function findEnd({ usedAt, endsAt }: Life): number {
  return Math.min(endsAt, usedAt + IDLE_MS);
}

/** Until when the buyer's own proof counts, or a merchant's word for them; null = not now. */
export function findFreshUntil({ provedAt }: Pick<Life, 'provedAt'>, nowMs: number): number | null {
  return nowMs < provedAt + FRESH_MS ? provedAt + FRESH_MS : null;
}

/** Of what asks for the mailbox: a merchant's word does not do. */
export function isProved(session: Life, { nowMs, byBuyer }: { nowMs: number; byBuyer: boolean }): boolean {
  if (byBuyer && session.method === 'merchant') return false;
  return findFreshUntil(session, nowMs) !== null;
}
