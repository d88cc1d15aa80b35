/**
 * A refund in two steps: the row first, under the payment's lock, so that no number of requests gives back more
 * than was taken; then the processor, whose key is the row's id, so that every try is the same refund.
 */
import type { Context, Step } from '../../context.ts';
import type { Db, Tx } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import { type Scope, toJson } from '../../db/scope.ts';
import { inTransaction } from '../../db/transaction.ts';
import { assert } from '../../domain/assert.ts';
import { Refusal } from '../../domain/errors.ts';
import { cutToStep } from '../../domain/money/rounding.ts';
import {
  computeRefundLimit,
  isConverted,
  type PlannedRefund,
  planRefund,
  type RefundablePayment,
  UNTRACEABLE,
} from '../../domain/payments/refund.ts';
import { storeLines } from '../../domain/subscriptions/stored-plan.ts';
import { toFailedRefund } from '../../providers/payment/failed-refund.ts';
import type { RefundOutcome } from '../../providers/payment/payment-provider.ts';
import { isDisputed } from '../../resources/disputes/disputes.queries.ts';
import { finishDueWork, insertDueWork } from '../../resources/due-work/due-work.queries.ts';
import type { ClaimedWork } from '../../resources/due-work/due-work.sql.ts';
import {
  findPaidCharge,
  findRefund,
  insertRefund,
  listUnsentPayBacks,
  noteRefundAsked,
  sumRefunds,
  updateRefund,
} from '../../resources/refunds/refunds.queries.ts';
import { type LockedSale, lockSale } from '../../resources/sales/locked-sale.queries.ts';
import { providerOf } from '../payments/provider-of.ts';
import { settleOrLeave } from '../payments/settle-or-leave.ts';
import { lowerCredits } from '../subscription-lifecycle/lower-credits.ts';
import { loadRefund, type RefundView, settleRefund } from './settle-refund.ts';

/** A refund that was written and never sent, because its process died, is taken up after this. */
const FIRST_LOOK_MS = 30_000;
/** Real ms: so long a refund without an answer is asked for under its key, which processors keep for a day. */
const ASKED_FOR_MS = 23 * 3_600_000;
/** Money that the merchant moves outside: no processor is asked, and the merchant says when it has gone back. */
export const MANUAL = 'manual';

export interface RefundRequest {
  tx: Tx;
  paymentId: string;
  /** Minor units; null = all that is left. */
  amountMinor: bigint | null;
  reason: Row<'refunds'>['reason'];
  note: string | null;
  /** True = the money was given back outside. */
  isManual?: boolean;
  /** What a lost dispute has taken: others of the payment may still be open. */
  isLostDispute?: boolean;
}

/** What is asked of the processor, and what of: nothing of it but the status ever changes. */
export type SentRefund = Pick<
  Row<'refunds'>,
  'id' | 'paymentId' | 'chargeId' | 'status' | 'amount' | 'currency' | 'processor' | 'connectionId'
> & {
  /** What its charge is at the processor. */
  chargeProcessorId: string | null;
};

/**
 * Writes the refund as pending, with the work that sends it if nobody else does. Throws not_found, and what
 * `planRefund` refuses with.
 */
export async function requestRefund(
  ctx: Step,
  scope: Scope,
  { tx, paymentId, amountMinor, reason, note, isManual = false, isLostDispute = false }: RefundRequest,
): Promise<SentRefund> {
  // What comes behind the lock in one write is run behind it, too.
  const [sale, charge, sums, isOpenDispute] = await Promise.all([
    lockSale(tx, scope, { paymentId, chargeId: null }),
    findPaidCharge(tx, scope, paymentId),
    sumRefunds(tx, scope, paymentId),
    isDisputed(tx, scope, paymentId),
  ]);
  if (!sale) throw new Refusal('not_found');
  const { paymentStatus: status, paymentValue: valueMinor, paymentTax: taxMinor } = sale;
  const planned = decideRefund(
    { status, valueMinor, taxMinor },
    { charge, sums, isOpenDispute: isOpenDispute && !isLostDispute, amountMinor },
  );
  assert(charge, 'money that was taken has its charge');
  const isByHand = isManual || goesBackByHand(charge);
  const refundId = ctx.ids.next(ctx.nowMs);
  const sent: SentRefund = {
    id: refundId,
    paymentId,
    chargeId: charge.id,
    status: 'pending',
    amount: planned.amountMinor,
    currency: sale.currency,
    processor: isByHand ? MANUAL : charge.processor,
    connectionId: isByHand ? null : charge.connectionId,
    chargeProcessorId: charge.processorId,
  };
  const { chargeProcessorId: _, ...written } = sent;
  const row = insertRefund(tx, scope, {
    ...written,
    orderId: sale.orderId,
    tax: planned.taxMinor,
    reason,
    note,
    // Never before its charge, which another process, or the time before an advance, may have stamped later.
    createdAt: Math.max(ctx.nowMs, charge.settledAt ?? 0),
  });
  const look = { kind: 'send_refund' as const, refId: refundId, dueMs: ctx.nowMs + FIRST_LOOK_MS };
  await Promise.all([row, isByHand ? null : insertDueWork(tx, scope, [look])]);
  await lower(scope, { tx, refundId, sale });
  return sent;
}

interface Standing {
  charge: Awaited<ReturnType<typeof findPaidCharge>>;
  sums: Awaited<ReturnType<typeof sumRefunds>>;
  isOpenDispute: boolean;
  amountMinor: bigint | null;
}

/** Throws what `planRefund` refuses with. */
export function decideRefund(
  payment: Pick<RefundablePayment, 'status' | 'valueMinor' | 'taxMinor'>,
  { charge, sums, isOpenDispute, amountMinor }: Standing,
): PlannedRefund {
  const { valueMinor } = payment;
  const limitMinor = charge ? computeRefundLimit(valueMinor, charge) : valueMinor;
  return planRefund({ ...payment, limitMinor, ...sums, isDisputed: isOpenDispute }, amountMinor);
}

/** Throws amount_not_chargeable: its processor would give back a part of what it counts this currency in. */
export function refuseParts(
  { payments }: Pick<Step, 'payments'>,
  { processor, amount, currency }: Pick<SentRefund, 'processor' | 'amount' | 'currency'>,
): void {
  const step = payments.listSteps(currency).get(processor) ?? 1n;
  if (amount % step === 0n) return;
  const message = `is finer than the processor counts ${currency}`;
  throw new Refusal('amount_not_chargeable', {
    message: `amount ${message}`,
    details: [{ path: 'amount', message }],
  });
}

/** A sum that we work out, as far as the processor of the payment's charge can give it back: no more than it is. */
export async function cutToCounted(
  { payments }: Pick<Step, 'payments'>,
  scope: Scope,
  { db, paymentId, amountMinor }: { db: Db; paymentId: string; amountMinor: bigint },
): Promise<bigint> {
  const charge = await findPaidCharge(db, scope, paymentId);
  if (!charge || goesBackByHand(charge)) return amountMinor;
  return cutToStep(amountMinor, payments.listSteps(charge.currency).get(charge.processor) ?? 1n);
}

/** What was paid outside goes back outside; and a processor that took another currency gives none of the payment's back. */
export function goesBackByHand(charge: NonNullable<Standing['charge']>): boolean {
  return charge.processor === MANUAL || isConverted(charge);
}

/** What of its period waits as a credit is not given back by both. */
export async function lower(
  scope: Scope,
  { tx, refundId, sale }: { tx: Tx; refundId: string; sale: Pick<LockedSale, 'subscriptionId'> },
): Promise<void> {
  const { subscriptionId } = sale;
  if (subscriptionId === null) return;
  const lowered = await lowerCredits(scope, { tx, subscriptionId });
  if (lowered.length === 0) return;
  await updateRefund(tx, scope, { id: refundId, creditLines: toJson(storeLines(lowered)) });
}

/**
 * Asks the processor and settles what it says; one that is given back by hand stays pending. `finish` runs in the
 * settling transaction.
 */
export async function sendRefund(
  ctx: Context,
  scope: Scope,
  refund: SentRefund,
  finish?: (tx: Tx, view: RefundView) => Promise<void>,
): Promise<RefundView> {
  const { id: refundId } = refund;
  const outcome = await askProcessor(ctx, scope, refund);
  return settleOrLeave(ctx, scope, {
    settle: async (tx) => {
      const view = outcome
        ? await settleRefund(ctx, scope, { tx, refundId, outcome, of: refund })
        : await loadRefund(tx, scope, { refundId, publicUrl: ctx.config.publicUrl });
      await finish?.(tx, view);
      return view;
    },
    look: { kind: 'send_refund', refId: refundId },
    read: (db) => loadRefund(db, scope, { refundId, publicUrl: ctx.config.publicUrl }),
  });
}

/** Sends the refunds by which a change that holds now pays credits of its order back. */
export async function sendPayBacks(ctx: Context, scope: Scope, orderId: string): Promise<void> {
  for (const refundId of await listUnsentPayBacks(ctx.db, scope, orderId)) {
    await sendWrittenRefund(ctx, scope, refundId);
  }
}

/** Takes up a refund whose process died, or whose outcome is not known yet. */
export async function sendRefundAgain(ctx: Context, work: ClaimedWork): Promise<void> {
  const { scope, refId } = work;
  const refund = await findRefund(ctx.db, scope, refId);
  // What was told of it while it was settled has asked for this look: there is nothing to look at any more.
  if (refund?.status !== 'pending')
    return void (await inTransaction(ctx.db, (tx) => finishDueWork(tx, work)));
  await sendRefund(ctx, scope, refund);
}

/** The same of one that another request or job has written. */
export async function sendWrittenRefund(
  ctx: Context,
  scope: Scope,
  refundId: string,
  finish?: (tx: Tx, view: RefundView) => Promise<void>,
): Promise<RefundView> {
  const refund = await findRefund(ctx.db, scope, refundId);
  assert(refund, 'a refund is sent after it was written');
  return sendRefund(ctx, scope, refund, finish);
}

/** Null where there is nothing to ask, or nothing any more: the refund stays as it is. */
async function askProcessor(ctx: Context, scope: Scope, refund: SentRefund): Promise<RefundOutcome | null> {
  const { id: refundId, chargeId, amount: amountMinor, currency, processor } = refund;
  const { chargeProcessorId: processorId } = refund;
  if (processor === MANUAL || refund.status !== 'pending') return null;
  const provider = await providerOf(ctx, scope, refund);
  assert(provider, 'a refund names a processor that is set up');
  const asked = { scope, chargeId, processorId, refundId, amountMinor, currency, nowMs: ctx.nowMs };
  if (!provider.lookUpRefund) return provider.refund(asked);
  const realNowMs = ctx.realNowMs();
  const askedAt = await noteRefundAsked(ctx.db, scope, { id: refundId, at: realNowMs });
  if (realNowMs - askedAt < ASKED_FOR_MS) return provider.refund(asked);
  // Its key may be forgotten there by now: asked again it could be a second one.
  const found = await provider.lookUpRefund(asked);
  return found.kind === 'absent' ? toFailedRefund(UNTRACEABLE) : found;
}
