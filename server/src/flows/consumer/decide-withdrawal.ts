/** The merchant decides on a withdrawal that the law or their own settings leave to them, and the buyer is told. */
import type { Context, Step } from '../../context.ts';
import type { Db, Tx } from '../../db/database.ts';
import type { Scope } from '../../db/scope.ts';
import { inTransaction } from '../../db/transaction.ts';
import { assert } from '../../domain/assert.ts';
import type { WithdrawalReason } from '../../domain/consumer/withdrawal.ts';
import { invalidField, notFound, Refusal } from '../../domain/errors.ts';
import { toOrderNumber, WHOLE_ID } from '../../domain/numbers.ts';
import {
  findWithdrawal,
  lockWithdrawal,
  updateWithdrawal,
  type WithdrawalRow,
} from '../../resources/consumer/withdrawals.queries.ts';
import { findWithdrawnOrder, type WithdrawnOrder } from '../../resources/consumer/withdrawn-order.queries.ts';
import { queueMails } from '../outbox/queue-mail.ts';
import { applyWithdrawal, findSentBack } from './apply-withdrawal.ts';

export interface Decision {
  id: string;
  accept: boolean;
  /** Its id or number, of an unmatched one. */
  orderId: string | null;
  /** Minor units; null = what the law says. */
  amountMinor: bigint | null;
  reason: WithdrawalReason | null;
  note: string | null;
  /** Holds the request's idempotency key. */
  begin: (tx: Tx, id: string) => Promise<void>;
}

/** Throws not_found, withdrawal_state, payment_disputed and refund_exceeds_paid. */
export async function decideWithdrawal(
  ctx: Context,
  scope: Scope,
  decision: Decision,
): Promise<WithdrawalRow> {
  const { id, accept } = decision;
  const withdrawal = await findWithdrawal(ctx.db, scope, id);
  if (!withdrawal) throw new Refusal('not_found');
  await refuseDecided(ctx, scope, { withdrawal, accept });
  if (accept) {
    const order = await findMatter(ctx, scope, { withdrawal, decision });
    const items = withdrawal.items ?? order.items.map((item) => item.id);
    const hasEffect = await applyWithdrawal(ctx, scope, {
      ...{ withdrawal, order, itemIds: items, amountMinor: decision.amountMinor },
      decide: (tx) => write(ctx, scope, { tx, decision }),
    });
    if (!hasEffect) throw toState((await findWithdrawal(ctx.db, scope, id)) ?? withdrawal);
  } else {
    await inTransaction(ctx.db, async (tx) => {
      const row = (await lockWithdrawal(tx, scope, id)) ?? withdrawal;
      await refuseDecided({ db: tx }, scope, { withdrawal: row, accept });
      await updateWithdrawal(tx, scope, { id, status: 'refused', effectAt: null });
      await write(ctx, scope, { tx, decision });
    });
  }
  const decided = await findWithdrawal(ctx.db, scope, id);
  assert(decided, 'a statement is never deleted');
  return decided;
}

/** Decided once: only where a refund has failed the merchant says again what is to be. */
async function refuseDecided(
  { db }: { db: Db },
  scope: Scope,
  { withdrawal, accept }: { withdrawal: WithdrawalRow; accept: boolean },
): Promise<void> {
  const sentBack = await findSentBack(db, scope, withdrawal);
  // What has gone back in part was accepted.
  if (sentBack === null || (!accept && sentBack.length > 0)) throw toState(withdrawal);
}

function toState({ status, refundIds }: WithdrawalRow): Refusal {
  const isOnItsWay = status === 'received' && refundIds.length > 0;
  const message = isOnItsWay
    ? 'The money of this withdrawal is on its way back.'
    : `The withdrawal is ${status}: it was decided.`;
  return new Refusal('withdrawal_state', { message });
}

async function findMatter(
  ctx: Context,
  scope: Scope,
  { withdrawal, decision }: { withdrawal: WithdrawalRow; decision: Decision },
): Promise<WithdrawnOrder> {
  const { orderId: matched } = withdrawal;
  const { orderId: given } = decision;
  const named = given ?? matched;
  if (named === null)
    throw invalidField('orderId', 'is required: the withdrawal names no order of this e-mail');
  const order = await findNamed(ctx, scope, named);
  if (!order) throw notFound('order', named);
  if (matched !== null && order.id !== matched)
    throw invalidField('orderId', 'is another order than the withdrawal is of');
  if (order.paidAt === null) throw new Refusal('order_state', { message: 'The order was not paid.' });
  return order;
}

/** By its id, or by the number that the merchant reads on it. */
async function findNamed(ctx: Context, scope: Scope, named: string): Promise<WithdrawnOrder | undefined> {
  if (WHOLE_ID.test(named)) return findWithdrawnOrder(ctx.db, scope, { id: named.toLowerCase() });
  const number = toOrderNumber(named);
  return number === null ? undefined : findWithdrawnOrder(ctx.db, scope, { number });
}

/** In the transaction of the decision's effect. */
async function write(
  ctx: Step,
  scope: Scope,
  { tx, decision }: { tx: Tx; decision: Decision },
): Promise<void> {
  const { id, accept, reason, note } = decision;
  await decision.begin(tx, id);
  const row = await updateWithdrawal(tx, scope, {
    ...{ id, note, decidedAt: ctx.nowMs },
    ...(accept ? {} : { reason: reason ?? 'other' }),
  });
  const { number, orderNumber, email: to, language } = row;
  const params = { number, orderNumber, isAccepted: accept, reason: accept ? null : row.reason, note };
  const key = `withdrawal_decided:${id}:${ctx.nowMs}`;
  await queueMails(tx, scope, ctx.ids, [
    { kind: 'withdrawal_decided', params, key, to, language, at: ctx.nowMs },
  ]);
}
