import { CamelCasePlugin, Kysely, PostgresAdapter, PostgresQueryCompiler } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Db } from '../../src/db/database.ts';
import type { Metric } from '../../src/domain/figures/metrics.ts';
import { METRICS } from '../../src/domain/figures/metrics.ts';
import { loadOverview, loadTotal } from '../../src/resources/reports/reports.view.ts';
import { listRows } from '../../src/resources/reports/rows.queries.ts';
import { findClosedUntil, sumMeasures } from '../../src/resources/reports/sums.queries.ts';
import { closeFigures } from '../../src/worker/upkeep.ts';
import { buy } from '../support/buying.ts';
import { DAY_MS } from '../support/clock.ts';
import { createTestApp, type TestApp } from '../support/harness.ts';
import { makeOffer } from '../support/make-catalogue.ts';
import { countRead } from '../support/plan-rows.ts';

let app: TestApp;
let soldAt: number;
beforeAll(async () => {
  app = await createTestApp();
  await buy(app.test, { offersIds: [await makeOffer(app.test)] });
  const { rows } = await app.service.pool.query('select paid_at from payments');
  soldAt = Number(rows[0].paid_at);
});
// Copies of a payment have no charges of their own: the invariants are not asked.
afterAll(() => app.close());

/** As many more payments like the one that was made, over the month before it. */
async function copyPayments(first: number, last: number): Promise<void> {
  const spread = `- ($2::bigint - n) * (${30 * DAY_MS} / $2::bigint) - 7200000`;
  const id = (name: string) => `(md5('${name}' || n))::uuid`;
  const statements = [
    `insert into payments select r.* from payments o, generate_series($1::bigint, $2::bigint) n,
      lateral jsonb_populate_record(o, jsonb_build_object('id', ${id('p')}, 'number', 'N' || n, 'pay_token', 'T' || n,
        'paid_at', o.paid_at ${spread})) r where o.paid_at = ${soldAt}`,
    `insert into ledger_entries select r.* from ledger_entries o, generate_series($1::bigint, $2::bigint) n,
      lateral jsonb_populate_record(o, jsonb_build_object('entry_id', ${id('e')}, 'source_id', ${id('s')},
        'payment_id', ${id('p')}, 'created_at', o.created_at ${spread})) r where o.created_at = ${soldAt}`,
  ];
  for (const statement of statements) await app.service.pool.query(statement, [first, last]);
  // What was summed up before the copies came knows nothing of them.
  await app.service.pool.query('delete from figure_sums; delete from figure_sum_closings');
  await closeFigures(app.service.db, new AbortController().signal);
  await app.service.pool.query('analyze');
}

/** A database that takes queries and answers none. */
function captureQueries(sent: Array<{ sql: string; parameters: readonly unknown[] }>): Db {
  const connection = {
    executeQuery: async (query: { sql: string; parameters: readonly unknown[] }) => {
      sent.push(query);
      return { rows: [] };
    },
    streamQuery: () => {
      throw new Error('nothing is streamed');
    },
  };
  const driver = {
    init: async () => {},
    acquireConnection: async () => connection,
    beginTransaction: async () => {},
    commitTransaction: async () => {},
    rollbackTransaction: async () => {},
    releaseConnection: async () => {},
    destroy: async () => {},
  };
  const dialect = {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => driver,
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createIntrospector: () => {
      throw new Error('nothing is looked into');
    },
  };
  return new Kysely({ dialect, plugins: [new CamelCasePlugin()] }) as unknown as Db;
}

async function costOf(ask: (db: Db) => Promise<unknown>): Promise<{ statements: number; read: number }> {
  const sent: Array<{ sql: string; parameters: readonly unknown[] }> = [];
  await ask(captureQueries(sent)).catch(() => {});
  let read = 0;
  for (const { sql, parameters } of sent) {
    const explained = `explain (analyze, format json) ${sql}`;
    const { rows } = await app.service.pool.query(explained, [...parameters]);
    read += countRead(rows[0]['QUERY PLAN'][0].Plan);
  }
  return { statements: sent.length, read: Math.round(read) };
}

describe('D22 figures of a store', () => {
  it('D22 read no more of 30,000 payments than of 5,000', { timeout: 300_000 }, async () => {
    const { scope } = app.test;
    const window = { fromMs: soldAt - 40 * DAY_MS, toMs: soldAt - 7_200_000 };
    const measures = [...new Set(Object.values(METRICS).flatMap(({ within }) => [...within]))];
    const edges = [window.fromMs, window.toMs];
    const costs = async () => {
      const closedUntilMs = await findClosedUntil(app.service.db, scope);
      const place = { currency: 'EUR', groupBy: null, closedUntilMs };
      const rowsOf = (metric: Metric) =>
        costOf((db) =>
          listRows(db, { scope, ...window, currency: 'EUR', group: null }, { metric, take: 50, after: null }),
        );
      return {
        overview: await costOf((db) => sumMeasures(db, scope, { ...place, measures, edges })),
        gross: await rowsOf('grossVolume'),
        refunds: await rowsOf('refunds'),
        orders: await rowsOf('orders'),
        newCustomers: await rowsOf('newCustomers'),
        mrr: await rowsOf('mrr'),
      };
    };
    await copyPayments(1, 5_000);
    const few = await costs();
    await copyPayments(5_001, 30_000);
    const many = await costs();
    for (const name of Object.keys(few) as Array<keyof typeof few>) {
      expect(many[name].statements, name).toBe(few[name].statements);
      // 2,880 quarter hours of the month, and what is not closed yet.
      expect(many[name].read, name).toBeLessThan(3_000 + 1.3 * few[name].read);
    }
    expect(many.gross.read).toBeLessThan(1_000);
    expect(many.orders.read).toBeLessThan(1_000);
    expect(many.newCustomers.read).toBeLessThan(1_000);
    expect(await findClosedUntil(app.service.db, scope)).toBeGreaterThan(soldAt - DAY_MS);
    const asked = { window, compared: null, currency: 'EUR', home: 'EUR' };
    const overview = await loadOverview(app.service.db, scope, asked);
    const gross = overview.find(({ metric }) => metric === 'grossVolume')?.value;
    const total = { metric: 'grossVolume' as const, window, currency: 'EUR', group: null };
    expect(await loadTotal(app.service.db, scope, total)).toBe(gross);
  });
});
