/** A code that was mailed lets its reader in: anywhere by its digits, by its link where it was asked for. */
import type { Context } from '../../context.ts';
import type { Db } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import { inTransaction } from '../../db/transaction.ts';
import { toEmailNormal } from '../../domain/email.ts';
import { Refusal } from '../../domain/errors.ts';
import { CODE_TRIES_MAX, GUARDED_TRIES_MAX } from '../../domain/portal/session-life.ts';
import { hashToken } from '../../resources/accounts/tokens.ts';
import {
  findCodeOfBrowser,
  findCodeOfMailbox,
  type PortalCodeRow,
  takeCode,
  takeTry,
} from '../../resources/portal/portal-codes.queries.ts';
import { findUser } from '../../resources/users/users.queries.ts';
import { takeAlways } from '../limits/count-limited.ts';
import { toMailboxHash } from './ask-for-code.ts';
import { deriveWords, isSameWord } from './derive-words.ts';
import { isGuarded, noteFailure } from './guard-door.ts';
import { type OpenedPortal, openSession, type Visitor } from './open-session.ts';

export interface GivenCode {
  /** What the browser keeps that asked; null = another one. */
  browserWord: string | null;
  /** Typed in another browser. */
  email: string | null;
  code: string | null;
  /** Of the mail's link. */
  token: string | null;
  visitor: Visitor;
}

/** Throws code_invalid, and rate_limited after many. Answers also where the buyer wanted to go. */
export async function checkCode(
  ctx: Context,
  scope: Scope,
  given: GivenCode,
): Promise<OpenedPortal & { path: string | null }> {
  const { visitor } = given;
  const limited = [{ limit: 'portal_try_by_address' as const, of: visitor.addressKey }];
  await takeAlways(scope, { db: ctx.db, limited });
  const row = await findAsked(ctx, scope, given);
  const max = (await isGuarded(ctx, ctx.db, scope)) ? GUARDED_TRIES_MAX : CODE_TRIES_MAX;
  const isTaken =
    row !== undefined && (await takeTry(ctx.db, scope, { id: row.id, max, nowMs: ctx.realNowMs() }));
  const isRight = (await isRightWord(ctx, row, given)) && isTaken;
  const opened = row && isRight ? await enter(ctx, scope, row, visitor) : null;
  if (opened) return opened;
  await noteFailure(ctx, scope, visitor.requestId);
  throw new Refusal('code_invalid');
}

/** What the code answers; undefined where nothing was asked. */
async function findAsked(
  ctx: Context,
  scope: Scope,
  { browserWord, email }: GivenCode,
): Promise<PortalCodeRow | undefined> {
  if (email !== null) {
    return findCodeOfMailbox(ctx.db, scope, toMailboxHash(scope, 'email', toEmailNormal(email)));
  }
  return browserWord === null ? undefined : findCodeOfBrowser(ctx.db, scope, hashToken(browserWord));
}

async function isRightWord(
  ctx: Context,
  row: PortalCodeRow | undefined,
  { browserWord, code, token }: GivenCode,
): Promise<boolean> {
  const words = await deriveWords(ctx.db, { purpose: 'sign-in', id: row?.id ?? '' });
  if (token !== null) {
    // A link opens only where it was asked for.
    const isHere = row !== undefined && browserWord !== null && row.browserHash === hashToken(browserWord);
    return isSameWord(token, words.link) && isHere;
  }
  return isSameWord(code ?? '', words.code) && row !== undefined;
}

/** Whose code it is, as long as theirs is the mailbox that it was sent to; undefined: nobody's. */
async function findReader(
  db: Db,
  scope: Scope,
  { userId, mailboxHash }: PortalCodeRow,
): Promise<Row<'users'> | undefined> {
  const user = userId === null ? undefined : await findUser(db, scope, userId);
  const isTheirs =
    user?.emailNormal != null && toMailboxHash(scope, 'email', user.emailNormal) === mailboxHash;
  return isTheirs ? user : undefined;
}

/** Null where another request has used it up meanwhile, or nobody reads that mailbox any more. */
async function enter(
  ctx: Context,
  scope: Scope,
  row: PortalCodeRow,
  visitor: Visitor,
): Promise<(OpenedPortal & { path: string | null }) | null> {
  return inTransaction(ctx.db, async (tx) => {
    const used = await takeCode(tx, scope, row.id);
    const reader = used && (await findReader(tx, scope, used));
    if (!reader) return null;
    const opened = await openSession(ctx, scope, { tx, userId: reader.id, method: 'code', visitor });
    return { ...opened, path: used.path };
  });
}

/** The address of whom the link of a mail would let in, in this browser; null: nobody. Nothing is used up. */
export async function findLinkReader(
  ctx: Context,
  scope: Scope,
  { link, browserWord }: { link: string; browserWord: string | null },
): Promise<string | null> {
  if (browserWord === null) return null;
  const row = await findCodeOfBrowser(ctx.db, scope, hashToken(browserWord));
  if (!row || row.endsAt <= ctx.realNowMs() || row.tries >= CODE_TRIES_MAX) return null;
  const words = await deriveWords(ctx.db, { purpose: 'sign-in', id: row.id });
  if (!isSameWord(link, words.link)) return null;
  return (await findReader(ctx.db, scope, row))?.email ?? null;
}
