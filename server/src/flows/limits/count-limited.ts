/**
 * Limits that hold across processes: a counter in the store for each thing that is limited and each session, address
 * or mailbox that it is counted for. One write per counted thing, none per request.
 */
import { createHash } from 'node:crypto';
import type { Context } from '../../context.ts';
import type { Db } from '../../db/database.ts';
import type { Scope } from '../../db/scope.ts';
import { Refusal } from '../../domain/errors.ts';
import { LIMITS, type LimitKind } from '../../domain/limits.ts';
import { type Counter, countOnce, findWaitMs } from '../../resources/limits/limits.queries.ts';

/**
 * What is counted and for whom: a session's id, an address as `toAddressKey` writes it, an e-mail in lower case. Leave
 * out what is not known.
 */
export interface Limited {
  limit: LimitKind;
  of: string;
}

type LimitContext = Pick<Context, 'config'>;

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

/** Asks before something is done that may have to be counted. Throws rate_limited with the time to wait. */
export async function refuseSpent(
  ctx: LimitContext,
  scope: Scope,
  { db, limited, message }: { db: Db; limited: readonly Limited[]; message?: string },
): Promise<void> {
  if (limited.length === 0 || !isLimited(ctx, scope)) return;
  const waitMs = await findWaitMs(db, toCounters(scope, limited));
  if (waitMs > 0) throw toRefusal(waitMs, message);
}

/** Counts a thing that is about to be done. Throws rate_limited where that would be one too many. */
export async function takeLimited(
  ctx: LimitContext,
  scope: Scope,
  taking: { db: Db; limited: readonly Limited[]; message?: string },
): Promise<void> {
  if (await countLimited(ctx, scope, taking)) return;
  throw toRefusal(await findWaitMs(taking.db, toCounters(scope, taking.limited)), taking.message);
}

function toRefusal(waitMs: number, message: string | undefined): Refusal {
  const retryAfterS = Math.max(1, Math.ceil(waitMs / 1000));
  return new Refusal('rate_limited', { retryAfterS, ...(message ? { message } : {}) });
}

function toCounters(scope: Scope, limited: readonly Limited[]): Counter[] {
  return limited.map(({ limit, of }) => ({ kind: limit, subject: toSubject(scope, of), ...LIMITS[limit] }));
}

/** Two stores count apart, and the table tells nobody who was counted. */
function toSubject({ workspaceId, testMode }: Scope, of: string): string {
  return createHash('sha256').update(`${workspaceId} ${testMode} ${of}`).digest('base64url');
}
