/** How long a session of the dashboard lives, and how long its account counts as having proved itself. */

export const SIGN_IN_METHODS = [
  'password',
  'link',
  'passkey',
  'oidc',
  'setup',
  'sign_up',
  'invitation',
] as const;
export type SignInMethod = (typeof SIGN_IN_METHODS)[number];

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

export const SESSION_IDLE_MS = 24 * HOUR_MS;
export const SESSION_MS = 14 * 24 * HOUR_MS;
export const FRESH_MS = 10 * MINUTE_MS;
/** Between the password and the second factor. */
export const PENDING_MS = 5 * MINUTE_MS;
export const PENDING_TRIES_MAX = 5;

interface Life {
  usedAt: number;
  endsAt: number;
}

export function isLiving({ usedAt, endsAt }: Life, nowMs: number): boolean {
  return nowMs < endsAt && nowMs < usedAt + SESSION_IDLE_MS;
}

/** When a session ends if nobody uses it any more. */
export function findEnd({ usedAt, endsAt }: Life): number {
  return Math.min(endsAt, usedAt + SESSION_IDLE_MS);
}

/** Until when what asks for a fresh proof is let through; null = not now. */
export function findFreshUntil({ provedAt }: { provedAt: number | null }, nowMs: number): number | null {
  if (provedAt === null || nowMs >= provedAt + FRESH_MS) return null;
  return provedAt + FRESH_MS;
}
