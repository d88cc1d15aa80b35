/** A release is rolled out over the one before: both over one store, under load, forth and partly back. */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../src/db/database.ts';
import { findBroken } from '../../src/main/operators/find-broken.ts';
import { jumpClock } from '../support/clock.ts';
import { buildRelease, type EarlierRelease } from '../support/earlier-release.ts';
import { sizeOf, tellFigures } from '../support/full-size.ts';
import { createReceiver, type Receiver } from '../support/receiver.ts';
import { openFaultStore } from './fault-store.ts';
import { type Member, openFleet } from './rolled-fleet.ts';
import { readCredentials } from './service-process.ts';
import { openShop, type Shop, startLoad } from './steady-load.ts';

const BEFORE = '0.1.0';
const RENEWALS = sizeOf(12, 500);
/** How often some more is sold before the next step. */
const PATIENCE = sizeOf(1, 60);
/** 50 requests a second. */
const PACE_MS = 20;
const HOUR_MS = 3_600_000;
const WITHIN_MS = sizeOf(300_000, 3 * HOUR_MS);
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const LIMITS = { maxConnections: 2, acquireTimeoutMs: 30_000, statementTimeoutMs: 60_000 };

const store = openFaultStore({ isEmpty: true });
const fleet = openFleet(store, {
  ...{ SEED_DEMO: 'false', DATABASE_CONNECTIONS_MAX: '6' },
  EGRESS_ALLOW_CIDRS: '127.0.0.1/32',
});
let before: EarlierRelease;
let receiver: Receiver;
let database: Database;
let shop: Shop;

beforeAll(async () => {
  [before, receiver] = await Promise.all([buildRelease(BEFORE), createReceiver()]);
  // The first one fills the store.
  await fleet.join('api', before.program);
  await Promise.all((['api', 'worker'] as const).map((role) => fleet.join(role, before.program)));
  const { databaseUrl, dataDir } = store();
  shop = openShop(await readCredentials(dataDir));
  database = openDatabase({ connectionString: databaseUrl, ...LIMITS });
}, 300_000);

afterAll(async () => {
  shop?.close();
  await fleet.close();
  await database?.close();
  await receiver?.close();
  await before?.remove();
});

async function count(of: string): Promise<number> {
  const { rows } = await database.pool.query<{ count: number }>(`select count(*)::int as count from ${of}`);
  return rows[0]?.count ?? 0;
}

const membersOf = (role: Member['role']) => fleet.members.filter((member) => member.role === role);

/** As a fleet does it: by the new release's command, beside those that sell. */
async function migrate(): Promise<string> {
  const { databaseUrl, dataDir } = store();
  const env = { ...process.env, DATABASE_URL: databaseUrl, DATA_DIR: dataDir, ENV_FILE: '' };
  const command = path.join(ROOT, 'server/dist/run/migrate-command.js');
  return (await promisify(execFile)(process.execPath, [command], { cwd: ROOT, env })).stdout;
}

/** Subscriptions that fall due while their workers are replaced. */
async function sellPasses(): Promise<{ fallDue: () => Promise<void> }> {
  const pass = await shop.makeOffer(fleet.portOf(0), 'Subscription');
  for (let index = 0; index < RENEWALS; index += 1) {
    expect((await shop.buy(fleet.portOf(index), pass, `pass${index}`)).status).toBe(200);
  }
  const { rows } = await database.pool.query<{ workspaceId: string; end: string }>(
    'select workspace_id as "workspaceId", max(current_interval_end)::text as end from subscriptions group by 1',
  );
  const scope = { workspaceId: rows[0]?.workspaceId ?? '', testMode: true };
  return { fallDue: () => jumpClock(database.db, scope, Number(rows[0]?.end) + HOUR_MS) };
}

it('X36 O37 of two releases over one store nothing is lost, doubled or refused, there and partly back', {
  timeout: WITHIN_MS,
}, async () => {
  const hook = { url: `${receiver.url}/rolled`, events: ['payment_success'] };
  expect((await shop.ask(fleet.portOf(0), 'POST', '/v0/webhooks/create', { body: hook })).status).toBe(200);
  const { fallDue } = await sellPasses();
  const offerId = await shop.makeOffer(fleet.portOf(1), 'Game');
  const load = startLoad(shop, { offerId, paceMs: PACE_MS, listPorts: fleet.listPorts });
  const sellOn = async () => {
    for (let turn = 0; turn < PATIENCE; turn += 1) await load.more();
  };

  await sellOn();
  expect(await migrate()).toMatch(/^Migrated: [1-9]/);
  await fallDue();
  // The worker first, then those that answer; between them each release sells on the newer schema.
  for (const member of [...membersOf('worker'), ...membersOf('api')]) {
    await fleet.replace(member);
    await sellOn();
  }
  // A bad release: code goes back, the schema stays.
  await fleet.replace(membersOf('api')[0] as Member, before.program);
  await sellOn();

  const { told, paid } = await load.end();
  expect(told.failures).toEqual([]);
  const renewed = `payments where type = 'subscription_interval' and status = 'PAID'`;
  await expect.poll(() => count(renewed), { interval: 50 }).toBe(RENEWALS);
  await expect.poll(() => count(`orders where status = 'PAID'`), { interval: 50 }).toBe(paid + RENEWALS);
  expect(await count('orders')).toBe(paid + RENEWALS);
  const events = paid + 2 * RENEWALS;
  const ids = () => new Set(receiver.requests.map(({ headers }) => headers['webhook-id'])).size;
  await expect.poll(ids, { interval: 50 }).toBe(events);
  expect(receiver.requests.length).toBe(events);
  expect(await findBroken(database.db, ['127.0.0.1/32'])).toEqual([]);
  tellFigures('X36', {
    answered: told.answered,
    refused: told.refused,
    cameBack: shop.countComebacks(),
    paid,
    renewals: RENEWALS,
  });
});
