/**
 * A cancellation comes in by the page that asks no sign-in: written down as it was stated, acknowledged at once, and where
 * it is an ordinary one by the contract's own mailbox done at once. What was typed decides nothing of the answer.
 */
import type { Context } from '../../context.ts';
import type { Scope } from '../../db/scope.ts';
import { inTransaction } from '../../db/transaction.ts';
import { assert } from '../../domain/assert.ts';
import type { NoticeType } from '../../domain/consumer/notice.ts';
import { toStatementNumber } from '../../domain/consumer/statement-number.ts';
import { findNextLook } from '../../domain/consumer/withdrawal.ts';
import { TOKEN_BYTES, toLinkToken } from '../../domain/link-token.ts';
import { toOrderNumber } from '../../domain/numbers.ts';
import {
  findContract,
  findNotice,
  insertNotice,
  type NoticeRow,
} from '../../resources/consumer/notices.queries.ts';
import { hashNotice } from '../../resources/consumer/statement-hashes.ts';
import { insertDueWork } from '../../resources/due-work/due-work.queries.ts';
import { takeLimited } from '../limits/count-limited.ts';
import { acknowledge } from './acknowledge.ts';
import { applyNotice } from './apply-notice.ts';
import { isOwnMailbox } from './find-matter.ts';
import { canKeep } from './keep-contract.ts';

export interface StatedNotice {
  type: NoticeType;
  statedReason: string | null;
  name: string;
  email: string;
  contractNumber: string;
  /** Null = as early as it may be. */
  endDate: number | null;
  language: string;
  /** Who is signed in. */
  userId: string | null;
  addressKey: string;
}

/** Throws rate_limited. */
export async function receiveNotice(ctx: Context, scope: Scope, stated: StatedNotice): Promise<NoticeRow> {
  const number = toOrderNumber(stated.contractNumber);
  const contract = number === null ? undefined : await findContract(ctx.db, scope, number);
  const isOwn =
    contract !== undefined && (contract.userId === stated.userId || isOwnMailbox(stated.email, contract));
  const id = await write(ctx, scope, { stated, contract: isOwn ? contract : null });
  if (isOwn && stated.type === 'ordinary') await applyNotice(ctx, scope, id);
  const notice = await findNotice(ctx.db, scope, id);
  assert(notice, 'a statement is never deleted');
  // What has ended at once cannot be kept.
  const hasLink = await canKeep(ctx, scope, notice);
  await inTransaction(ctx.db, (tx) =>
    acknowledge(ctx, scope, {
      ...{ tx, kind: 'notice_received', statement: notice },
      orderEmail: contract?.email ?? null,
      hasLink,
    }),
  );
  return notice;
}

async function write(
  ctx: Context,
  scope: Scope,
  { stated, contract }: { stated: StatedNotice; contract: { id: string; userId: string } | null },
): Promise<string> {
  const { addressKey, userId, language, ...typed } = stated;
  return inTransaction(ctx.db, async (tx) => {
    const limited = [{ limit: 'statement_by_address' as const, of: addressKey }];
    await takeLimited(ctx, scope, { db: tx, limited });
    const receivedAt = ctx.nowMs;
    const id = ctx.ids.next(receivedAt);
    const number = toStatementNumber('notice', ctx.ids.randomBytes(16));
    // By whoever is signed in as its buyer.
    const isProved = userId !== null && contract?.userId === userId;
    const source = isProved ? ('portal' as const) : ('page' as const);
    const statement = { id, number, ...typed, source, receivedAt };
    await insertNotice(tx, scope, {
      ...statement,
      language,
      token: toLinkToken(scope.workspaceId, ctx.ids.randomBytes(TOKEN_BYTES)),
      sha256: hashNotice(statement),
      subscriptionId: contract?.id ?? null,
      userId: contract?.userId ?? null,
      status: contract === null ? 'unmatched' : 'received',
      effectAt: contract !== null && typed.type === 'ordinary' ? receivedAt : null,
    });
    // Should this process die before it is done, the work does it; else it warns whoever has to decide.
    const dueMs = findNextLook({
      receivedAt,
      effectAt: contract === null ? null : receivedAt + LATER_MS,
      warnedDays: 0,
    });
    await insertDueWork(tx, scope, [{ kind: 'attend_notice', refId: id, dueMs: dueMs ?? receivedAt }]);
    return id;
  });
}

const LATER_MS = 30_000;
