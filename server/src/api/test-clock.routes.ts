/** The clock of the test store: a subscription's year in a second. */
import type { Context } from '../context.ts';
import type { Db } from '../db/database.ts';
import type { Scope } from '../db/scope.ts';
import { inTransaction } from '../db/transaction.ts';
import { invalidField, Refusal } from '../domain/errors.ts';
import { addStep, type ClockStep, lastReachableMs } from '../domain/test-clock.ts';
import { flow, type Route, read } from '../http/route.ts';
import { listUpcoming } from '../resources/due-work/store-work.queries.ts';
import {
  AdvanceClock,
  ResetClock,
  TestClockAnswer,
  toTestClock,
} from '../resources/test-clock/test-clock.schema.ts';
import { getClock } from '../resources/workspaces/workspaces.queries.ts';

/** So much of what falls due next is shown. */
const UPCOMING_MAX = 20;

const get = read({
  method: 'GET',
  path: '/v0/test-clock',
  operationId: 'getTestClock',
  tag: 'test-clock',
  summary: 'Get the test clock',
  description:
    'Test mode only. While an advance is under way, `advancingTo` says where it goes and `now` moves.',
  data: TestClockAnswer,
  errors: ['test_mode_only'],
  handler: async ({ ctx, db, scope }) => readClock(ctx, db, { scope, done: null }),
});

const advance = flow({
  method: 'POST',
  path: '/v0/test-clock/advance',
  operationId: 'advanceTestClock',
  tag: 'test-clock',
  summary: 'Move the test clock forward',
  description:
    'Test mode only. Give `to` or `by`, at most 5 years a call. Everything that falls due on the way is done in order, ' +
    'with the time of its own moment, before the call answers; meanwhile other writes are 409 `clock_advancing`.',
  body: AdvanceClock,
  data: TestClockAnswer,
  errors: ['test_mode_only', 'clock_advancing'],
  example: { by: { months: 1 } },
  handler: async ({ ctx, scope, body, claim }) => {
    checkTestMode(scope);
    if (claim.resumeId === null) {
      const toMs = toTargetMs(ctx.nowMs, body);
      await inTransaction(ctx.db, (tx) => claim.begin(tx, ctx.ids.next(toMs)));
      return readClock(ctx, ctx.db, { scope, done: await ctx.clock.advance(scope, toMs) });
    }
    // The request that began it died: the clock goes where that one was going, and no further.
    const done = await ctx.clock.advance(scope, Math.max(ctx.nowMs, toTimeOfId(claim.resumeId)));
    return readClock(ctx, ctx.db, { scope, done });
  },
});

const reset = flow({
  method: 'POST',
  path: '/v0/test-clock/reset',
  operationId: 'resetTestClock',
  needsFreshProof: true,
  tag: 'test-clock',
  summary: 'Empty the test store and set its clock to real time',
  description:
    'Test mode only. Deletes every object of the test store, the catalogue included; keys and settings stay.',
  body: ResetClock,
  data: TestClockAnswer,
  errors: ['test_mode_only', 'clock_advancing'],
  example: { confirm: true },
  handler: async ({ ctx, scope, body, claim }) => {
    checkTestMode(scope);
    if (!body.confirm) throw invalidField('confirm', 'must be true: the test store is emptied');
    await inTransaction(ctx.db, (tx) => claim.begin(tx, ctx.ids.next(ctx.nowMs)));
    await ctx.clock.reset(scope);
    return readClock(ctx, ctx.db, { scope, done: null });
  },
});

function checkTestMode(scope: Scope): void {
  if (!scope.testMode) throw new Refusal('test_mode_only');
}

async function readClock(
  ctx: Context,
  db: Db,
  { scope, done }: { scope: Scope; done: Record<string, number> | null },
) {
  checkTestMode(scope);
  const upcoming = await listUpcoming(db, scope, UPCOMING_MAX);
  return { testClock: toTestClock(ctx.realNowMs(), { ...(await getClock(db, scope)), upcoming, done }) };
}

function toTargetMs(nowMs: number, { to, by }: { to?: number; by?: ClockStep }): number {
  if ((to === undefined) === (by === undefined))
    throw invalidField('to', 'or `by` must be given, and not both');
  if (by && Object.keys(by).length === 0) throw invalidField('by', 'must name at least one unit');
  const toMs = to ?? addStep(nowMs, by ?? {});
  const field = to === undefined ? 'by' : 'to';
  if (toMs < nowMs) throw invalidField(field, 'must not lie in the past: the test clock only moves forward');
  if (toMs > lastReachableMs(nowMs)) throw invalidField(field, 'must be at most 5 years ahead');
  return toMs;
}

/** The moment in a UUIDv7. An advance makes no row: its key keeps the target as the time of an id. */
function toTimeOfId(id: string): number {
  return Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);
}

export const testClockRoutes: Route[] = [get, advance, reset];
