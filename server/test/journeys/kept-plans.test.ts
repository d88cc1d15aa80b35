/**
 * Whatever a sale, a discount, a refund and a renewal ask of the store is found by an index, by the plan that is made once for all
 * values: a refund had read every invoice of its store.
 */
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buy } from '../support/buying.ts';
import { advance, DAY_MS } from '../support/clock.ts';
import { createTestApp, type TestApp } from '../support/harness.ts';
import { makeOffer, makePlanOffer } from '../support/make-catalogue.ts';
import { findUnserved, readIndexes } from '../support/unserved-scans.ts';

/** Tables that are read whole, since a store has few rows of them. */
const SHORT = /^(?:processors|custom_fields|stores|workspaces|checkout_elements): /;

const texts = new Set<string>();
// Every connection of the process, however it came to be: those that are there were made with these.
const query = pg.Client.prototype.query as (...given: unknown[]) => unknown;
pg.Client.prototype.query = function note(this: pg.Client, ...given: unknown[]) {
  const [asked] = given as [string | { text: string }];
  texts.add(typeof asked === 'string' ? asked : asked.text);
  return query.apply(this, given);
} as unknown as typeof pg.Client.prototype.query;

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

async function sellAndRefund(): Promise<void> {
  const offersIds = [await makeOffer(app.test, { limit: 100 })];
  const code = {
    type: 'code',
    amount: 10,
    amountType: 'percentage',
    includesAllOffers: true,
    discountCode: 'TEN',
  };
  const made = await app.test.post('/v0/discounts/create', code);
  expect(made.status, made.text).toBe(200);
  const userEmail = 'planned@example.com';
  const { body } = await buy(app.test, { offersIds, userEmail, discountCode: 'TEN' });
  const { order, payment } = body.data;
  for (const amount of [1, 2]) {
    const refunded = await app.test.post(`/v0/orders/${order.id}/refunds`, { amount });
    expect(refunded.status, refunded.text).toBe(200);
  }
  for (const path of [`/v0/invoices/list?paymentId=${payment.id}`, `/v0/timeline/orders/${order.id}`])
    expect((await app.test.get(path)).status, path).toBe(200);
  await buy(app.test, { offersIds: [await makePlanOffer(app.test)], userEmail });
  await advance(app, app.test.scope, 40 * DAY_MS);
}

it('finds by an index what a sale, a discount, a refund and a renewal are asked for', async () => {
  await sellAndRefund();
  const asked = [...texts].filter((text) => /^\s*(?:with|select|update|delete)\b/i.test(text));
  expect(asked.length).toBeGreaterThan(60);
  const client = await app.service.pool.connect();
  await client.query('set plan_cache_mode = force_generic_plan; set enable_seqscan = off');
  const indexes = await readIndexes(client);
  const unserved = new Set<string>();
  for (const text of asked)
    if (!/\bpg_|information_schema/.test(text))
      for (const scan of await findUnserved(client, indexes, text)) unserved.add(scan);
  client.release(true);
  expect([...unserved].filter((scan) => !SHORT.test(scan))).toEqual([]);
});
