/**
 * Guesses at who somebody is, slowed down in the store by the e-mail that they are made for, known or not. A browser
 * that has signed in before is counted by itself, so that a stranger shuts nobody out.
 */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { Refusal } from '../../domain/errors.ts';
import {
  countAddressTry,
  countTry,
  deleteTries,
  findTryWaitMs,
  releaseTries,
} from '../../resources/accounts/account-throttles.queries.ts';
import { getInstallationSecret } from '../../resources/installation/installation.queries.ts';
import type { AccountContext, Visitor } from './visitor.ts';

/** So many failures are told to the account's owner. */
export const TOLD_FAILURES = 10;

/** A try under way: what it was counted for, and how many there were. */
export interface CountedTry {
  subject: string;
  address: string;
  failures: number;
  /** How many the address has made, at whomever. */
  ofAddress: number;
}

/** `device` is the word of a browser that has signed in as this very account before. Throws too_many_attempts. */
export async function beginTry(
  { db, nowMs }: Pick<AccountContext, 'db' | 'nowMs'>,
  { emailNormal, device, visitor }: { emailNormal: string; device: string | null; visitor: Visitor },
): Promise<CountedTry> {
  const subject = toSubject(device === null ? `email ${emailNormal}` : `device ${device}`);
  const address = toSubject(`address ${visitor.addressKey}`);
  const ofAddress = await countAddressTry(db, { subject: address, nowMs });
  const failures = ofAddress === null ? null : await countTry(db, { subject, nowMs });
  if (ofAddress === null || failures === null) {
    const waitMs = await findTryWaitMs(db, [subject, address], nowMs);
    if (ofAddress !== null) await releaseTries(db, { subjects: [address], nowMs });
    throw new Refusal('too_many_attempts', { retryAfterS: Math.max(1, Math.ceil(waitMs / 1000)) });
  }
  return { subject, address, failures, ofAddress };
}

/**
 * A letter that an address asks for, to whomever: each is a row until tomorrow, whether there is such an account or not.
 * Throws rate_limited.
 */
export async function countAsked(
  { db, nowMs }: Pick<AccountContext, 'db' | 'nowMs'>,
  { addressKey }: Pick<Visitor, 'addressKey'>,
): Promise<void> {
  const subject = toSubject(`letters ${addressKey}`);
  if ((await countAddressTry(db, { subject, nowMs })) !== null) return;
  const waitMs = await findTryWaitMs(db, [subject], nowMs);
  throw new Refusal('rate_limited', { retryAfterS: Math.max(1, Math.ceil(waitMs / 1000)) });
}

/** What was shown is right, and something more is asked for: no failure, and no end of those before either. */
export async function releaseTry(
  { db, nowMs }: Pick<AccountContext, 'db' | 'nowMs'>,
  { subject, address }: CountedTry,
): Promise<void> {
  await releaseTries(db, { subjects: [subject, address], nowMs });
}

/** A whole sign-in ends the count that it was counted in. */
export async function clearTries(
  { db, nowMs }: Pick<AccountContext, 'db' | 'nowMs'>,
  { subject, address }: CountedTry,
): Promise<void> {
  await deleteTries(db, subject);
  await releaseTries(db, { subjects: [address], nowMs });
}

const toSubject = (text: string) => createHash('sha256').update(text).digest('base64url');

const NONCE_BYTES = 16;

/** What a browser is given that has signed in: who it did as, so that it is worth nothing for others. */
export async function makeDeviceWord({ db }: Pick<AccountContext, 'db'>, accountId: string): Promise<string> {
  const nonce = randomBytes(NONCE_BYTES).toString('base64url');
  return `${nonce}.${await sign(db, nonce, accountId)}`;
}

/** The browser's own name, where its word is one of ours for this account. */
export async function readDevice(
  { db }: Pick<AccountContext, 'db'>,
  { word, accountId }: { word: string | null; accountId: string | null },
): Promise<string | null> {
  const [nonce = '', mac = ''] = (word ?? '').split('.');
  // Also where there is nothing to compare, so that the work is the same.
  const right = Buffer.from(await sign(db, nonce, accountId ?? ''));
  const given = Buffer.from(mac);
  const isRight = given.length === right.length && timingSafeEqual(given, right);
  return isRight && accountId !== null && nonce !== '' ? nonce : null;
}

async function sign(db: AccountContext['db'], nonce: string, accountId: string): Promise<string> {
  const secret = await getInstallationSecret(db, 'accounts');
  return createHmac('sha256', secret).update(`device\n${nonce}\n${accountId}`).digest('base64url');
}
