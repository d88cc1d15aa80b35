/**
 * Whether somebody without the secret key may open an order, or try one again: not after many declines, which is how
 * stolen cards are tried out, and not while many of theirs hold what others cannot buy.
 */
import type { Tx } from '../../db/database.ts';
import type { Scope } from '../../db/scope.ts';
import { toAddressKey } from '../../domain/client-address.ts';
import { toEmailNormal } from '../../domain/email.ts';
import { OPEN_ORDERS_BY_ADDRESS_MAX, OPEN_ORDERS_BY_EMAIL_MAX } from '../../domain/limits.ts';
import { findUnderway } from '../../resources/limits/limits.queries.ts';
import { isLimited, type LimitContext, toCounters, toSubject, toTooMany } from '../limits/count-limited.ts';

/** When it is worth asking again, at most: what is held lapses or is paid. */
const OPEN_MS = 60_000;

/** Who opens an order without the secret key, as it is kept with the order; null = nobody is limited. */
export function toOpener(ctx: LimitContext, scope: Scope, ipAddress: string | null): string | null {
  if (ipAddress === null || !isLimited(ctx, scope)) return null;
  return toSubject(scope, toAddressKey(ipAddress));
}

export interface Admission {
  tx: Tx;
  /** Of `toOpener`. */
  openedBy: string;
  ipAddress: string;
  /** Or its order, where no checkout has made it. */
  sessionId: string;
  userId: string;
  email: string;
  /** The order that is tried again. */
  exceptOrderId: string | null;
}

/** In the transaction that opens the order, once its opener and its user are locked. */
export async function admitOrder(scope: Scope, { tx, ...asked }: Admission): Promise<void> {
  const { openedBy, userId, exceptOrderId, sessionId } = asked;
  const counters = toCounters(scope, [
    { limit: 'decline_by_address', of: toAddressKey(asked.ipAddress) },
    { limit: 'decline_by_email', of: toEmailNormal(asked.email) },
    { limit: 'decline_by_session', of: sessionId },
  ]);
  const [ofOpener, ofUser, ...others] = counters as [(typeof counters)[0], (typeof counters)[0]];
  const underway = await findUnderway(tx, scope, {
    ...{ openedBy, userId, exceptOrderId, ofOpener, ofUser },
    others,
  });
  if (underway.waitMs > 0) throw toTooMany(underway.waitMs, 'too_many_declines');
  const { openByUser, openByOpener } = underway;
  if (openByUser >= OPEN_ORDERS_BY_EMAIL_MAX || openByOpener >= OPEN_ORDERS_BY_ADDRESS_MAX)
    throw toTooMany(OPEN_MS, 'too_many_open_orders');
}
