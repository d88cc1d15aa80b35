/** What somebody shows beside, or after, the password: a code, a recovery code, a passkey. */
import { inTransaction } from '../../db/transaction.ts';
import { PENDING_TRIES_MAX, type SignInMethod } from '../../domain/accounts/session-life.ts';
import { assert } from '../../domain/assert.ts';
import { Refusal } from '../../domain/errors.ts';
import { type StandingSession, updateSession } from '../../resources/accounts/account-sessions.queries.ts';
import { countTokenTry, takeToken } from '../../resources/accounts/account-tokens.queries.ts';
import { type AccountRow, findAccount } from '../../resources/accounts/accounts.queries.ts';
import { hashToken } from '../../resources/accounts/tokens.ts';
import { beginTry, clearTries, readDevice } from './count-tries.ts';
import type { Entering } from './open-session.ts';
import { verifyPassword } from './passwords.ts';
import { renewSession } from './renew-session.ts';
import { enter, type SignedIn } from './sign-in.ts';
import { tellOfFailures } from './tell-of-failures.ts';
import { takeTotpCode, useRecoveryCode } from './verify-code.ts';
import { verifyPasskey } from './verify-passkey.ts';
import { type AccountContext, noteAccount, type Visitor } from './visitor.ts';

export type Shown =
  | { method: 'password'; password: string }
  | { method: 'totp' | 'recovery_code'; code: string }
  | { method: 'passkey'; assertion: unknown };

interface Showing {
  shown: Shown;
  visitor: Visitor;
  deviceWord: string | null;
}

/** The second step of a sign-in. Throws sign_in_expired, invalid_code and too_many_attempts. */
export async function showSecondFactor(
  ctx: AccountContext,
  { pendingToken, before, ...showing }: Showing & { pendingToken: string | null; before: Entering['before'] },
): Promise<SignedIn> {
  const shownToken = { kind: 'pending' as const, tokenHash: hashToken(pendingToken ?? ''), nowMs: ctx.nowMs };
  const pending = await countTokenTry(ctx.db, shownToken, PENDING_TRIES_MAX);
  const account = pending?.accountId ? await findAccount(ctx.db, pending.accountId) : undefined;
  if (!pending || !account || account.disabledAt !== null) throw new Refusal('sign_in_expired');
  const counted = await checkShown(ctx, account, showing);
  // Of two that show the same at once one is in.
  const taken = await inTransaction(ctx.db, (tx) => takeToken(tx, shownToken));
  if (!taken) throw new Refusal('sign_in_expired');
  const { method, isProof } = pending.params as { method: SignInMethod; isProof: boolean };
  const { shown, visitor } = showing;
  const entering = { accountId: account.id, method, visitor, before, isTwoFactor: true };
  return enter(ctx, { ...entering, isProof: isProof || shown.method !== 'recovery_code' }, counted);
}

/** Somebody who is signed in shows once more who they are; answers the session's new token. */
export async function reauthenticate(
  ctx: AccountContext,
  { session, ...showing }: Showing & { session: StandingSession },
): Promise<string> {
  const account = await findAccount(ctx.db, session.accountId);
  assert(account, 'a living session has its account');
  const counted = await checkShown(ctx, account, showing);
  await clearTries(ctx, counted);
  const { shown, visitor } = showing;
  return inTransaction(ctx.db, async (tx) => {
    const details = { method: shown.method };
    await noteAccount(ctx, tx, { accountId: account.id, operation: 'reauthenticate', visitor, details });
    const isTwoFactor = session.isTwoFactor || shown.method === 'passkey';
    return renewSession(ctx, tx, { session, isProof: true, isTwoFactor, endsOthers: false });
  });
}

/** Gives freshness up: whoever sits down at this browser has to show who they are. */
export async function lockSession(
  ctx: AccountContext,
  { session, visitor }: { session: StandingSession; visitor: Visitor },
): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    await updateSession(tx, { id: session.sessionId, provedAt: null });
    await noteAccount(ctx, tx, { accountId: session.accountId, operation: 'lock', visitor });
  });
}

/** Counted before it is looked at. Throws invalid_code, invalid_credentials and too_many_attempts. */
async function checkShown(ctx: AccountContext, account: AccountRow, { shown, visitor, deviceWord }: Showing) {
  const { id: accountId, emailNormal } = account;
  const device = await readDevice(ctx, { word: deviceWord, accountId });
  const counted = await beginTry(ctx, { emailNormal, device, visitor });
  if (await isRight(ctx, account, { shown, visitor })) return counted;
  const isPassword = shown.method === 'password';
  await tellOfFailures(ctx, {
    ...{ accountId, emailNormal, counted, visitor },
    guessed: isPassword ? 'password' : 'code',
  });
  throw new Refusal(isPassword ? 'invalid_credentials' : 'invalid_code');
}

async function isRight(
  ctx: AccountContext,
  account: AccountRow,
  { shown, visitor }: { shown: Shown; visitor: Visitor },
): Promise<boolean> {
  switch (shown.method) {
    case 'password':
      return verifyPassword(ctx.config.passwordSignIn ? account.passwordHash : null, shown.password);
    case 'totp':
      return takeTotpCode(ctx, { accountId: account.id, code: shown.code });
    case 'recovery_code':
      return useRecoveryCode(ctx, { account, code: shown.code, visitor });
    case 'passkey':
      return (await verifyPasskey(ctx, shown.assertion))?.accountId === account.id;
  }
}
