/** Links that are mailed, or printed by the operator: to sign in once, to set a password, to prove an address. */
import type { Db, Tx } from '../../db/database.ts';
import { inTransaction, violatedKey } from '../../db/transaction.ts';
import { parseEmail, toEmailNormal } from '../../domain/email.ts';
import { invalidField, Refusal } from '../../domain/errors.ts';
import { deleteFactors } from '../../resources/accounts/account-factors.queries.ts';
import { dropWaitingLinks } from '../../resources/accounts/account-mails.queries.ts';
import { deleteSessions, type StandingSession } from '../../resources/accounts/account-sessions.queries.ts';
import {
  deleteTokens,
  findToken,
  insertToken,
  type TokenKind,
  takeToken,
} from '../../resources/accounts/account-tokens.queries.ts';
import {
  type AccountRow,
  findAccount,
  lockAccount,
  updateAccount,
} from '../../resources/accounts/accounts.queries.ts';
import { generateToken, hashToken } from '../../resources/accounts/tokens.ts';
import { checkNewPassword } from './check-new-password.ts';
import { countAsked } from './count-tries.ts';
import type { Entering } from './open-session.ts';
import { hashPassword } from './passwords.ts';
import { queueAccountMail } from './queue-account-mail.ts';
import { toDashboardUrl } from './setup-link.ts';
import { goOn, type SignedIn } from './sign-in.ts';
import { type AccountContext, noteAccount, type Visitor } from './visitor.ts';

const MINUTE_MS = 60_000;
export const LINK_MS = 15 * MINUTE_MS;
export const RESET_MS = 60 * MINUTE_MS;
export const EMAIL_MS = 60 * MINUTE_MS;

/** Where each is opened: in the fragment, which no log is told. */
const PAGES = { link: 'link', reset: 'reset', email: 'email', sign_up: 'sign-up' } as const;
export type LinkKind = keyof typeof PAGES;

export interface NewLink {
  kind: LinkKind;
  accountId: string | null;
  lifeMs: number;
  params?: Record<string, unknown>;
}

/** Answers the address. One that resets a password ends those before. */
export async function makeLink(
  { ids, nowMs, config }: Pick<AccountContext, 'ids' | 'nowMs' | 'config'>,
  db: Db,
  { kind, accountId, lifeMs, params = {} }: NewLink,
): Promise<string> {
  if (accountId !== null && kind === 'reset') await deleteTokens(db, { accountId, kinds: ['reset'] });
  const token = generateToken();
  const ends = { endsAt: nowMs + lifeMs, createdAt: nowMs };
  await insertToken(db, {
    id: ids.next(nowMs),
    kind,
    accountId,
    tokenHash: hashToken(token),
    params,
    ...ends,
  });
  return `${toDashboardUrl(config)}/${PAGES[kind]}#${token}`;
}

/**
 * That it was asked for is all that is done at once: whether there is such an account is looked up later. Throws
 * rate_limited.
 */
export async function requestLink(
  ctx: AccountContext,
  { kind, email, visitor }: { kind: 'link' | 'reset' | 'sign_up'; email: string; visitor: Visitor },
): Promise<void> {
  await countAsked(ctx, visitor);
  await queueAccountMail(ctx, ctx.db, { kind, to: toEmailNormal(email), params: {} });
}

/** A link that was mailed signs in, up to the second factor. Throws link_invalid. */
export async function openLink(
  ctx: AccountContext,
  { token, visitor, before }: { token: string; visitor: Visitor; before: Entering['before'] },
): Promise<SignedIn> {
  const account = await inTransaction(ctx.db, async (tx) => {
    const taken = await take(ctx, tx, { kind: 'link', token });
    const found = taken.accountId ? await lockAccount(tx, taken.accountId) : undefined;
    if (!found || found.disabledAt !== null) throw new Refusal('link_invalid');
    await proveEmail(ctx, tx, found);
    return found;
  });
  // Looked at anew: the first proof may have taken its factors.
  const entering = { method: 'link' as const, isProof: false, visitor, before };
  return goOn(ctx, { account, counted: null, entering });
}

/** Sets a new password and ends every session; signs nobody in. Throws link_invalid and password_too_weak. */
export async function resetPassword(
  ctx: AccountContext,
  { token, password, visitor }: { token: string; password: string; visitor: Visitor },
): Promise<string> {
  const shown = { kind: 'reset' as const, tokenHash: hashToken(token), nowMs: ctx.nowMs };
  const found = await findToken(ctx.db, shown);
  const known = found?.accountId ? await findAccount(ctx.db, found.accountId) : undefined;
  if (!known || known.disabledAt !== null) throw new Refusal('link_invalid');
  // The link is good for another try where the password is not.
  await checkNewPassword(password, [known.email, known.name]);
  const passwordHash = await hashPassword(password);
  return inTransaction(ctx.db, async (tx) => {
    await take(ctx, tx, { kind: 'reset', token });
    const account = await lockAccount(tx, known.id);
    if (!account) throw new Refusal('link_invalid');
    await proveEmail(ctx, tx, account);
    await updateAccount(tx, { id: account.id, passwordHash, setupOpen: false });
    await deleteSessions(tx, { accountId: account.id, keptId: null });
    await deleteTokens(tx, { accountId: account.id, kinds: ['link'] });
    await endOldLinks(tx, { accountId: account.id, emailNormal: account.emailNormal });
    await noteAccount(ctx, tx, { accountId: account.id, operation: 'resetPassword', visitor });
    const params = { operation: 'resetPassword', ipAddress: visitor.ipAddress };
    await queueAccountMail(ctx, tx, { kind: 'changed', to: account.emailNormal, params });
    return account.id;
  });
}

/**
 * With a password all that somebody asked for with the one before is worth nothing: what sets another, and what gives the
 * account another address, by which they could set one.
 */
export async function endOldLinks(
  tx: Tx,
  { accountId, emailNormal }: { accountId: string; emailNormal: string },
): Promise<void> {
  await deleteTokens(tx, { accountId, kinds: ['reset', 'pending', 'email'] });
  await dropWaitingLinks(tx, { accountId, recipient: emailNormal });
}

/** A letter to the new address; the old one stays until its link is opened. */
export async function askForEmail(
  ctx: AccountContext,
  { session, email }: { session: StandingSession; email: string },
): Promise<void> {
  const address = parseEmail(email);
  if (!address) throw invalidField('email', 'is not an e-mail address');
  const { accountId, language } = session;
  const params = { accountId, language, email: address.address };
  await queueAccountMail(ctx, ctx.db, { kind: 'email_change', to: address.normal, params });
}

/** Throws link_invalid and email_taken. */
export async function confirmEmail(
  ctx: AccountContext,
  { token, visitor }: { token: string; visitor: Visitor },
): Promise<string> {
  return inTransaction(ctx.db, async (tx) => {
    const taken = await take(ctx, tx, { kind: 'email', token });
    const account = taken.accountId ? await lockAccount(tx, taken.accountId) : undefined;
    const address = parseEmail(String(taken.params.email ?? ''));
    if (!account || account.disabledAt !== null || !address) throw new Refusal('link_invalid');
    const names = { email: address.address, emailNormal: address.normal };
    await updateAccount(tx, { id: account.id, ...names, emailProvedAt: ctx.nowMs });
    await deleteTokens(tx, { accountId: account.id, kinds: ['link', 'reset', 'email'] });
    await noteAccount(ctx, tx, { accountId: account.id, operation: 'changeEmail', visitor });
    const params = { operation: 'changeEmail', ipAddress: visitor.ipAddress };
    await queueAccountMail(ctx, tx, { kind: 'changed', to: account.emailNormal, params });
    return account.id;
  }).catch((error: unknown) => {
    if (violatedKey(error) === 'accounts_email') throw new Refusal('email_taken', { cause: error });
    throw error;
  });
}

/**
 * Somebody has shown to read the mailbox. Of an account that was made by a link which was shown on a screen, whoever
 * made it need not be that somebody: what they set up to get in again is taken away.
 */
export async function proveEmail(
  ctx: Pick<AccountContext, 'ids' | 'nowMs'>,
  tx: Tx,
  account: AccountRow,
): Promise<void> {
  const { id, confinedWorkspaceId, emailProvedAt } = account;
  if (confinedWorkspaceId !== null) {
    await deleteFactors(tx, id);
    await deleteSessions(tx, { accountId: id, keptId: null });
    await deleteTokens(tx, { accountId: id, kinds: ['pending', 'passkey', 'email'] });
    await updateAccount(tx, { id, passwordHash: null, confinedWorkspaceId: null });
  }
  if (emailProvedAt !== null && confinedWorkspaceId === null) return;
  await updateAccount(tx, { id, emailProvedAt: ctx.nowMs });
  await noteAccount(ctx, tx, { accountId: id, operation: 'proveEmail', visitor: null });
}

/** Of two who show it at once one gets it. */
export async function take(
  { nowMs }: Pick<AccountContext, 'nowMs'>,
  tx: Tx,
  { kind, token }: { kind: TokenKind; token: string },
) {
  const taken = await takeToken(tx, { kind, tokenHash: hashToken(token), nowMs });
  if (!taken) throw new Refusal('link_invalid');
  return taken;
}
