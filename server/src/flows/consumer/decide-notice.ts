/** The merchant decides on a notice for cause, or on one that names no contract of its sender's, and the buyer is told. */
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Scope } from '../../db/scope.ts';
import { inTransaction } from '../../db/transaction.ts';
import { assert } from '../../domain/assert.ts';
import { invalidField, notFound, Refusal } from '../../domain/errors.ts';
import { toOrderNumber } from '../../domain/numbers.ts';
import {
  findContract,
  findNotice,
  lockNotice,
  type NoticeRow,
  updateNotice,
} from '../../resources/consumer/notices.queries.ts';
import { queueMails } from '../outbox/queue-mail.ts';
import { applyNotice } from './apply-notice.ts';

export interface NoticeDecision {
  id: string;
  accept: boolean;
  /** Number of the subscription, of an unmatched one. */
  subscriptionId: string | null;
  note: string | null;
  /** Holds the request's idempotency key. */
  begin: (tx: Tx, id: string) => Promise<void>;
}

/** Throws not_found, and notice_state for one that was decided. */
export async function decideNotice(ctx: Context, scope: Scope, decision: NoticeDecision): Promise<NoticeRow> {
  const { id, accept } = decision;
  const notice = await findNotice(ctx.db, scope, id);
  if (!notice) throw new Refusal('not_found');
  refuseDecided(notice);
  const contract = accept ? await findMatter(ctx, scope, { notice, decision }) : null;
  await inTransaction(ctx.db, (tx) => write(ctx, scope, { tx, decision, contract }));
  if (accept) await applyNotice(ctx, scope, id, { isNow: notice.type === 'cause' });
  const decided = await findNotice(ctx.db, scope, id);
  assert(decided, 'a statement is never deleted');
  return decided;
}

/** An accepted one is `received` until its contract has ended. */
function refuseDecided({ status, decidedAt }: Pick<NoticeRow, 'status' | 'decidedAt'>): void {
  if (decidedAt === null && (status === 'received' || status === 'unmatched')) return;
  throw new Refusal('notice_state', { message: `The notice is ${status}: it was decided.` });
}

interface Contract {
  id: string;
  userId: string;
}

async function findMatter(
  ctx: Context,
  scope: Scope,
  { notice, decision }: { notice: NoticeRow; decision: NoticeDecision },
): Promise<Contract> {
  const { subscriptionId, userId, subscriptionNumber } = notice;
  const given = decision.subscriptionId;
  if (subscriptionId !== null && userId !== null) {
    if (given !== null && toOrderNumber(given) !== subscriptionNumber)
      throw invalidField('subscriptionId', 'is another subscription than the notice is of');
    return { id: subscriptionId, userId };
  }
  if (given === null)
    throw invalidField('subscriptionId', 'is required: the notice names no contract of this e-mail');
  const number = toOrderNumber(given);
  const contract = number === null ? undefined : await findContract(ctx.db, scope, number);
  if (!contract) throw notFound('subscription', given);
  return contract;
}

/** An accepted one is taken up by its work, should this process die before the contract has ended. */
async function write(
  ctx: Context,
  scope: Scope,
  { tx, decision, contract }: { tx: Tx; decision: NoticeDecision; contract: Contract | null },
): Promise<void> {
  const { id, accept, note } = decision;
  const row = await lockNotice(tx, scope, id);
  assert(row, 'a statement is never deleted');
  refuseDecided(row);
  await decision.begin(tx, id);
  await updateNotice(tx, scope, {
    ...{ id, note, decidedAt: ctx.nowMs },
    ...(contract === null
      ? { status: 'refused' as const, effectAt: null }
      : {
          status: 'received' as const,
          subscriptionId: contract.id,
          userId: contract.userId,
          effectAt: ctx.nowMs,
        }),
  });
  const { number, contractNumber, email: to, language } = row;
  const params = { number, contractNumber, isAccepted: accept, note };
  const key = `notice_decided:${id}:${ctx.nowMs}`;
  await queueMails(tx, scope, ctx.ids, [
    { kind: 'notice_decided', params, key, to, language, at: ctx.nowMs },
  ]);
}
