/** A release's migrations come while the release before sells: nobody is refused meanwhile, and it sells on. */
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MIGRATIONS, migrate } from '../../src/db/migrate.ts';
import { buy } from '../support/buying.ts';
import { sizeOf, tellFigures } from '../support/full-size.ts';
import { createTestApp, type TestApp } from '../support/harness.ts';
import { makeOffer } from '../support/make-catalogue.ts';

/** Each is an order's, an item's, a payment's and a charge's row. */
const ORDERS = sizeOf(250_000, 1_000_000);
/** Fifty in a second, a purchase among four reads. */
const PACE_MS = 20;
const READS_PER_PURCHASE = 4;
/**
 * Behind a migration one waits a second, twice behind another who does; the rest is what a machine takes that is busy with other tests, too. Beyond 3 s in a row
 * they would be refused.
 */
const LONGEST_MS = 2_000 + sizeOf(30_000, 1_000);
/** The report that reads on through a release: longer than a request would wait. */
const READ_TRIES = 3;

/** One of each kind that a release may bring. */
const NEXT = [
  'alter table payments add column tried_text text',
  "alter table orders add column tried_default text not null default 'as before'",
  'create table tried (workspace_id uuid not null, test_mode boolean not null, payment_id uuid not null, foreign key (workspace_id, test_mode, payment_id) references payments (workspace_id, test_mode, id))',
  'alter table charges add constraint charges_tried check (amount >= 0) not valid; alter table charges validate constraint charges_tried',
  'create index tried_payments on payments (workspace_id, test_mode, tried_text)',
  'alter table payments drop column tried_text',
];

let app: TestApp;
let url: string;
let client: pg.Client;
let folder: string;
let paymentIds: string[];
let offerId: string;
beforeAll(async () => {
  // The limits are those of production.
  app = await createTestApp({}, undefined, {
    limits: {},
    through: async (own) => {
      url = own;
      return own;
    },
  });
  client = new pg.Client({ connectionString: url });
  await client.connect();
  offerId = await makeOffer(app.test);
  await buy(app.test, { offersIds: [offerId] });
  await multiplySale();
  const { rows } = await client.query<{ id: string }>('select id from payments limit 100');
  expect(rows).toHaveLength(100);
  paymentIds = rows.map(({ id }) => id);
  folder = await mkdtemp(path.join(os.tmpdir(), 'counterfoil-migrations-'));
  await cp(MIGRATIONS, folder, { recursive: true });
}, 600_000);
afterAll(async () => {
  await client?.end();
  await app?.close();
  if (folder) await rm(folder, { recursive: true, force: true });
});

/** Copies the one sale: ids rise with n, as the service's own rise with time. */
async function multiplySale(): Promise<void> {
  const id = (kind: string) =>
    `('0198' || substr(md5('${kind}'), 1, 4) || '000070008000' || lpad(to_hex(n), 12, '0'))::uuid`;
  const number = `lpad(n::text, 12, 'Z')`;
  const copies = {
    orders: { id: id('order'), number, last_payment_id: id('payment') },
    order_items: { id: id('item'), order_id: id('order') },
    payments: {
      id: id('payment'),
      order_id: id('order'),
      order_number: number,
      number,
      pay_token: `'copy-' || n`,
      invoice_number: `'COPY-' || n`,
    },
    charges: { id: id('charge'), payment_id: id('payment'), processor_id: `'copy-' || n` },
  };
  for (const [table, columns] of Object.entries(copies)) {
    const changes = Object.entries(columns).map(([column, value]) => `'${column}', ${value}`);
    await client.query(`insert into ${table} select r.* from ${table} o, generate_series(1, ${ORDERS}) n,
      lateral jsonb_populate_record(o, jsonb_build_object(${changes.join(', ')})) r`);
    // What refers to it is looked up by a plan for its size.
    await client.query(`analyze ${table}`);
  }
}

/** Buyers and readers at a steady pace, whatever becomes of them; answers how to end it. */
function trade() {
  const told = { answered: 0, refused: [] as string[], longestMs: 0 };
  const running = new Set<Promise<void>>();
  let isOver = false;
  const ask = async (n: number) => {
    const startedMs = performance.now();
    const answer =
      n % (READS_PER_PURCHASE + 1) === 0
        ? await buy(app.test, { offersIds: [offerId] })
        : await app.test.get(`/v0/payments/${paymentIds[n % paymentIds.length]}`);
    told.longestMs = Math.max(told.longestMs, performance.now() - startedMs);
    told.answered += 1;
    if (answer.status !== 200) told.refused.push(`${answer.status} ${answer.text}`);
  };
  const loop = (async () => {
    for (let n = 0; !isOver; n += 1) {
      const one: Promise<void> = ask(n).finally(() => running.delete(one));
      running.add(one);
      await wait(PACE_MS);
    }
    await Promise.all(running);
  })();
  const end = async () => {
    isOver = true;
    await loop;
    return told;
  };
  return { told, end };
}

/** Runs the next of them, and answers what was told. */
async function bring(n: number): Promise<string[]> {
  const text = NEXT[n];
  if (text === undefined) throw new Error('there is no more to bring');
  await writeFile(path.join(folder, `9${String(n).padStart(3, '0')}_tried.sql`), text);
  const lines: string[] = [];
  expect(await migrate({ connectionString: url }, { folder, tell: (line) => lines.push(line) })).toBe(1);
  return lines;
}

describe('O38 T49 migrations under load, of a store of a million rows', () => {
  it('refuse nobody, and what was sold before them is sold after them', async () => {
    const { told, end } = trade();
    for (let n = 0; n < NEXT.length - 1; n += 1) {
      const before = told.answered;
      await bring(n);
      while (told.answered < before + 50) await wait(PACE_MS);
    }
    const { refused, longestMs, answered } = await end();
    tellFigures('O38', {
      orders: ORDERS,
      answered,
      refused: refused.length,
      longestMs: Math.round(longestMs),
    });
    expect(refused).toEqual([]);
    expect(longestMs).toBeLessThan(LONGEST_MS);
  });

  it('wait for a table that a long report reads, a second at a time, while buyers buy', async () => {
    await client.query('begin; select count(*) from payments');
    const { told, end } = trade();
    const watcher = new pg.Client({ connectionString: url });
    await watcher.connect();
    const migrating = bring(NEXT.length - 1);
    const waiting = `select from pg_stat_activity where datname = current_database()
      and application_name = 'counterfoil migrate' and wait_event_type = 'Lock'`;
    for (let tries = 0; tries < READ_TRIES; tries += 1) {
      while ((await watcher.query(waiting)).rowCount !== 1) await wait(PACE_MS);
      const before = told.answered;
      while ((await watcher.query(waiting)).rowCount === 1) await wait(PACE_MS);
      while (told.answered < before + 50) await wait(PACE_MS);
    }
    await client.query('commit');
    expect(await migrating).toEqual([expect.stringContaining('waits for a table that is in use')]);
    await watcher.end();
    const { refused, longestMs } = await end();
    expect(refused).toEqual([]);
    expect(longestMs).toBeLessThan(LONGEST_MS);
  });
});
