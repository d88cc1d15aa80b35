/** The code of the new mailbox makes it the buyer's address. */
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import { Refusal } from '../../domain/errors.ts';
import { CODE_TRIES_MAX } from '../../domain/portal/session-life.ts';
import {
  closeEmailChange,
  type EmailChangeRow,
  findLastEmailChange,
  takeEmailTry,
} from '../../resources/portal/email-changes.queries.ts';
import { takeAlways } from '../limits/count-limited.ts';
import { changeUser } from '../users/edit-user.ts';
import { deriveWords, isSameWord } from './derive-words.ts';

export interface GivenEmailCode {
  userId: string;
  code: string | null;
  /** Of the mail's link. */
  token: string | null;
  addressKey: string;
}

/** Counts the try, in no transaction that a refusal rolls back. Throws code_invalid, and rate_limited after many. */
export async function checkEmailCode(
  ctx: Context,
  scope: Scope,
  { userId, code, token, addressKey }: GivenEmailCode,
): Promise<EmailChangeRow> {
  await takeAlways(scope, { db: ctx.db, limited: [{ limit: 'portal_try_by_address', of: addressKey }] });
  const row = await findLastEmailChange(ctx.db, scope, userId);
  const asked = { id: row?.id ?? '', max: CODE_TRIES_MAX, nowMs: ctx.realNowMs() };
  const isTaken = row !== undefined && (await takeEmailTry(ctx.db, scope, asked));
  const words = await deriveWords(ctx.db, { purpose: 'email', id: row?.id ?? '' });
  const isRight = token === null ? isSameWord(code ?? '', words.code) : isSameWord(token, words.link);
  if (!row || !isTaken || !isRight) throw new Refusal('code_invalid');
  return row;
}

/** All other sessions end. Throws code_invalid for a code that was used meanwhile, and email_taken. */
export async function confirmEmailChange(
  ctx: Context,
  scope: Scope,
  { tx, change, sessionId }: { tx: Tx; change: EmailChangeRow; sessionId: string },
): Promise<{ before: Row<'users'>; after: Row<'users'> }> {
  const nowMs = ctx.realNowMs();
  const { id, userId, newEmail: email } = change;
  const changed = await changeUser(ctx, scope, {
    ...{ tx, id: userId, keptSessionId: sessionId },
    ...{ input: { email }, passwordHash: undefined },
  });
  if (!(await closeEmailChange(tx, scope, { id, nowMs }))) throw new Refusal('code_invalid');
  return changed;
}
