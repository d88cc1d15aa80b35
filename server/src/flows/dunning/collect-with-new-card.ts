/**
 * What a subscription owes is charged at once, since there is a new card: oldest first, each payment on its own,
 * until one is declined. It uses up no day of the dunning run.
 */
import type { Context, Step } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Scope } from '../../db/scope.ts';
import { inTransaction } from '../../db/transaction.ts';
import { finishDueWork, postponeDueWork } from '../../resources/due-work/due-work.queries.ts';
import type { ClaimedWork } from '../../resources/due-work/due-work.sql.ts';
import { listOpenPayments, lockBilling } from '../../resources/subscriptions/locked-subscription.queries.ts';
import { finishStoredCharge, settleOfNothing } from '../payments/charge-stored-method.ts';
import { type OpenedCharge, openStoredCharge } from '../payments/open-charge.ts';
import { isChargingPeriod, listOwed } from '../subscription-lifecycle/schedule-subscription.ts';

/** While a charge is under way it is looked at again after this. */
const BUSY_MS = 5 * 60_000;
/** More than a subscription can owe: its run ends before. */
const PAYMENTS_MAX = 100;

export interface Collection {
  subscriptionId: string;
  /** Null = the subscription's own method. */
  methodId: string | null;
}

/** Reference of the work: a subscription that has a new card. */
export async function collectWithNewCard(ctx: Context, work: ClaimedWork): Promise<void> {
  const collected = await collectNow(ctx, work.scope, { subscriptionId: work.refId, methodId: null });
  // What comes of the charge decides: a decline of this card ends the row, and after a payment the rest is due.
  if (collected === 'busy') await postponeDueWork(ctx.db, work, { dueMs: ctx.nowMs + BUSY_MS });
  else await inTransaction(ctx.db, (tx) => finishDueWork(tx, work));
}

export type Collected =
  /** Nothing is owed any more. */
  | 'paid'
  | 'declined'
  /** A charge is under way. */
  | 'busy';

/** Answers how far it came. Nothing happens while a charge is under way, or nothing is owed. */
export async function collectNow(ctx: Context, scope: Scope, collection: Collection): Promise<Collected> {
  for (let count = 0; count < PAYMENTS_MAX; count += 1) {
    const next = await inTransaction(ctx.db, (tx) => openNext(ctx, scope, { tx, ...collection }));
    if (next === 'nothing_owed') return 'paid';
    if (next === 'busy') return 'busy';
    if (next === 'settled') continue;
    const { payment } = await finishStoredCharge(ctx, scope, next);
    if (payment.status !== 'PAID') return payment.status === 'PENDING' ? 'busy' : 'declined';
  }
  return 'busy';
}

async function openNext(
  ctx: Step,
  scope: Scope,
  { tx, subscriptionId, methodId }: Collection & { tx: Tx },
): Promise<OpenedCharge | 'nothing_owed' | 'busy' | 'settled'> {
  const subscription = await lockBilling(tx, scope, subscriptionId);
  const isOwing = subscription?.status === 'past_due' || subscription?.status === 'unpaid';
  if (!isOwing) return 'nothing_owed';
  const open = await listOpenPayments(tx, scope, subscriptionId);
  // Its own card waits with its connection; another one is of whoever asks.
  if (isChargingPeriod(open) || (subscription.isHalted && methodId === null)) return 'busy';
  const [payment] = listOwed(open);
  if (!payment) return 'nothing_owed';
  if (payment.value > 0n) {
    return openStoredCharge(ctx, scope, { tx, payment, methodId: methodId ?? subscription.paymentMethodId });
  }
  await settleOfNothing(ctx, scope, { tx, payment });
  return 'settled';
}
