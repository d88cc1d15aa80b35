/** What an account changes of itself: name, password, codes. */
import type { Tx } from '../../db/database.ts';
import { inTransaction } from '../../db/transaction.ts';
import { toEmailNormal } from '../../domain/email.ts';
import { Refusal } from '../../domain/errors.ts';
import {
  beginTotp,
  deletePasskey,
  deleteTotp,
  replaceRecoveryCodes,
} from '../../resources/accounts/account-factors.queries.ts';
import type { StandingSession } from '../../resources/accounts/account-sessions.queries.ts';
import { closeSetup, findFactors, updateAccount } from '../../resources/accounts/accounts.queries.ts';
import { checkNewPassword } from './check-new-password.ts';
import { endOldLinks } from './links.ts';
import { hashPassword } from './passwords.ts';
import { queueAccountMail } from './queue-account-mail.ts';
import { renewSession } from './renew-session.ts';
import { hashRecoveryCode, makeRecoveryCodes, sealTotpSecret, takeTotpCode } from './verify-code.ts';
import { type AccountContext, type Noted, noteAccount, type Visitor } from './visitor.ts';

export interface OwnChange {
  session: StandingSession;
  visitor: Visitor;
}

export async function editAccount(
  ctx: AccountContext,
  { session, visitor, ...changes }: OwnChange & { name?: string; language?: string },
): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    if (Object.keys(changes).length > 0) await updateAccount(tx, { id: session.accountId, ...changes });
    await noteAccount(ctx, tx, { accountId: session.accountId, operation: 'updateAccount', visitor });
  });
}

/** Ends all other sessions and every link that was asked for before; answers the session's new token. */
export async function changePassword(
  ctx: AccountContext,
  { session, visitor, password }: OwnChange & { password: string },
): Promise<string> {
  await checkNewPassword(password, [session.email, session.name]);
  const passwordHash = await hashPassword(password);
  return inTransaction(ctx.db, async (tx) => {
    await updateAccount(tx, { id: session.accountId, passwordHash, setupOpen: false });
    await endOldLinks(tx, { accountId: session.accountId, emailNormal: toEmailNormal(session.email) });
    return afterChange(ctx, tx, { session, visitor, operation: 'changePassword' });
  });
}

export interface TotpToEnrol {
  /** Base32, for whoever cannot take a picture. */
  secret: string;
  uri: string;
}

/** A secret that counts once its first code was shown. Throws secrets_key_missing and second_factor_set. */
export async function beginTotpEnrolment(
  ctx: AccountContext,
  session: StandingSession,
): Promise<TotpToEnrol> {
  const { generateSecret, generateURI } = await import('otplib');
  const secret = generateSecret();
  const { accountId } = session;
  const sealed = sealTotpSecret(ctx, accountId, secret);
  const begun = { accountId, secret: sealed, createdAt: ctx.nowMs };
  if (!(await inTransaction(ctx.db, (tx) => beginTotp(tx, begun)))) throw new Refusal('second_factor_set');
  const issuer = `Counterfoil (${new URL(ctx.config.publicUrl).host})`;
  return { secret, uri: generateURI({ issuer, label: session.email, secret }) };
}

export interface NewCodes {
  token: string;
  /** Shown once; empty where those before go on. */
  recoveryCodes: string[];
}

/** Throws invalid_code. */
export async function confirmTotpEnrolment(
  ctx: AccountContext,
  { session, visitor, code }: OwnChange & { code: string },
): Promise<NewCodes> {
  const { accountId } = session;
  if (!(await takeTotpCode(ctx, { accountId, code, isFirst: true }))) throw new Refusal('invalid_code');
  return inTransaction(ctx.db, async (tx) => {
    const { recoveryCodes: left } = await findFactors(tx, accountId);
    const recoveryCodes = left > 0 ? [] : await writeRecoveryCodes(tx, accountId);
    await closeSetup(tx);
    const change = { session, visitor, operation: 'enrolTotp' as const };
    return { token: await afterChange(ctx, tx, { ...change, isTwoFactor: true }), recoveryCodes };
  });
}

/** Throws second_factor_missing. */
export async function removeTotp(ctx: AccountContext, { session, visitor }: OwnChange): Promise<string> {
  return inTransaction(ctx.db, async (tx) => {
    if (!(await deleteTotp(tx, session.accountId))) throw new Refusal('second_factor_missing');
    await dropCodesOfNothing(tx, session.accountId);
    return afterChange(ctx, tx, { session, visitor, operation: 'removeTotp' });
  });
}

/** Throws second_factor_missing: they stand for a factor that is lost. */
export async function renewRecoveryCodes(
  ctx: AccountContext,
  { session, visitor }: OwnChange,
): Promise<NewCodes> {
  return inTransaction(ctx.db, async (tx) => {
    const { totp, passkeys } = await findFactors(tx, session.accountId);
    if (!totp && passkeys === 0) throw new Refusal('second_factor_missing');
    const recoveryCodes = await writeRecoveryCodes(tx, session.accountId);
    const token = await afterChange(ctx, tx, { session, visitor, operation: 'makeRecoveryCodes' });
    return { token, recoveryCodes };
  });
}

/** Throws not_found. */
export async function removePasskey(
  ctx: AccountContext,
  { session, visitor, id }: OwnChange & { id: string },
): Promise<string> {
  return inTransaction(ctx.db, async (tx) => {
    if (!(await deletePasskey(tx, { accountId: session.accountId, id }))) throw new Refusal('not_found');
    await dropCodesOfNothing(tx, session.accountId);
    return afterChange(ctx, tx, { session, visitor, operation: 'removePasskey' });
  });
}

async function dropCodesOfNothing(tx: Tx, accountId: string): Promise<void> {
  const { totp, passkeys } = await findFactors(tx, accountId);
  if (!totp && passkeys === 0) await replaceRecoveryCodes(tx, { accountId, hashes: [] });
}

async function writeRecoveryCodes(tx: Tx, accountId: string): Promise<string[]> {
  const codes = makeRecoveryCodes();
  await replaceRecoveryCodes(tx, {
    accountId,
    hashes: codes.map((code) => hashRecoveryCode(accountId, code)),
  });
  return codes;
}

/** What proves the account has changed: others' sessions end, its owner is told, and this one gets a new token. */
export async function afterChange(
  ctx: AccountContext,
  tx: Tx,
  {
    session,
    visitor,
    operation,
    isTwoFactor,
  }: OwnChange & { operation: Noted['operation']; isTwoFactor?: boolean },
): Promise<string> {
  await noteAccount(ctx, tx, { accountId: session.accountId, operation, visitor });
  const params = { operation, ipAddress: visitor.ipAddress };
  await queueAccountMail(ctx, tx, { kind: 'changed', to: toEmailNormal(session.email), params });
  const how = isTwoFactor === undefined ? {} : { isTwoFactor };
  return renewSession(ctx, tx, { session, isProof: false, endsOthers: true, ...how });
}
