/** The door of a payment's link: whoever holds it may pay, and nothing else. */
import type { Context, Service } from '../context.ts';
import type { Scope } from '../db/scope.ts';
import { Refusal } from '../domain/errors.ts';
import { isInitialPayment } from '../domain/states/payment.ts';
import { showOrderPayment } from '../flows/checkout/show-order-payment.ts';
import type { Debt } from '../flows/dunning/pay-owed.ts';
import { showDebt } from '../flows/dunning/show-owed.ts';
import { openContext } from '../http/context.ts';
import { findDebtByToken } from '../resources/subscriptions/locked-subscription.queries.ts';
import { refuseClosedShop, refuseClosedTill } from './open-shop.ts';

/** A word that the store has never given out need not be looked for. */
const TOKEN = /^[\w.-]{22,64}$/;

export interface OpenedPayment {
  ctx: Context;
  scope: Scope;
  token: string;
  paymentId: string;
  orderId: string;
  /** What a subscription owes; null for a payment that carries an order. */
  debt: Debt | null;
}

/**
 * The payment behind a link's token, with its workspace's clock. Throws not_found, and workspace_suspended or
 * workspace_archived where it can not be paid for that.
 */
export async function openPayment(service: Service, token: string, isWrite: boolean): Promise<OpenedPayment> {
  const found = TOKEN.test(token) ? await findDebtByToken(service.db, token) : undefined;
  if (!found) throw new Refusal('not_found');
  const { workspaceId, testMode, id: paymentId, subscriptionId, orderId } = found;
  const scope = { workspaceId, testMode };
  const isDebt = subscriptionId !== null && !isInitialPayment(found.type);
  if (isDebt) await refuseClosedTill(service.db, scope, subscriptionId);
  else await refuseClosedShop(service.db, scope);
  const ctx = await openContext(service, scope, { needsClock: true, isWrite });
  return { ctx, scope, token, paymentId, orderId, debt: isDebt ? { paymentId, subscriptionId } : null };
}

/** What the page of a payment shows. */
export async function showPayment({ ctx, scope, paymentId, debt }: OpenedPayment) {
  if (!debt) return showOrderPayment(ctx, scope, paymentId);
  return { kind: 'owed' as const, ...(await showDebt(ctx, scope, debt)) };
}
