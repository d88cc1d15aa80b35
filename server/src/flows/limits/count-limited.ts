/**
 * Limits that hold across processes: a counter in the store for each thing that is limited and each session, address
 * or mailbox that it is counted for. One write per counted thing, none per request.
 */
import { createHash } from 'node:crypto';
import type { Context } from '../../context.ts';
import type { Db } from '../../db/database.ts';
import type { Scope } from '../../db/scope.ts';
import { type ErrorCode, Refusal } from '../../domain/errors.ts';
import { LIMITS, type LimitKind } from '../../domain/limits.ts';
import { type Counter, countOnce, findWaitMs, uncountOnce } from '../../resources/limits/limits.queries.ts';

/**
 * What is counted and for whom: a session's id, an address as `toAddressKey` writes it, an e-mail in lower case. Leave
 * out what is not known.
 */
export interface Limited {
  limit: LimitKind;
  of: string;
}

/** What tells whether a mode is limited at all. */
export type LimitContext = Pick<Context, 'config'>;

/** Whether the store's mode is limited at all: RATE_LIMIT_LIVE and RATE_LIMIT_TEST of 0 switch the limits off. */
export function isLimited({ config }: LimitContext, { testMode }: Scope): boolean {
  return (testMode ? config.rateLimitTest : config.rateLimitLive) > 0;
}

/**
 * Counts what has happened: a decline, an unknown code, a mail. Answers whether every counter had room for it; a
 * counter that is full stays as it is. Give it the transaction of the thing that is counted, where there is one.
 */
export async function countLimited(
  ctx: LimitContext,
  scope: Scope,
  { db, limited }: { db: Db; limited: readonly Limited[] },
): Promise<boolean> {
  if (limited.length === 0 || !isLimited(ctx, scope)) return true;
  return (await countOnce(db, toCounters(scope, limited))) === limited.length;
}

interface Asking {
  db: Db;
  limited: readonly Limited[];
  /** What is refused with; missing = rate_limited. */
  code?: ErrorCode;
}

/** Asks before something is done that may have to be counted. Throws with the time to wait. */
export async function refuseSpent(
  ctx: LimitContext,
  scope: Scope,
  { code, ...asked }: Asking,
): Promise<void> {
  const waitMs = await findLimitedWaitMs(ctx, scope, asked);
  if (waitMs > 0) throw toTooMany(waitMs, code);
}

/** How long until all of it may be counted once more, in ms; 0 = now. */
export async function findLimitedWaitMs(
  ctx: LimitContext,
  scope: Scope,
  { db, limited }: Omit<Asking, 'code'>,
): Promise<number> {
  if (limited.length === 0 || !isLimited(ctx, scope)) return 0;
  return findWaitMs(db, toCounters(scope, limited));
}

/** Counts a thing that is about to be done. Throws where that would be one too many. */
export async function takeLimited(ctx: LimitContext, scope: Scope, taking: Asking): Promise<void> {
  if (await countLimited(ctx, scope, taking)) return;
  throw toTooMany(await findWaitMs(taking.db, toCounters(scope, taking.limited)), taking.code);
}

/**
 * The same where the limit is never switched off: guesses at what lets somebody in. In no transaction that the guess
 * could roll back.
 */
export async function takeAlways(scope: Scope, { db, limited, code }: Asking): Promise<void> {
  const counters = toCounters(scope, limited);
  if ((await countOnce(db, counters)) === limited.length) return;
  throw toTooMany(await findWaitMs(db, counters), code);
}

/** What was counted before it was done was no such thing: a guess that was right. */
export async function giveBack(scope: Scope, { db, limited }: Omit<Asking, 'code'>): Promise<void> {
  await uncountOnce(db, toCounters(scope, limited));
}

/** A 429 with the time to wait. */
export function toTooMany(waitMs: number, code: ErrorCode = 'rate_limited'): Refusal {
  return new Refusal(code, { retryAfterS: Math.max(1, Math.ceil(waitMs / 1000)) });
}

/** The rows that are asked, in the order of what is limited. */
export function toCounters(scope: Scope, limited: readonly Limited[]): Counter[] {
  return limited.map(({ limit, of }) => ({ kind: limit, subject: toSubject(scope, of), ...LIMITS[limit] }));
}

/** Two stores count apart, and the table tells nobody who was counted. */
export function toSubject({ workspaceId, testMode }: Scope, of: string): string {
  return createHash('sha256').update(`${workspaceId} ${testMode} ${of}`).digest('base64url');
}
