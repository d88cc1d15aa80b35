/**
 * What the page of an order's own payment shows: that it is paid, that the bank waits for its buyer, or how to begin
 * again. It never leads to the session, whose page shows what was bought to whoever holds its address.
 */
import type { Context } from '../../context.ts';
import type { Scope } from '../../db/scope.ts';
import { Refusal } from '../../domain/errors.ts';
import { toSettings } from '../../domain/settings.ts';
import { CAPTURED, type PaymentStatus } from '../../domain/states/payment.ts';
import { findSessionOfPayment } from '../../resources/checkouts/checkouts.queries.ts';
import { findPayment, findPendingCharge } from '../../resources/payments/payments.queries.ts';
import { getStore } from '../../resources/workspaces/workspaces.queries.ts';

export async function showOrderPayment(ctx: Context, scope: Scope, paymentId: string) {
  const payment = await findPayment(ctx.db, scope, paymentId);
  if (!payment) throw new Refusal('not_found');
  const waiting =
    payment.status === 'PENDING' ? await findPendingCharge(ctx.db, scope, paymentId) : undefined;
  const store = await getStore(ctx.db, scope);
  const settings = toSettings(store.settings);
  const status = toStatus(payment.status, waiting?.actionPath ?? null);
  return {
    kind: 'order' as const,
    status,
    actionUrl: waiting?.actionPath ?? null,
    retryUrl: status === 'open' ? await findRetryPath(ctx, scope, paymentId) : null,
    seller: { name: settings.seller.name ?? store.name, supportEmail: settings.seller.email },
    testMode: scope.testMode,
  };
}

function toStatus(status: string, actionPath: string | null) {
  // Rows hold only what the state tables let in.
  if (CAPTURED.has(status as PaymentStatus)) return 'paid';
  if (status === 'PENDING') return actionPath === null ? 'processing' : 'requires_action';
  return status === 'FAILED' || status === 'UNPAID' ? 'open' : 'closed';
}

/** The link that the purchase began with; null for a cart that no link names. */
async function findRetryPath(ctx: Context, scope: Scope, paymentId: string): Promise<string | null> {
  const session = await findSessionOfPayment(ctx.db, scope, paymentId);
  if (!session) return null;
  if (session.elementId !== null) return `/checkout-element/${session.elementId}`;
  return session.offerIds.length === 1 ? `/checkout/${session.offerIds[0]}` : null;
}
