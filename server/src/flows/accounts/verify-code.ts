/** Codes of an authenticator, and those that were written down for when it is lost. */
import { randomBytes } from 'node:crypto';
import { assert } from '../../domain/assert.ts';
import { Refusal } from '../../domain/errors.ts';
import {
  findTotp,
  takeRecoveryCode,
  takeTotpStep,
} from '../../resources/accounts/account-factors.queries.ts';
import type { AccountRow } from '../../resources/accounts/accounts.queries.ts';
import { hashToken } from '../../resources/accounts/tokens.ts';
import { queueAccountMail } from './queue-account-mail.ts';
import { type AccountContext, noteAccount, type Visitor } from './visitor.ts';

/** A step before and after, for clocks that are off. */
const TOLERANCE_S = 30;

const toPlace = (accountId: string) => ['account', accountId, 'totp'];

/** Throws secrets_key_missing. */
export function sealTotpSecret({ sealing }: AccountContext, accountId: string, secret: string): string {
  const sealed = sealing.seal(secret, toPlace(accountId));
  if (sealed === null) throw new Refusal('secrets_key_missing');
  return sealed;
}

/** Uses the code's step up. Throws unavailable. With `isFirst` the secret is one that waits for it. */
export async function takeTotpCode(
  ctx: AccountContext,
  { accountId, code, isFirst = false }: { accountId: string; code: string; isFirst?: boolean },
): Promise<boolean> {
  const totp = await findTotp(ctx.db, accountId);
  if (!totp || (totp.confirmedAt === null) !== isFirst) return false;
  // Another process has been told of a newer key: the code may be right.
  if (ctx.sealing.isForeign(totp.secret)) throw new Refusal('unavailable');
  const secret = ctx.sealing.open(totp.secret, toPlace(accountId));
  if (secret === null) {
    ctx.log.error({ accountId }, 'no key opens the secret of a second factor');
    return false;
  }
  const token = code.replace(/\s/g, '');
  if (!/^\d{6}$/.test(token)) return false;
  const { verify } = await import('otplib');
  const epoch = Math.floor(ctx.nowMs / 1000);
  const result = await verify({ secret, token, epoch, epochTolerance: TOLERANCE_S });
  if (!result.valid) return false;
  assert('timeStep' in result && typeof result.timeStep === 'number', 'a code that fits names its step');
  const confirmedAt = isFirst ? { confirmedAt: ctx.nowMs } : {};
  return takeTotpStep(ctx.db, { accountId, step: result.timeStep, ...confirmedAt });
}

/** Uses one up and tells the account's owner. */
export async function useRecoveryCode(
  ctx: AccountContext,
  { account, code, visitor }: { account: AccountRow; code: string; visitor: Visitor },
): Promise<boolean> {
  const { id: accountId } = account;
  const taken = { accountId, codeHash: hashRecoveryCode(accountId, code), usedAt: ctx.nowMs };
  if (!(await takeRecoveryCode(ctx.db, taken))) return false;
  await noteAccount(ctx, ctx.db, { accountId, operation: 'useRecoveryCode', visitor });
  const params = { ipAddress: visitor.ipAddress };
  await queueAccountMail(ctx, ctx.db, { kind: 'recovery_code_used', to: account.emailNormal, params });
  return true;
}

const CODES = 10;
const CODE_LENGTH = 16;
/** Without letters that are mistaken for digits. */
const LETTERS = 'abcdefghijkmnpqrstuvwxyz23456789';

/** 80 bits each, so that one round of SHA-256 is enough to keep them. */
export function makeRecoveryCodes(): string[] {
  return Array.from({ length: CODES }, () => {
    const letters = [...randomBytes(CODE_LENGTH)].map((byte) => LETTERS[byte % LETTERS.length]).join('');
    return letters.replace(/(.{4})(?=.)/g, '$1-');
  });
}

export function hashRecoveryCode(accountId: string, code: string): string {
  return hashToken(`${accountId}\n${code.toLowerCase().replace(/[^a-z0-9]/g, '')}`);
}
