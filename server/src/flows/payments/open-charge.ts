/**
 * The row of a charge comes before the processor is asked, in the transaction of what it pays for, and with it the work
 * that looks after it: whatever dies behind that, somebody asks what has become of it.
 */
import type { Step } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Scope } from '../../db/scope.ts';
import { assert } from '../../domain/assert.ts';
import { FIRST_LOOK_MS } from '../../domain/payments/watch.ts';
import { move } from '../../domain/states/machine.ts';
import { isInitialPayment, PAYMENT, type PaymentStatus } from '../../domain/states/payment.ts';
import type { ChargePurpose } from '../../providers/payment/payment-provider.ts';
import { insertDueWork } from '../../resources/due-work/due-work.queries.ts';
import type { DueWorkKey } from '../../resources/due-work/due-work.sql.ts';
import { insertStoredCharge } from '../../resources/payments/later-payment.queries.ts';
import { countCharges, insertCharge, updatePayment } from '../../resources/payments/payments.queries.ts';
import { deriveId } from '../outbox/derive-id.ts';

/** The name in the row of a charge that no processor could be asked for. */
export const NO_PROCESSOR = 'none';

interface WatchedPayment {
  orderId: string;
  paymentId: string;
  paymentType: string;
}

/** The work that looks after a payment's charges: an order's with the order, later payments' by themselves. */
export function toWatch({ orderId, paymentId, paymentType }: WatchedPayment): DueWorkKey {
  return isInitialPayment(paymentType)
    ? { kind: 'watch_order', refId: orderId }
    : { kind: 'watch_payment', refId: paymentId };
}

export interface NewCharge {
  /** Missing = one of its own. */
  id?: string;
  payment: WatchedPayment;
  amountMinor: bigint;
  currency: string;
  processor: string;
  connectionId: string | null;
  offSession: boolean;
  ipAddress: string | null;
  /** The stored method that is charged; null = a card that the buyer typed, which is kept nowhere. */
  methodId: string | null;
  /** Renewals are to be charged to the card, too. */
  keepsMethod?: boolean;
}

/** Answers the charge's id. The order must be locked, and the payment PENDING. */
export async function openCharge(
  ctx: Step,
  scope: Scope,
  opening: { tx: Tx; charge: NewCharge },
): Promise<string> {
  const { id, written } = beginCharge(ctx, scope, opening);
  await written;
  return id;
}

export interface OpeningCharge {
  id: string;
  /** Its rows are on their way: wait for it before the transaction ends. */
  written: Promise<unknown>;
}

/** The same for who has more to write meanwhile. */
export function beginCharge(
  ctx: Step,
  scope: Scope,
  { tx, charge }: { tx: Tx; charge: NewCharge },
): OpeningCharge {
  const { payment, amountMinor, methodId, id = ctx.ids.next(ctx.nowMs), ...rest } = charge;
  const row = insertCharge(tx, scope, {
    ...rest,
    id,
    paymentId: payment.paymentId,
    status: 'pending',
    amount: amountMinor,
    paymentMethodId: methodId,
    createdAt: ctx.nowMs,
  });
  const watch = insertDueWork(tx, scope, [{ ...toWatch(payment), dueMs: ctx.nowMs + FIRST_LOOK_MS }]);
  return { id, written: Promise.all([row, watch]) };
}

export interface NumberedPayment {
  id: string;
  type: string;
  subscriptionId: string | null;
  periodStart: number | null;
  /** It was made just now, so that nothing has been charged for it. */
  isNew?: boolean;
}

/**
 * The n-th charge of a period's payment has the same id in every copy of the store, and the processor is asked with the
 * same key: a copy that does the same work again takes no money twice. The order must be locked.
 */
export async function nextChargeId(
  ctx: Step,
  scope: Scope,
  { tx, payment }: { tx: Tx; payment: NumberedPayment },
): Promise<string> {
  const { id, type, subscriptionId, periodStart: startMs, isNew } = payment;
  if (type !== 'subscription_interval' || subscriptionId === null || startMs === null) {
    return ctx.ids.next(ctx.nowMs);
  }
  const n = isNew ? 0 : await countCharges(tx, scope, id);
  const { workspaceId } = scope;
  return deriveId({ workspaceId, subscriptionId, startMs, kind: 'charge', n, place: n });
}

export interface ChargedPayment extends NumberedPayment {
  status: PaymentStatus;
  value: bigint;
  currency: string;
  userId: string;
}

/** A charge whose row is written and that the processor is still to be asked for. */
export interface OpenedCharge {
  paymentId: string;
  chargeId: string;
  type: string;
  amountMinor: bigint;
  currency: string;
  userId: string;
  processor: string;
  connectionId: string | null;
  /** Its object there, once it has one. */
  processorId: string | null;
  /** Null = there is no stored method. */
  reference: string | null;
  offSession: boolean;
  purpose: ChargePurpose;
  /** Real ms: its process may be halted before it asks, and then asks for nothing that others have done meanwhile. */
  begunRealMs: number;
}

/**
 * The same for a later payment of a subscription and a stored method, by one statement; makes the payment PENDING. The
 * order must be locked.
 */
export async function openStoredCharge(
  ctx: Step,
  scope: Scope,
  { tx, payment, methodId }: { tx: Tx; payment: ChargedPayment; methodId: string | null },
): Promise<OpenedCharge> {
  assert(payment.value > 0n, 'a payment of 0 needs no charge');
  const isRetry = payment.status === 'FAILED';
  if (payment.status !== 'PENDING') {
    const status = move(PAYMENT, payment.status, 'PENDING');
    await updatePayment(tx, scope, { id: payment.id, status });
  }
  const { id: paymentId, type, value: amountMinor, currency, userId } = payment;
  const chargeId = await nextChargeId(ctx, scope, { tx, payment });
  const { processor, connectionId, reference } = await insertStoredCharge(tx, scope, {
    id: chargeId,
    paymentId,
    amount: amountMinor,
    currency,
    methodId,
    noProcessor: NO_PROCESSOR,
    createdAt: ctx.nowMs,
    watch: { kind: 'watch_payment', refId: paymentId, dueMs: ctx.nowMs + FIRST_LOOK_MS },
  });
  const method = { processor, connectionId, processorId: null, reference, offSession: true };
  const purpose = isRetry ? 'retry' : 'renewal';
  const begunRealMs = ctx.realNowMs();
  return { paymentId, chargeId, type, amountMinor, currency, userId, ...method, purpose, begunRealMs };
}
