/**
 * A withdrawal takes effect: a subscription ends, what was bought is taken back, and what was paid goes back less what was
 * used. Each step may be taken again after a crash.
 */
import type { Context } from '../../context.ts';
import type { Db, Tx } from '../../db/database.ts';
import type { Scope } from '../../db/scope.ts';
import { inTransaction } from '../../db/transaction.ts';
import { planWithdrawalRefunds } from '../../domain/consumer/withdrawal.ts';
import { Refusal } from '../../domain/errors.ts';
import {
  lockWithdrawal,
  updateWithdrawal,
  type WithdrawalRow,
} from '../../resources/consumer/withdrawals.queries.ts';
import {
  listGivenBack,
  listPaidForOrder,
  sumSharesOfItems,
  type WithdrawnOrder,
} from '../../resources/consumer/withdrawn-order.queries.ts';
import { lockOrder } from '../../resources/orders/orders.queries.ts';
import { listRefundsOfOrder, type RefundRow } from '../../resources/refunds/refunds.queries.ts';
import { getSubscription } from '../../resources/subscriptions/subscriptions.queries.ts';
import { revokeEntitlements, revokeItems } from '../fulfilment/revoke-entitlements.ts';
import { cutToCounted, requestRefund, sendWrittenRefund } from '../refunds/refund-payment.ts';
import { cancelNow } from '../subscriptions/cancel-subscription.ts';

export interface AppliedWithdrawal {
  withdrawal: WithdrawalRow;
  order: WithdrawnOrder;
  /** Of the lines that it is of. */
  itemIds: readonly string[];
  /** Minor units that the merchant gives back; null = what the law says. */
  amountMinor: bigint | null;
  /** Runs in the transaction of the effect: once, whatever dies. */
  decide?: (tx: Tx) => Promise<void>;
}

/**
 * False where somebody else was faster, or the buyer has objected. Throws payment_disputed while a payment of the order is,
 * and refund_exceeds_paid for a sum beyond what is left.
 */
export async function applyWithdrawal(
  ctx: Context,
  scope: Scope,
  applied: AppliedWithdrawal,
): Promise<boolean> {
  await refuseImpossible(ctx, scope, applied);
  const refundIds = await takeEffect(ctx, scope, applied).catch((error: unknown) => {
    if (error instanceof AlreadyDecided) return null;
    throw error;
  });
  for (const refundId of refundIds ?? []) await sendWrittenRefund(ctx, scope, refundId);
  return refundIds !== null;
}

/** Rolls back: somebody else has decided, and a contract does not end with what was refused or objected to. */
class AlreadyDecided extends Error {
  override name = 'AlreadyDecided';
}

/**
 * What a withdrawal has sent back already, where it may be decided: it waits, and none of its refunds is under way. Null
 * where it was decided. Of several refunds one may have failed: what is missing is decided anew.
 */
export async function findSentBack(
  db: Db,
  scope: Scope,
  { status, refundIds, orderId }: WithdrawalRow,
): Promise<RefundRow[] | null> {
  if (status !== 'received' && status !== 'unmatched') return null;
  if (refundIds.length === 0 || orderId === null) return [];
  const refunds = (await listRefundsOfOrder(db, scope, orderId)).filter(({ id }) => refundIds.includes(id));
  if (refunds.some((refund) => refund.status === 'pending')) return null;
  return refunds.filter((refund) => refund.status === 'succeeded');
}

/** Before anything of it is done: a contract that has ended does not come back with a refusal. */
async function refuseImpossible(
  ctx: Pick<Context, 'db'>,
  scope: Scope,
  { order, amountMinor }: AppliedWithdrawal,
): Promise<void> {
  const paid = await listPaidForOrder(ctx.db, scope, order.id);
  if (paid.some(({ isDisputed }) => isDisputed)) throw new Refusal('payment_disputed');
  refuseBeyond(amountMinor, paid);
}

function refuseBeyond(amountMinor: bigint | null, paid: ReadonlyArray<{ leftMinor: bigint }>): void {
  const left = paid.reduce((sum, { leftMinor }) => sum + leftMinor, 0n);
  if (amountMinor !== null && amountMinor > left) throw new Refusal('refund_exceeds_paid');
}

/** A contract ends in the same transaction, and first: nothing is charged meanwhile, and what is paid back is counted then. */
async function takeEffect(ctx: Context, scope: Scope, applied: AppliedWithdrawal): Promise<string[]> {
  const { subscriptionId } = applied.order;
  let refundIds: string[] = [];
  const also = async (tx: Tx) => {
    refundIds = await write(ctx, scope, { tx, ...applied });
  };
  if (subscriptionId === null || !(await endContract(ctx, scope, { subscriptionId, also })))
    await inTransaction(ctx.db, also);
  return refundIds;
}

/** False where it has ended before. */
async function endContract(
  ctx: Context,
  scope: Scope,
  { subscriptionId, also }: { subscriptionId: string; also: (tx: Tx) => Promise<void> },
): Promise<boolean> {
  const { endedAt } = await getSubscription(ctx.db, scope, subscriptionId);
  if (endedAt !== null) return false;
  const claim = { resumeId: null, begin: async () => {} };
  try {
    await cancelNow(ctx, scope, { subscriptionId, reason: 'withdrawal', refund: false, claim, also });
    return true;
  } catch (error) {
    // Ended by somebody else in the meantime is ended, too.
    if (error instanceof Refusal && error.code === 'subscription_state') return false;
    throw error;
  }
}

/** Throws AlreadyDecided. */
async function write(
  ctx: Context,
  scope: Scope,
  { tx, withdrawal: { id }, order, itemIds, amountMinor, decide }: AppliedWithdrawal & { tx: Tx },
): Promise<string[]> {
  await lockOrder(tx, scope, order.id);
  const withdrawal = await lockWithdrawal(tx, scope, id);
  const sentBack = withdrawal ? await findSentBack(tx, scope, withdrawal) : null;
  if (!withdrawal || sentBack === null) throw new AlreadyDecided();
  const isWhole = itemIds.length === order.items.length;
  const refundIds: string[] = [];
  for (const planned of await planRefunds(tx, scope, { withdrawal, order, itemIds, amountMinor, sentBack })) {
    const note = `withdrawal ${withdrawal.number}`;
    const counted = await cutToCounted(ctx, scope, { db: tx, ...planned });
    if (counted === 0n) continue;
    const refund = { paymentId: planned.paymentId, amountMinor: counted };
    const request = { tx, ...refund, reason: 'requested_by_customer', note } as const;
    refundIds.push((await requestRefund(ctx, scope, request)).id);
  }
  if (isWhole) await revokeEntitlements(tx, scope, order.id);
  else await revokeItems(tx, scope, { orderId: order.id, itemIds });
  await updateWithdrawal(tx, scope, {
    ...{ id, orderId: order.id, userId: order.userId, effectAt: null },
    refundIds: [...sentBack.map((refund) => refund.id), ...refundIds],
    // It is over when the money has gone back; where nothing was paid, now.
    status: refundIds.length === 0 ? 'refunded' : 'received',
  });
  await decide?.(tx);
  return refundIds;
}

async function planRefunds(
  tx: Tx,
  scope: Scope,
  {
    withdrawal,
    order,
    itemIds,
    amountMinor,
    sentBack,
  }: Omit<AppliedWithdrawal, 'decide'> & { sentBack: readonly RefundRow[] },
) {
  const rows = await listPaidForOrder(tx, scope, order.id);
  const paid = rows.map(({ periodStart, periodEnd, isDisputed: _, ...part }) => ({
    ...part,
    sentBackMinor: 0n,
    period: periodStart === null || periodEnd === null ? null : { startMs: periodStart, endMs: periodEnd },
  }));
  if (amountMinor !== null) {
    refuseBeyond(amountMinor, paid);
    return planWithdrawalRefunds({ paid, usedUntilMs: null, mostMinor: amountMinor });
  }
  const usedUntilMs = order.subscriptionId !== null && order.paysForUse ? withdrawal.receivedAt : null;
  const own = paid.map((part) => ({ ...part, sentBackMinor: sumOf(sentBack, part.paymentId) }));
  const before = await listGivenBack(tx, scope, { orderId: order.id, withdrawalId: withdrawal.id });
  if (itemIds.length === order.items.length && before.length === 0) {
    // What its end has given back was of the rest: what is left was paid for the use until then.
    const whole = own.map((part) => ({ ...part, sentBackMinor: part.sentBackMinor + part.unusedBackMinor }));
    return planWithdrawalRefunds({ paid: whole, usedUntilMs, mostMinor: null });
  }
  const ticked = order.items.filter(({ id }) => itemIds.includes(id) && !before.includes(id));
  if (order.subscriptionId === null) {
    const mostMinor = ticked.reduce((sum, { totalMinor }) => sum + totalMinor, 0n);
    return planWithdrawalRefunds({ paid: own, usedUntilMs, mostMinor });
  }
  const shares = await sumSharesOfItems(tx, scope, {
    orderId: order.id,
    itemIds: ticked.map(({ id }) => id),
  });
  const paidForItems = own.map((part) => toShare(part, shares.get(part.paymentId) ?? 0n));
  return planWithdrawalRefunds({ paid: paidForItems, usedUntilMs, mostMinor: null });
}

function sumOf(refunds: readonly RefundRow[], paymentId: string): bigint {
  return refunds.reduce((sum, refund) => (refund.paymentId === paymentId ? sum + refund.amount : sum), 0n);
}

/** Of a payment what was paid for some of its items, as far as it has not gone back otherwise. */
function toShare<P extends { leftMinor: bigint; sentBackMinor: bigint }>(part: P, shareMinor: bigint): P {
  const open = shareMinor - part.sentBackMinor;
  return { ...part, leftMinor: open < part.leftMinor ? (open > 0n ? open : 0n) : part.leftMinor };
}
