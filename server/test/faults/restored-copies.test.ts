import pino from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parseConfig } from '../../src/config.ts';
import type { Service } from '../../src/context.ts';
import type { Scope } from '../../src/db/scope.ts';
import { type Wired, wire } from '../../src/main/wire.ts';
import { PAYS_ONCE, VISA } from '../support/cards.ts';
import { DAY_MS } from '../support/clock.ts';
import { copyTestDatabase, type TestDatabase } from '../support/database.ts';
import { createTestApp, type TestApp } from '../support/harness.ts';
import { makePlanOffer } from '../support/make-catalogue.ts';
import { type Subscribed, subscribe } from '../support/subscribing.ts';

const HOUR_MS = 3_600_000;

/** A store that was copied, with a service of its own over the copy. */
interface Copy {
  database: TestDatabase;
  wired: Wired;
}

let app: TestApp;
let scope: Scope;
let subscriptions: Subscribed[];
let copies: Copy[] = [];

beforeAll(async () => {
  let url = '';
  const through = async (given: string) => {
    url = given;
    return given;
  };
  app = await createTestApp({}, undefined, { through });
  scope = app.test.scope;
  const planId = await makePlanOffer(app.test, { price: 900, recurringInterval: 'month' });
  subscriptions = [];
  for (const [index, card] of [VISA, PAYS_ONCE].entries()) {
    subscriptions.push(await subscribe(app, planId, { userEmail: `copied${index}@example.com`, card }));
  }
  await app.wired.close();
  copies = [await openCopy(url), await openCopy(url)];
});
afterAll(async () => {
  for (const { wired, database } of copies) {
    await wired.close();
    await database.drop();
  }
  await app.close();
});

async function openCopy(url: string): Promise<Copy> {
  const database = await copyTestDatabase({ url });
  const config = parseConfig({
    RATE_LIMIT_LIVE: '0',
    RATE_LIMIT_TEST: '0',
    PUBLIC_URL: 'http://localhost:3000',
  });
  const wired = await wire({
    config,
    store: database.poolConfig,
    log: pino({ level: 'silent' }),
    guardEscapes: true,
  });
  return { database, wired };
}

/** The clock stands at a moment although nothing was done on the way, as where no worker ran. */
async function jump({ pool, realNowMs }: Service, toMs: number): Promise<void> {
  const values = [toMs - realNowMs(), scope.workspaceId, scope.testMode];
  await pool.query(
    'update stores set clock_offset_ms = $1 where workspace_id = $2 and test_mode = $3',
    values,
  );
  await pool.query(
    'update due_work set due_real_ms = due_ms - $1 where workspace_id = $2 and test_mode = $3',
    values,
  );
}

/** What the month has brought: what others know it by. */
async function readMonth({ pool }: Service) {
  const read = async (text: string) => (await pool.query<Record<string, unknown>>(text)).rows;
  return {
    payments: await read(`select id, number, period_start, status from payments
      where type = 'subscription_interval' order by id`),
    charges: await read(`select c.id, c.status from charges c join payments p on p.id = c.payment_id
      where p.type = 'subscription_interval' order by c.id`),
    asked: await read(`select s.id, s.status, s.amount::text from sandbox_charges s
      join charges c on c.id = s.id join payments p on p.id = c.payment_id
      where p.type = 'subscription_interval' order by s.id`),
    events: await read(`select e.id, e.type, e.idempotency_key, e.body::json #>> '{id}' as told
      from events e join payments p on p.id = e.payment_id
      where p.type = 'subscription_interval' order by e.id`),
    mails: await read(`select m.id, m.kind from mails m join payments p on p.id = m.payment_id
      where p.type = 'subscription_interval' order by m.id`),
  };
}

it('O28 two copies of one store renew a month with the same ids, and ask the processor with one key', async () => {
  const [first, second] = copies.map(({ wired }) => wired);
  if (!first || !second) throw new Error('there are two copies');
  const { currentIntervalEnd: dueMs } = (await pickPeriod(first.service)) ?? { currentIntervalEnd: 0 };
  // One renews at the moment itself, the other was off for six hours.
  await first.service.clock.advance(scope, dueMs + 10 * DAY_MS);
  await jump(second.service, dueMs + 6 * HOUR_MS);
  await second.worker.runDue();
  await second.service.clock.advance(scope, dueMs + 10 * DAY_MS);
  const [one, other] = [await readMonth(first.service), await readMonth(second.service)];
  expect(one.payments).toHaveLength(2);
  // The failing card was tried three times in ten days.
  expect(one.charges).toHaveLength(4);
  expect(one.asked).toHaveLength(4);
  expect(one.events.length).toBeGreaterThan(5);
  expect(one.mails.length).toBeGreaterThan(2);
  expect(other).toEqual(one);
  for (const { id, told } of one.events) expect(told).toBe(id);
});

it('O28 lists what bears one moment in the order in which it came into being', async () => {
  for (const { wired } of copies) {
    const { rows } = await wired.service.pool.query<{ types: string[] }>(`
      select array_agg(type order by created_at, id) as types from events
      where payment_id in (select id from payments where type = 'subscription_interval')
      group by subscription_id order by 1 desc`);
    expect(rows.map(({ types }) => types)).toEqual([
      ['payment_success', 'subscription_interval'],
      ['payment_failed', 'subscription_updated', 'payment_failed', 'payment_failed'],
    ]);
    const { rows: charges } = await wired.service.pool.query<{ isRight: boolean }>(`
      select bool_and(created_at >= before) as "isRight" from (
        select created_at, lag(created_at) over (partition by payment_id order by id) as before from charges) c`);
    expect(charges[0]?.isRight).toBe(true);
  }
});

async function pickPeriod({ db }: Service) {
  return db
    .selectFrom('subscriptions')
    .select('currentIntervalEnd')
    .where('id', '=', subscriptions.at(-1)?.id ?? '')
    .$narrowType<{ currentIntervalEnd: number }>()
    .executeTakeFirst();
}
