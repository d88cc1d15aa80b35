/**
 * The buyer pays on a payment's own page: this payment, or all that a subscription owes, oldest first; by a card
 * that is typed, or by the stored one with its holder there to authenticate.
 */

import type { Context, Step } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { BillingDetailsJson } from '../../db/schema/users.ts';
import type { Row } from '../../db/schema.ts';
import { type Scope, toJson } from '../../db/scope.ts';
import { inTransaction } from '../../db/transaction.ts';
import { assert } from '../../domain/assert.ts';
import type { Change } from '../../domain/billing-details.ts';
import { Refusal } from '../../domain/errors.ts';
import { move } from '../../domain/states/machine.ts';
import { PAYMENT } from '../../domain/states/payment.ts';
import { changeOwnDetails } from '../../domain/subscriptions/own-details.ts';
import type { ChargeMethod, PaymentProvider } from '../../providers/payment/payment-provider.ts';
import { findPaymentMethod } from '../../resources/payment-methods/payment-methods.queries.ts';
import { findCharge, updatePayment } from '../../resources/payments/payments.queries.ts';
import {
  changeSubscription,
  listOpenPayments,
  lockBilling,
  type OpenPayment,
} from '../../resources/subscriptions/locked-subscription.queries.ts';
import { findSubscription } from '../../resources/subscriptions/subscriptions.queries.ts';
import { findUser } from '../../resources/users/users.queries.ts';
import { takeTry } from '../limits/limit-tries.ts';
import { type StoppedCharge, stopCharge } from '../payments/cancel-charge.ts';
import { chargePayment } from '../payments/charge-payment.ts';
import { chooseConnection } from '../payments/choose-connection.ts';
import { closeStoppedCharge } from '../payments/close-payment.ts';
import { nextChargeId, openCharge } from '../payments/open-charge.ts';
import { getCharging } from '../payments/provider-of.ts';
import { readToken } from '../payments/read-token.ts';
import { settleDecided } from '../payments/reconcile-charge.ts';
import { listOwed } from '../subscription-lifecycle/schedule-subscription.ts';
import { collectNow } from './collect-with-new-card.ts';

export interface Debt {
  subscriptionId: string;
  /** The payment whose page it is. */
  paymentId: string;
}

export interface DebtPayment extends Debt {
  /** Null = the subscription's stored method. */
  method: ChargeMethod | null;
  /** Renewals are to be charged to the card, too. */
  keeps: boolean;
  /** Said of this subscription alone: its documents to come are billed to them. Undefined = they stay. */
  billingDetails: Change<BillingDetailsJson> | undefined;
  ipAddress: string;
}

/**
 * Settles what the processor decides at once; an authentication leaves the payment PENDING. Nothing owed is no
 * error. Refuses processor_not_configured, payment_in_progress while the processor does not tell, and 429 after many
 * tries.
 */
export async function payOwed(ctx: Context, scope: Scope, paying: DebtPayment): Promise<void> {
  const { subscriptionId, paymentId } = paying;
  const subscription = await findSubscription(ctx.db, scope, subscriptionId);
  assert(subscription, 'a payment names a subscription that exists');
  const stored = await findPaymentMethod(ctx.db, scope, subscription.paymentMethodId);
  const target = chooseTarget(
    await listOpenPayments(ctx.db, scope, subscriptionId),
    subscription.status,
    paymentId,
  );
  if (!target) return;
  const chosen = await choosePayer(ctx, scope, { method: paying.method, stored, currency: target.currency });
  const { connection, method, methodId } = chosen;
  await readToken(connection.provider, method);
  const stopped = await stopCharge(ctx, scope, target.id);
  if (stopped.kind === 'taken') return;
  const opened = await inTransaction(ctx.db, (tx) =>
    openBuyerCharge(ctx, scope, {
      tx,
      paying,
      targetId: target.id,
      stopped,
      connection,
      methodId,
    }),
  );
  const { provider } = connection;
  await finishBuyerCharge(ctx, scope, { opened, provider, method, subscriptionId });
}

interface ChoosingPayer {
  /** Null = the stored one. */
  method: ChargeMethod | null;
  stored: Row<'paymentMethods'> | null;
  currency: string;
}

/** A stored method is charged where it lives. Throws processor_not_configured. */
async function choosePayer(
  ctx: Context,
  scope: Scope,
  { method, stored, currency }: ChoosingPayer,
): Promise<{ connection: Charged; method: ChargeMethod; methodId: string | null }> {
  if (method) {
    const connection = await chooseConnection(ctx, scope, { method: method.kind, currency, country: null });
    if (connection) return { connection, method, methodId: null };
  } else if (stored) {
    const { id: methodId, reference, connectionId: id } = stored;
    const provider = await getCharging(ctx, scope, stored);
    return {
      connection: { id, provider },
      method: { kind: 'stored', reference, isInPage: true },
      methodId,
    };
  }
  throw new Refusal('processor_not_configured');
}

/** Of what was kept before connections were told apart the id is not known. */
interface Charged {
  id: string | null;
  provider: PaymentProvider;
}

/** A period that is being charged comes first, then the oldest that is owed, where the subscription is overdue. */
export function chooseTarget(
  open: readonly OpenPayment[],
  status: string,
  paymentId: string,
): OpenPayment | undefined {
  const own = open.find(({ id }) => id === paymentId);
  const isOverdue = status === 'past_due' || status === 'unpaid';
  // A change of plan that was declined is over: only one that waits can still be paid.
  if (own?.type === 'subscription_update' && own.status !== 'PENDING') return undefined;
  if (!isOverdue || (own && own.type !== 'subscription_interval')) return own;
  const charging = open.find((one) => one.type === 'subscription_interval' && one.status === 'PENDING');
  return charging ?? listOwed(open)[0];
}

interface OpeningCharge {
  tx: Tx;
  paying: DebtPayment;
  targetId: string;
  stopped: StoppedCharge;
  connection: Charged;
  methodId: string | null;
}

async function openBuyerCharge(
  ctx: Step,
  scope: Scope,
  { tx, paying, targetId, stopped, connection, methodId }: OpeningCharge,
): Promise<{ payment: OpenPayment; chargeId: string }> {
  const subscription = await lockBilling(tx, scope, paying.subscriptionId);
  assert(subscription, 'a payment names a subscription that exists');
  const open = await listOpenPayments(tx, scope, paying.subscriptionId);
  const payment = chooseTarget(open, subscription.status, paying.paymentId);
  // Somebody else paid or tried meanwhile: the page shows what is left.
  if (payment?.id !== targetId) throw new Refusal('payment_in_progress');
  const { email = null } = (await findUser(tx, scope, subscription.userId)) ?? {};
  await takeTry(ctx, scope, { tx, paymentId: targetId, ipAddress: paying.ipAddress, email });
  const { billingDetails: change } = paying;
  if (change) {
    const billingDetails = toJson(changeOwnDetails(subscription.billingDetails ?? {}, change));
    await changeSubscription(tx, scope, subscription.id, { billingDetails });
  }
  await closeStoppedCharge(ctx, scope, { tx, paymentId: targetId, stopped });
  if (payment.status !== 'PENDING') {
    await updatePayment(tx, scope, { id: targetId, status: move(PAYMENT, payment.status, 'PENDING') });
  }
  const { orderId } = subscription;
  const chargeId = await openCharge(ctx, scope, {
    tx,
    charge: {
      id: await nextChargeId(ctx, scope, { tx, payment }),
      payment: { orderId, paymentId: targetId, paymentType: payment.type },
      amountMinor: payment.value,
      currency: payment.currency,
      processor: connection.provider.name,
      connectionId: connection.id,
      offSession: false,
      ipAddress: paying.ipAddress,
      methodId,
      keepsMethod: paying.keeps,
    },
  });
  return { payment, chargeId };
}

interface FinishingCharge {
  opened: { payment: OpenPayment; chargeId: string };
  provider: PaymentProvider;
  method: ChargeMethod;
  subscriptionId: string;
}

async function finishBuyerCharge(
  ctx: Context,
  scope: Scope,
  { opened, provider, method, subscriptionId }: FinishingCharge,
): Promise<void> {
  const { payment, chargeId } = opened;
  const { id: paymentId, value: amountMinor, currency, userId } = payment;
  const charge = { paymentId, chargeId, amountMinor, currency, userId };
  const look = { kind: 'watch_payment' as const, refId: paymentId };
  const sale = await chargePayment(ctx, scope, { provider, charge, look, method, offSession: false });
  if (sale.payment.status === 'PAID') await payRest(ctx, scope, { chargeId, subscriptionId });
}

/** The buyer is back from authenticating: what is decided is settled, and what else is owed is paid. */
export async function confirmOwed(
  ctx: Context,
  scope: Scope,
  { chargeId, subscriptionId }: { chargeId: string; subscriptionId: string },
): Promise<void> {
  const charge = await findCharge(ctx.db, scope, chargeId);
  if (charge?.status === 'pending' && !(await settleDecided(ctx, scope, charge))) return;
  await payRest(ctx, scope, { chargeId, subscriptionId });
}

/** By the card of the buyer's own charge, if that was paid: other periods that the subscription owes. */
async function payRest(
  ctx: Context,
  scope: Scope,
  { chargeId, subscriptionId }: { chargeId: string; subscriptionId: string },
): Promise<void> {
  const charge = await findCharge(ctx.db, scope, chargeId);
  if (charge?.status !== 'succeeded' || charge.offSession || charge.paymentMethodId === null) return;
  await collectNow(ctx, scope, { subscriptionId, methodId: charge.paymentMethodId });
}
