/** The door of a payment's link: whoever holds it may pay, and nothing else. */
import type { FastifyRequest } from 'fastify';
import type { Context, Service } from '../context.ts';
import type { Db } from '../db/database.ts';
import type { Scope } from '../db/scope.ts';
import { Refusal } from '../domain/errors.ts';
import { readWorkspace } from '../domain/link-token.ts';
import { isInitialPayment } from '../domain/states/payment.ts';
import { confirmCheckout } from '../flows/checkout/confirm-checkout.ts';
import { showOrderPayment } from '../flows/checkout/show-order-payment.ts';
import { confirmOwed, type Debt } from '../flows/dunning/pay-owed.ts';
import { isProved, type PayerProof } from '../flows/dunning/prove-payer.ts';
import { showOwed } from '../flows/dunning/show-owed.ts';
import { findAction } from '../flows/payments/find-action.ts';
import { openContext } from '../http/context.ts';
import { findSignedIn } from '../http/signed-in-buyer.ts';
import type { ActionOutcome } from '../providers/payment/payment-provider.ts';
import { findDebtByToken } from '../resources/links/links.queries.ts';
import { findPendingCharge } from '../resources/payments/payments.queries.ts';
import { listOpenPayments } from '../resources/subscriptions/locked-subscription.queries.ts';
import { readLinkCookie } from './link-cookie.ts';
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
 * workspace_archived where it cannot be paid for that.
 */
export async function openPayment(service: Service, token: string, isWrite: boolean): Promise<OpenedPayment> {
  const found = await findDebt(service, token);
  if (!found) throw new Refusal('not_found');
  const { workspaceId, testMode, id: paymentId, subscriptionId, orderId } = found;
  const scope = { workspaceId, testMode };
  const isDebt = subscriptionId !== null && !isInitialPayment(found.type);
  if (isDebt) await refuseClosedTill(service.db, scope, subscriptionId);
  else await refuseClosedShop(service.db, scope);
  const ctx = await openContext(service, scope, { needsClock: true, isWrite });
  return { ctx, scope, token, paymentId, orderId, debt: isDebt ? { paymentId, subscriptionId } : null };
}

/** A link of before names no workspace: all are asked. */
async function findDebt({ db, owners }: Service, token: string) {
  if (!TOKEN.test(token)) return undefined;
  if (readWorkspace(token) === null) owners.countFanOut();
  return findDebtByToken(db, token);
}

/** What a browser shows of who asks. */
export async function readProof(
  service: Service,
  request: FastifyRequest<{ Params: { token: string } }>,
  scope: Scope,
): Promise<PayerProof> {
  const buyer = await findSignedIn(service, request, scope);
  return { browser: readLinkCookie(request, 'payer'), signedInId: buyer?.user.id ?? null };
}

/** What the page of a payment shows to who has proved to be somebody, or nothing. */
export async function showPayment(
  { ctx, scope, paymentId, debt }: OpenedPayment,
  { proof, language }: { proof: PayerProof; language: string | null },
) {
  if (!debt) return showOrderPayment(ctx, scope, { paymentId, language });
  const proved = await isProved(ctx, scope, { ...debt, ...proof });
  const shown = await showOwed(ctx, scope, { ...debt, isProved: proved, language });
  return { kind: 'owed' as const, ...shown };
}

/** Settles what is decided of whatever is under way. */
export async function confirmPayment({ ctx, scope, orderId, debt }: OpenedPayment): Promise<void> {
  if (!debt) return confirmCheckout(ctx, scope, orderId);
  const { subscriptionId } = debt;
  const charge = await findPendingDebtCharge(ctx.db, scope, subscriptionId);
  if (charge) await confirmOwed(ctx, scope, { chargeId: charge.id, subscriptionId });
}

/** What the processor asks of whoever pays; told to the page alone, and kept nowhere. */
export async function readAction({ ctx, scope, paymentId, debt }: OpenedPayment): Promise<ActionOutcome> {
  if (!debt) return findAction(ctx, scope, paymentId);
  const charge = await findPendingDebtCharge(ctx.db, scope, debt.subscriptionId);
  return charge ? findAction(ctx, scope, charge.paymentId) : { kind: 'none' };
}

/** Of whichever payment of the subscription is being charged: the page of one is a page for all. */
async function findPendingDebtCharge(db: Db, scope: Scope, subscriptionId: string) {
  const open = await listOpenPayments(db, scope, subscriptionId);
  const waiting = open.find(({ status }) => status === 'PENDING');
  return waiting ? findPendingCharge(db, scope, waiting.id) : undefined;
}
