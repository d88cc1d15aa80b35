/**
 * Sends what the description allows and what it does not, over every operation: nothing may be answered that
 * the description does not say, and nothing may reach another store. `FUZZ_REQUESTS` makes the run longer
 * and `FUZZ_SEED` repeats one.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Scope } from '../../src/db/scope.ts';
import { expectInvariants } from '../support/expect-invariants.ts';
import { createTestApp, type TestApp } from '../support/harness.ts';
import { type Case, casesOf } from './cases.ts';
import { listOperations, type Operation } from './operations.ts';
import { createPool, fill, fillHeld, type Pool } from './pool.ts';
import { createSender, type Pools } from './send.ts';

const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 10_000);
/** One that found sums of the ledger beyond the bound of an amount. Others by hand, so that a run says the same twice. */
const SEED = Number(process.env.FUZZ_SEED ?? 2_105_527_700);
/** Requests in flight at once. */
const LANES = 8;
const SHOWN_MAX = 20;
/** Objects end their lives under fire: after so many requests there are new ones. */
const REFILL_EVERY = 1_000;
/** What was right nowhere is sent again by itself: which of two comes first in a lane is nobody's to say. */
const ROUNDS = 3;
const REFILL_ALONE_EVERY = 10;
/** They empty the store or lead years ahead: both have tests of their own. */
const LEFT_OUT = new Set(['resetTestClock', 'advanceTestClock']);

let app: TestApp;
let pools: Pools;
beforeAll(async () => {
  app = await createTestApp({ EGRESS_ALLOW_CIDRS: '127.0.0.0/8' });
  pools = { own: createPool(), other: createPool(), live: createPool() };
  await fill(app.test, pools.own);
  await fillHeld(app, pools.own);
  await fill(app.other, pools.other);
  await fill(app.live, pools.live);
});
afterAll(() => app.close());

/** Everything that a store holds, as sums over its tables. */
async function sumUp({ workspaceId, testMode }: Scope): Promise<string[]> {
  const { rows: tables } = await app.service.pool.query<{ name: string }>(
    `select table_name as name from information_schema.columns c
      join information_schema.tables t using (table_schema, table_name)
      where table_schema = 'public' and table_type = 'BASE TABLE' and column_name in ('workspace_id', 'test_mode')
      group by table_name having count(*) = 2 order by 1`,
  );
  const sums: string[] = [];
  for (const { name } of tables) {
    const { rows } = await app.service.pool.query(
      `select count(*) as n, md5(string_agg(t::text, '|' order by t::text)) as sum from ${name} t
        where workspace_id = $1 and test_mode = $2`,
      [workspaceId, testMode],
    );
    sums.push(`${name} ${rows[0].n} ${rows[0].sum}`);
  }
  return sums;
}

/** Right only with values that belong together, such as an object and its id, which chance does not bring. */
const NEEDS_PAIRS = new Set([
  // Needs the hash of a plan, and an import that is committed.
  'createImport',
  'commitImport',
  'activateImport',
  'getInvoice',
  'getDispute',
  'listReportRows',
  'getReportTimeseries',
  'getCheckoutReport',
  'createNote',
  'resetItemDownloads',
  'receivePayment',
  'resumeSubscription',
  'createPortalSession',
  'revokePortalSession',
  'deleteNote',
  'updateView',
  'deleteView',
]);

/** Right only where an account of a processor answers; here none does. */
const NEEDS_PROCESSOR = new Set([
  'rotateProcessorCredentials',
  'rotateProcessorWebhook',
  'checkProcessor',
  'reconcileProcessor',
]);

interface Shot {
  operation: Operation;
  one: Case;
}

/** The same requests in the same order for one seed; those of one operation are spread over the run. */
function plan(operations: readonly Operation[], { each, seed }: { each: number; seed: number }): Shot[] {
  const shots = operations.flatMap((operation, n) =>
    fc
      .sample(casesOf(operation), { seed: seed + n, numRuns: each })
      .map((one, i) => ({ operation, one, at: i })),
  );
  return shots.sort((a, b) => a.at - b.at);
}

async function fire(shots: readonly Shot[], { pool, refillEvery }: { pool: Pool; refillEvery: number }) {
  const sendOne = createSender(app, pools);
  const problems: string[] = [];
  const byStatus = new Map<string, number>();
  let next = 0;
  await Promise.all(
    Array.from({ length: LANES }, async () => {
      for (let shot = shots[next]; shot; shot = shots[next]) {
        const n = next++;
        if (n % refillEvery === refillEvery - 1) {
          await fill(app.test, pool);
          await fillHeld(app, pool);
        }
        const { status, problem } = await sendOne(shot.operation, shot.one);
        if (problem !== null) problems.push(`${shot.operation.id}: ${problem}`);
        for (const key of [String(status), `${shot.operation.id} ${status}`])
          byStatus.set(key, (byStatus.get(key) ?? 0) + 1);
      }
    }),
  );
  return { problems, byStatus };
}

/** Operations that were right in no request. */
function listNever(operations: readonly Operation[], byStatus: ReadonlyMap<string, number>): Operation[] {
  return operations.filter(
    ({ id }) => !byStatus.has(`${id} 200`) && !NEEDS_PAIRS.has(id) && !NEEDS_PROCESSOR.has(id),
  );
}

it('answers every request as the description says, and none reaches another store', {
  timeout: 180_000 + REQUESTS * 60,
}, async () => {
  const before = [await sumUp(app.other.scope), await sumUp(app.live.scope)];
  const operations = listOperations(app).filter(({ id }) => !LEFT_OUT.has(id));
  const each = Math.ceil(REQUESTS / operations.length);
  const { problems, byStatus } = await fire(plan(operations, { each, seed: SEED }), {
    pool: pools.own,
    refillEvery: REFILL_EVERY,
  });
  let never = listNever(operations, byStatus);
  for (let round = 1; round <= ROUNDS && never.length > 0; round += 1) {
    const again = await fire(plan(never, { each, seed: SEED + round }), {
      pool: pools.own,
      refillEvery: REFILL_ALONE_EVERY,
    });
    problems.push(...again.problems);
    never = listNever(never, again.byStatus);
  }
  const counts = [...byStatus].filter(([key]) => /^\d+$/.test(key)).sort();
  console.info(`seed ${SEED}: ${counts.map(([status, n]) => `${n} × ${status}`).join(', ')}`);
  expect(problems.slice(0, SHOWN_MAX), `${problems.length} of seed ${SEED}`).toEqual([]);
  expect([await sumUp(app.other.scope), await sumUp(app.live.scope)]).toEqual(before);
  // A run that is refused everywhere would prove little.
  expect(never.map(({ id }) => id)).toEqual([]);
  await expectInvariants(app);
});
