/** Two processes that answer and two that work, over one store: under load, and while each of them is replaced. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../src/db/database.ts';
import { findViolations } from '../../src/invariants/find-violations.ts';
import { jumpClock } from '../support/clock.ts';
import { sizeOf, tellFigures } from '../support/full-size.ts';
import { openFaultStore } from './fault-store.ts';
import { openFleet } from './rolled-fleet.ts';
import { readCredentials } from './service-process.ts';
import { openShop, type Shop, startLoad } from './steady-load.ts';

const PURCHASES = sizeOf(100, 1_000);
const RENEWALS = sizeOf(50, 500);
/** In each of which every process is replaced by another. */
const ROUNDS = sizeOf(1, 20);
const BUYERS_AT_ONCE = 8;
const PACE_MS = 10;
const HOUR_MS = 3_600_000;
const LIMITS = { maxConnections: 2, acquireTimeoutMs: 30_000, statementTimeoutMs: 60_000 };

const store = openFaultStore();

const fleet = openFleet(store, { SEED_DEMO: 'false', DATABASE_CONNECTIONS_MAX: '6' });
let database: Database;
let shop: Shop;
let offers: { pass: string; game: string };

beforeAll(async () => {
  // The first one fills the store.
  await fleet.join('api');
  await Promise.all((['api', 'worker', 'worker'] as const).map((role) => fleet.join(role)));
  const { databaseUrl, dataDir } = store();
  shop = openShop(await readCredentials(dataDir));
  database = openDatabase({ connectionString: databaseUrl, ...LIMITS });
  offers = {
    pass: await shop.makeOffer(fleet.portOf(0), 'Subscription'),
    game: await shop.makeOffer(fleet.portOf(1), 'Game'),
  };
}, 300_000);

afterAll(async () => {
  shop?.close();
  await fleet.close();
  await database?.close();
});

async function count(of: string): Promise<number> {
  const { rows } = await database.pool.query<{ count: number }>(`select count(*)::int as count from ${of}`);
  return rows[0]?.count ?? 0;
}

async function runAtOnce(total: number, work: (index: number) => Promise<void>): Promise<void> {
  const indexes = Array.from({ length: total }, (_, index) => index).values();
  const run = async () => {
    for (const index of indexes) await work(index);
  };
  await Promise.all(Array.from({ length: BUYERS_AT_ONCE }, run));
}

describe('two processes that answer and two that work', () => {
  it(`O01 sell ${PURCHASES} times and renew ${RENEWALS} subscriptions, each once, and all that must hold does`, async () => {
    const statuses = new Map<number, number>();
    await runAtOnce(PURCHASES, async (index) => {
      const { status } = await shop.buy(
        fleet.portOf(index),
        index < RENEWALS ? offers.pass : offers.game,
        `b${index}`,
      );
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    });
    expect([...statuses]).toEqual([[200, PURCHASES]]);
    const { rows } = await database.pool.query<{ workspaceId: string; end: string }>(
      `select workspace_id as "workspaceId", max(current_interval_end)::text as end from subscriptions group by 1`,
    );
    const scope = { workspaceId: rows[0]?.workspaceId ?? '', testMode: true };
    await jumpClock(database.db, scope, Number(rows[0]?.end) + HOUR_MS);
    const fromMs = performance.now();
    const renewed = `payments where type = 'subscription_interval' and status = 'PAID'`;
    await expect.poll(() => count(renewed), { interval: 50, timeout: 600_000 }).toBe(RENEWALS);
    const renewedWithinMs = Math.round(performance.now() - fromMs);
    expect(await count(`orders where status = 'PAID'`)).toBe(PURCHASES);
    expect(await count(`(select 1 from ${renewed} group by subscription_id having count(*) > 1) twice`)).toBe(
      0,
    );
    expect(await findViolations(database.db)).toEqual([]);
    tellFigures('O01', { purchases: PURCHASES, renewals: RENEWALS, renewedWithinMs });
  });

  it(`O02 are replaced one after the other, ${ROUNDS} times, at 100 requests a second: at worst a connection is refused`, async () => {
    const paidBefore = await count(`orders where status = 'PAID'`);
    const load = startLoad(shop, { offerId: offers.game, paceMs: PACE_MS, listPorts: fleet.listPorts });
    for (let round = 0; round < ROUNDS; round += 1) {
      // As a fleet is rolled: never both of a kind.
      for (const place of [0, 1]) {
        const pair = (['worker', 'api'] as const).map(
          (role) => fleet.members.filter((member) => member.role === role)[place],
        );
        await Promise.all(pair.map((member) => member && fleet.replace(member)));
        await load.more();
      }
    }
    const { told, paid } = await load.end();
    expect(told.failures).toEqual([]);
    expect(told.answered).toBeGreaterThan(0);
    // What is charged may be settled after its answer.
    await expect.poll(() => count(`orders where status = 'PAID'`), { interval: 50 }).toBe(paidBefore + paid);
    expect(await findViolations(database.db)).toEqual([]);
    tellFigures('O02', {
      rounds: ROUNDS,
      answered: told.answered,
      refused: told.refused,
      cameBack: shop.countComebacks(),
      paid,
    });
  });
});
