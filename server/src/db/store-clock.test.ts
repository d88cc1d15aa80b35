import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestDatabase } from '../../test/support/database.ts';
import type { Database } from './database.ts';
import { createStoreClock } from './store-clock.ts';

const HOUR_MS = 3_600_000;

let database: Database;
beforeAll(async () => {
  database = await openTestDatabase({ maxConnections: 2 });
});
afterAll(() => database.close());

/** A machine whose clock the test sets, while its other one only goes forward. */
function createMachine(aheadMs: number) {
  const machine = {
    aheadMs,
    wallMs: () => Date.now() + machine.aheadMs,
    steadyMs: () => performance.now(),
  };
  return machine;
}

/** Within what a query on a busy machine may take. */
const isNear = (ms: number, expectedMs: number) => Math.abs(ms - expectedMs) < 2_000;

it('T15 tells by how much the machine is ahead of the store, and follows the store from then on', async () => {
  const clock = createStoreClock(database.pool, createMachine(HOUR_MS));
  expect(isNear(clock.nowMs(), Date.now() + HOUR_MS)).toBe(true);
  expect(isNear(await clock.sync(), HOUR_MS)).toBe(true);
  expect(isNear(clock.nowMs(), Date.now())).toBe(true);
});

it('T15 does not step with the machine, in neither direction', async () => {
  const machine = createMachine(0);
  const clock = createStoreClock(database.pool, machine);
  await clock.sync();
  for (const aheadMs of [-HOUR_MS, HOUR_MS]) {
    machine.aheadMs = aheadMs;
    expect(isNear(clock.nowMs(), Date.now())).toBe(true);
    await clock.sync();
    expect(isNear(clock.nowMs(), Date.now())).toBe(true);
  }
});

it('T15 asks the store again by itself once the machine’s clock was set', async () => {
  const machine = createMachine(0);
  let asked = 0;
  const query = ((text: string) => {
    asked += 1;
    return database.pool.query(text);
  }) as typeof database.pool.query;
  const clock = createStoreClock({ query } as typeof database.pool, machine);
  await clock.sync();
  clock.nowMs();
  expect(asked).toBe(1);
  machine.aheadMs = HOUR_MS;
  clock.nowMs();
  expect(asked).toBe(2);
});

it('P24 has no other time because it was halted, or had to wait, while it asked', async () => {
  const halted = { ms: 0 };
  const machine = { wallMs: () => Date.now() + halted.ms, steadyMs: () => performance.now() + halted.ms };
  const halts = { before: 0, after: 0 };
  const query = (async (text: string) => {
    halted.ms += halts.before;
    const { rows } = await database.pool.query<{ nowMs: number }>(text);
    const answer = { rows: rows.map(({ nowMs }) => ({ nowMs: nowMs + halted.ms })) };
    halted.ms += halts.after;
    return answer;
  }) as unknown as typeof database.pool.query;
  const clock = createStoreClock({ query } as typeof database.pool, machine);
  for (const [before, after] of [
    [HOUR_MS, 0],
    [0, HOUR_MS],
  ] as const) {
    Object.assign(halts, { before, after });
    expect(isNear(await clock.sync(), 0)).toBe(true);
    expect(isNear(clock.nowMs(), Date.now() + halted.ms)).toBe(true);
  }
});

it('P24 takes it for late as soon as either clock has it so, and for no longer than the store says otherwise', async () => {
  const machine = createMachine(0);
  const clock = createStoreClock(database.pool, machine);
  await clock.sync();
  machine.aheadMs = HOUR_MS;
  expect(isNear(clock.latestMs(), Date.now() + HOUR_MS)).toBe(true);
  await clock.sync();
  expect(isNear(clock.latestMs(), Date.now())).toBe(true);
  machine.aheadMs = 0;
  expect(isNear(clock.latestMs(), Date.now())).toBe(true);
});
