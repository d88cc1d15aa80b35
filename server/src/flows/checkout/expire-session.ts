/** The merchant calls a checkout off before it is paid. */
import type { Step } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Scope } from '../../db/scope.ts';
import { Refusal } from '../../domain/errors.ts';
import { lockSession, updateSession } from '../../resources/checkouts/checkouts.queries.ts';
import { lockOrder } from '../../resources/orders/orders.queries.ts';
import type { Session } from './open-checkout.ts';
import { expireOrder } from './watch-order.ts';

/**
 * A declined order ends with it; one that is paid or being paid stands: throws checkout_session_state. What has ended
 * already stays as it is.
 */
export async function expireSession(
  ctx: Step,
  scope: Scope,
  { tx, id }: { tx: Tx; id: string },
): Promise<Session> {
  const session = await lockSession(tx, scope, { id, openedBy: null });
  if (!session) throw new Refusal('not_found');
  if (session.expiresAt <= ctx.nowMs && session.orderId === null) return session;
  const order = session.orderId === null ? undefined : await lockOrder(tx, scope, session.orderId);
  if (order?.status === 'CANCELLED' || order?.status === 'EXPIRED') return session;
  if (order && (order.status !== 'FAILED' || order.paidAt !== null))
    throw new Refusal('checkout_session_state');
  const expiresAt = Math.min(session.expiresAt, ctx.nowMs);
  await updateSession(tx, scope, { id, expiresAt });
  if (order) await expireOrder(ctx, scope, { tx, order });
  return { ...session, expiresAt };
}
