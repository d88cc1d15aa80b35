/** The way in by e-mail and password, up to the second factor where there is one. */
import { inTransaction } from '../../db/transaction.ts';
import { PENDING_MS } from '../../domain/accounts/session-life.ts';
import { toEmailNormal } from '../../domain/email.ts';
import { Refusal } from '../../domain/errors.ts';
import { insertToken } from '../../resources/accounts/account-tokens.queries.ts';
import {
  type AccountRow,
  type Factors,
  findAccount,
  findAccountByEmail,
  findFactors,
} from '../../resources/accounts/accounts.queries.ts';
import { generateToken, hashToken } from '../../resources/accounts/tokens.ts';
import {
  beginTry,
  type CountedTry,
  clearTries,
  makeDeviceWord,
  readDevice,
  releaseTry,
} from './count-tries.ts';
import { type Entering, type OpenedSession, openSession } from './open-session.ts';
import { CROWD_WAIT_S, isCrowded, verifyPassword } from './passwords.ts';
import { tellOfFailures } from './tell-of-failures.ts';
import type { AccountContext, Visitor } from './visitor.ts';

export interface SecondFactorMethods {
  methods: Array<'totp' | 'recovery_code' | 'passkey'>;
}

export type SignedIn =
  | { kind: 'session'; opened: OpenedSession; deviceWord: string; accountId: string }
  | { kind: 'second factor'; pendingToken: string; asked: SecondFactorMethods };

export interface PasswordSignIn {
  email: string;
  password: string;
  visitor: Visitor;
  deviceWord: string | null;
  before: Entering['before'];
}

/** Throws invalid_credentials and too_many_attempts. An e-mail without an account costs the same work. */
export async function signIn(ctx: AccountContext, input: PasswordSignIn): Promise<SignedIn> {
  const { visitor } = input;
  const emailNormal = toEmailNormal(input.email);
  const account = await findAccountByEmail(ctx.db, emailNormal);
  const accountId = account?.id ?? null;
  const device = await readDevice(ctx, { word: input.deviceWord, accountId });
  const counted = await beginTry(ctx, { emailNormal, device, visitor });
  // Guesses from everywhere at everybody: whoever has been in before goes on.
  if (device === null && isCrowded()) {
    await releaseTry(ctx, counted);
    throw new Refusal('too_many_attempts', { retryAfterS: CROWD_WAIT_S });
  }
  const kept =
    account && account.disabledAt === null && ctx.config.passwordSignIn ? account.passwordHash : null;
  if (!(await verifyPassword(kept, input.password)) || !account) {
    await tellOfFailures(ctx, { accountId, emailNormal, counted, visitor });
    throw new Refusal('invalid_credentials');
  }
  const method = 'password' as const;
  const proof = { method, isProof: true, visitor, before: input.before };
  return goOn(ctx, { account, counted, entering: proof });
}

export interface FirstFactor {
  account: AccountRow;
  /** Null where nothing was guessed: a link. */
  counted: CountedTry | null;
  entering: Omit<Entering, 'accountId' | 'isTwoFactor'>;
}

/** The first factor is right: the account is in, unless it has a second one. */
export async function goOn(
  ctx: AccountContext,
  { account, counted, entering }: FirstFactor,
): Promise<SignedIn> {
  const asked = toMethods(await findFactors(ctx.db, account.id));
  if (asked.methods.length > 0) {
    if (counted) await releaseTry(ctx, counted);
    const { method, isProof } = entering;
    const pendingToken = await openPending(ctx, { accountId: account.id, method, isProof });
    return { kind: 'second factor', pendingToken, asked };
  }
  return enter(ctx, { ...entering, accountId: account.id, isTwoFactor: false }, counted);
}

/** All that was asked for is shown. */
export async function enter(
  ctx: AccountContext,
  entering: Entering,
  counted: CountedTry | null,
): Promise<SignedIn & { kind: 'session' }> {
  const { accountId } = entering;
  const opened = await inTransaction(ctx.db, (tx) => openSession(ctx, tx, entering));
  if (counted) await clearTries(ctx, counted);
  return { kind: 'session', opened, accountId, deviceWord: await makeDeviceWord(ctx, accountId) };
}

export function toMethods({ totp, passkeys, recoveryCodes }: Factors): SecondFactorMethods {
  if (!totp && passkeys === 0) return { methods: [] };
  return {
    methods: [
      ...(totp ? (['totp'] as const) : []),
      ...(passkeys > 0 ? (['passkey'] as const) : []),
      ...(recoveryCodes > 0 ? (['recovery_code'] as const) : []),
    ],
  };
}

async function openPending(
  { db, ids, nowMs }: AccountContext,
  { accountId, ...params }: { accountId: string; method: string; isProof: boolean },
): Promise<string> {
  const token = generateToken();
  await insertToken(db, {
    id: ids.next(nowMs),
    kind: 'pending',
    accountId,
    tokenHash: hashToken(token),
    params,
    endsAt: nowMs + PENDING_MS,
    createdAt: nowMs,
  });
  return token;
}

/** A passkey stands for both factors. Throws invalid_credentials for a disabled account. */
export async function signInWithPasskey(
  ctx: AccountContext,
  { accountId, visitor, before }: Pick<Entering, 'accountId' | 'visitor' | 'before'>,
): Promise<SignedIn> {
  const account = await findAccount(ctx.db, accountId);
  if (!account || account.disabledAt !== null) throw new Refusal('invalid_credentials');
  const proof = { method: 'passkey' as const, isTwoFactor: true, isProof: true };
  return enter(ctx, { accountId, visitor, before, ...proof }, null);
}
