/** The merchant says that a transfer has come, which nobody else can tell. */
import type { Step } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import { assert } from '../../domain/assert.ts';
import { invalidField, Refusal } from '../../domain/errors.ts';
import { TRANSFER, toManualId } from '../../providers/payment/manual/manual.ts';
import { findPaymentMethod } from '../../resources/payment-methods/payment-methods.queries.ts';
import {
  findNewestCharge,
  findPayment,
  insertCharge,
  type PaymentRow,
  updateCharge,
} from '../../resources/payments/payments.queries.ts';
import { type LockedSale, lockSale } from '../../resources/sales/locked-sale.queries.ts';
import {
  listOpenPayments,
  lockOfLockedOrder,
} from '../../resources/subscriptions/locked-subscription.queries.ts';
import { isChargingPeriod, listOwed } from '../subscription-lifecycle/schedule-subscription.ts';
import { toStateRefusal } from './close-payment.ts';
import { openStoredCharge } from './open-charge.ts';
import { settlePayment } from './settle-payment.ts';

export interface Receipt {
  paymentId: string;
  amountMinor: bigint;
  receivedAtMs: number;
  /** What the transfer is known by. */
  reference: string;
}

/**
 * Settles the payment, without a fee. One that was declined because nothing had come is paid all the same, and so is a
 * period that waits behind one that is owed: whoever is late transfers what is owed in one go. Throws not_found, payment_state where no transfer is waited for, and amount_mismatch.
 */
export async function receivePayment(
  ctx: Step,
  scope: Scope,
  { tx, receipt }: { tx: Tx; receipt: Receipt },
): Promise<PaymentRow> {
  const { paymentId, amountMinor, receivedAtMs: receivedAt, reference: receivedReference } = receipt;
  const sale = await lockSale(tx, scope, { paymentId, chargeId: null });
  if (!sale) throw new Refusal('not_found');
  const isOpened = await openOwed(ctx, scope, { tx, sale });
  const charge = await findNewestCharge(tx, scope, paymentId);
  const isWaiting = isOpened || sale.paymentStatus === 'PENDING' || sale.paymentStatus === 'FAILED';
  // Only what has a connection was asked for; the rest of what is called manual a person has written down.
  const isAwaited = charge?.processor === 'manual' && charge.connectionId !== null;
  // The change of plan was off with the failure: its money would buy nothing.
  const isOff = sale.paymentType === 'subscription_update' && sale.paymentStatus === 'FAILED';
  if (!charge || !isAwaited || !isWaiting || isOff) throw toStateRefusal(sale.paymentStatus);
  if (amountMinor !== sale.paymentValue) throw toAmountRefusal(sale);
  if (receivedAt > ctx.nowMs) throw invalidField('receivedAt', 'must not lie ahead');
  const { currency } = sale;
  const { connectionId } = charge;
  const isAsked = charge.amount === amountMinor && charge.currency === currency;
  const chargeId = isAsked ? charge.id : await openCorrected(ctx, scope, { tx, sale, charge });
  await updateCharge(tx, scope, { id: chargeId, receivedAt, receivedReference });
  await settlePayment(ctx, scope, {
    tx,
    paymentId,
    chargeId,
    outcome: {
      kind: 'succeeded',
      processorId: toManualId(chargeId),
      ...{ amountMinor, currency, feeMinor: 0n, method: TRANSFER },
      storedReference: connectionId,
      cardCountry: null,
      cardExpiry: null,
    },
  });
  const payment = await findPayment(tx, scope, paymentId);
  assert(payment, 'a payment is never deleted');
  return payment;
}

/** A period that waits behind an overdue one is asked for by the transfer that has come for it. Answers whether it was. */
async function openOwed(
  ctx: Step,
  scope: Scope,
  { tx, sale }: { tx: Tx; sale: LockedSale },
): Promise<boolean> {
  const { paymentId, paymentStatus, subscriptionId } = sale;
  if (paymentStatus !== 'UNPAID' || subscriptionId === null) return false;
  const { status, paymentMethodId } = await lockOfLockedOrder(tx, scope, subscriptionId);
  if (paymentMethodId === null || (status !== 'past_due' && status !== 'unpaid')) return false;
  const open = await listOpenPayments(tx, scope, subscriptionId);
  const payment = listOwed(open).find(({ id }) => id === paymentId);
  // What was asked for before it comes first.
  if (!payment || payment.value === 0n || isChargingPeriod(open)) return false;
  const method = await findPaymentMethod(tx, scope, paymentMethodId);
  if (method?.processor !== 'manual' || method.connectionId === null) return false;
  await openStoredCharge(ctx, scope, { tx, payment, methodId: paymentMethodId });
  return true;
}

/** The merchant has put the order right since its transfer was asked for, which was over with that. */
async function openCorrected(
  ctx: Step,
  scope: Scope,
  { tx, sale, charge }: { tx: Tx; sale: LockedSale; charge: Row<'charges'> },
): Promise<string> {
  const id = ctx.ids.next(ctx.nowMs);
  const { paymentId, processor, connectionId, offSession, ipAddress } = charge;
  const { paymentValue: amount, currency } = sale;
  await insertCharge(tx, scope, {
    ...{ id, paymentId, status: 'pending' as const, amount, currency, processor, connectionId },
    ...{ offSession, ipAddress, createdAt: ctx.nowMs },
  });
  return id;
}

/** As the API counts, and names, other amounts. */
function toAmountRefusal({ paymentValue, currency }: LockedSale): Refusal {
  const message = `must be what the payment asks for in ${currency}: ${paymentValue}`;
  return new Refusal('amount_mismatch', {
    message: `amount ${message}`,
    details: [{ path: 'amount', message }],
  });
}
