/**
 * A withdrawal comes in: it is written down as it was stated, acknowledged to whoever sent it and to the order's mailbox,
 * and takes effect later. What was typed decides nothing of the answer, so that nobody can try numbers.
 */
import type { Context, Step } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import { type Scope, toJson } from '../../db/scope.ts';
import { inTransaction } from '../../db/transaction.ts';
import { toStatementNumber } from '../../domain/consumer/statement-number.ts';
import {
  findNextLook,
  judgeWithdrawal,
  nameTicked,
  OBJECTION_MS,
  type Verdict,
} from '../../domain/consumer/withdrawal.ts';
import { invalidField } from '../../domain/errors.ts';
import { TOKEN_BYTES, toLinkToken } from '../../domain/link-token.ts';
import { toOrderNumber } from '../../domain/numbers.ts';
import { toSettings } from '../../domain/settings.ts';
import { hashWithdrawal } from '../../resources/consumer/statement-hashes.ts';
import { insertWithdrawal, type WithdrawalRow } from '../../resources/consumer/withdrawals.queries.ts';
import { findWithdrawnOrder, type WithdrawnOrder } from '../../resources/consumer/withdrawn-order.queries.ts';
import { insertDueWork } from '../../resources/due-work/due-work.queries.ts';
import { getStore } from '../../resources/workspaces/workspaces.queries.ts';
import { takeLimited } from '../limits/count-limited.ts';
import { acknowledge } from './acknowledge.ts';
import { isOwnMailbox } from './find-matter.ts';

export interface StatedWithdrawal {
  orderNumber: string;
  part: string | null;
  name: string;
  email: string;
  language: string;
  /** Ids of the items that were ticked by a buyer who is signed in; null = all. */
  items: string[] | null;
  /** Who is signed in. */
  userId: string | null;
  /** As limits count it. */
  addressKey: string;
}

/** Throws rate_limited, and invalid_input where an item is named that is not theirs. */
export async function receiveWithdrawal(
  ctx: Context,
  scope: Scope,
  stated: StatedWithdrawal,
): Promise<WithdrawalRow> {
  const { settings } = await getStore(ctx.db, scope);
  return inTransaction(ctx.db, async (tx) => {
    const limited = [{ limit: 'statement_by_address' as const, of: stated.addressKey }];
    await takeLimited(ctx, scope, { db: tx, limited });
    const number = toOrderNumber(stated.orderNumber);
    const order = number === null ? undefined : await findWithdrawnOrder(tx, scope, { number });
    checkItems(stated, order);
    // By whoever is signed in as its buyer: no mailbox has to prove it any more.
    const isProved = order !== undefined && order.userId === stated.userId;
    const isMatched = order !== undefined && (isProved || isOwnMailbox(stated.email, order));
    const verdict = isMatched
      ? judgeWithdrawal({
          order: { ...order, isSubscription: order.subscriptionId !== null },
          ...{ settings: toSettings(settings).consumer, receivedAt: ctx.nowMs },
          ...{ items: stated.items, part: stated.part },
        })
      : null;
    const row = await write(ctx, scope, { tx, stated, order: isMatched ? order : null, verdict, isProved });
    await acknowledge(ctx, scope, {
      ...{ tx, kind: 'withdrawal_received', statement: row },
      items: nameTicked(order?.items ?? [], stated.items),
      orderEmail: order?.email ?? null,
      hasLink: !isProved,
    });
    return row;
  });
}

/** Items are those of an own order. Any other number is heard in words, as from whoever is not signed in. */
function checkItems({ userId, items }: StatedWithdrawal, order: WithdrawnOrder | undefined): void {
  if (items === null) return;
  if (userId === null) throw invalidField('items', 'can only be named by whoever is signed in');
  if (order?.userId !== userId) throw invalidField('items', 'can only be named of one of your orders');
  const isOther = items.some((id) => !order.items.some((item) => item.id === id));
  if (isOther) throw invalidField('items', 'names an item that the order does not have');
}

interface Writing {
  tx: Tx;
  stated: StatedWithdrawal;
  order: WithdrawnOrder | null;
  verdict: Verdict | null;
  isProved: boolean;
}

async function write(
  ctx: Step,
  scope: Scope,
  { tx, stated, order, verdict, isProved }: Writing,
): Promise<WithdrawalRow> {
  const { orderNumber, part, name, email, items, language } = stated;
  const receivedAt = ctx.nowMs;
  const id = ctx.ids.next(receivedAt);
  const number = toStatementNumber('withdrawal', ctx.ids.randomBytes(16));
  const source = isProved ? ('portal' as const) : ('page' as const);
  const statement = { id, number, orderNumber, part, name, email, items, source, receivedAt };
  const objectionMs = isProved ? 0 : OBJECTION_MS;
  const effectAt = verdict?.kind === 'effect' ? receivedAt + objectionMs : null;
  const row = await insertWithdrawal(tx, scope, {
    ...statement,
    items: items === null ? null : toJson(items),
    language,
    token: toLinkToken(scope.workspaceId, ctx.ids.randomBytes(TOKEN_BYTES)),
    sha256: hashWithdrawal(statement),
    orderId: order?.id ?? null,
    userId: order?.userId ?? null,
    status: order === null ? 'unmatched' : 'received',
    reason: verdict?.kind === 'wait' ? verdict.reason : null,
    effectAt,
  });
  const dueMs = findNextLook(row) ?? receivedAt;
  await insertDueWork(tx, scope, [{ kind: 'attend_withdrawal', refId: id, dueMs }]);
  return row;
}
