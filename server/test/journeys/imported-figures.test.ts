/** What came from another service is told apart in the figures. */
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { advance, DAY_MS } from '../support/clock.ts';
import { overviewOf } from '../support/figures.ts';
import type { TestApp } from '../support/harness.ts';
import { createImporting, customer, type Importing, PLAN_LINES, subscription } from '../support/importing.ts';
import { makeOffer, makePlanOffer, makeProduct } from '../support/make-catalogue.ts';
import { useShop } from '../support/shop.ts';
import { subscribe } from '../support/subscribing.ts';

let app: TestApp;
let imports: Importing;
useShop((made) => {
  app = made;
  imports = createImporting(app);
});

const now = async (): Promise<number> => (await app.test.get('/v0/test-clock')).body.data.testClock.now;
const until = async (from: number | string = 0) =>
  overviewOf(app.test, { from: String(from), to: String((await now()) + 1), currency: 'EUR' });

/** Of 120.00 a year with Swiss tax of 8.1 % within. */
const MONTH_MINOR = 925;

/** A year paid elsewhere, of 120.00, by somebody who can be charged here. */
async function bringInYear(ref: string): Promise<string> {
  const paidUntil = (await now()) + 300 * DAY_MS;
  const { id } = await imports.bringIn([
    ...PLAN_LINES,
    customer(ref),
    subscription(ref, {
      items: [{ offerRef: 'price_year', quantity: 1, unitPrice: 12_000 }],
      ...{ createdAt: paidUntil - 365 * DAY_MS, anchorAt: paidUntil, paidUntil, nextTotal: 12_000 },
      paidForPeriod: { value: 12_000, tax: 0 },
    }),
  ]);
  const { body } = await app.test.get('/v0/users/list', { query: { term: `${ref}@example.com` } });
  await app.test.patch(`/v0/users/${body.data.users[0].id}/update`, {
    paymentData: { sandboxCustomerId: 'card_4242424242424242' },
  });
  return id;
}

describe('D59 what was imported', () => {
  it('D59 brings recurring revenue from its activation on, and its buyer is nobody new', async () => {
    const id = await bringInYear('kim');
    expect(await until()).toMatchObject({ mrr: 0, activeSubscriptions: 0, newCustomers: 0, orders: 0 });
    await advance(app, app.test.scope, DAY_MS);
    const waitedMs = await now();
    expect((await imports.activate(id)).body.data.results).toMatchObject([{ status: 'activated' }]);
    const expected = { mrr: MONTH_MINOR, mrrImported: MONTH_MINOR, mrrNew: 0, activeSubscriptions: 1 };
    expect(await until()).toMatchObject({ ...expected, grossVolume: 0, newCustomers: 0, orders: 0 });
    expect(await overviewOf(app.test, { from: '0', to: String(waitedMs), currency: 'EUR' })).toMatchObject({
      mrr: 0,
      mrrImported: 0,
    });

    const productId = await makeProduct(app.test);
    const offerId = await makeOffer(app.test, { productId, price: 700, currency: 'EUR' });
    const bought = await app.test.post('/v0/test-purchases/create', {
      ...{ offersIds: [offerId], userEmail: 'kim@example.com', billingDetails: { countryCode: 'CH' } },
    });
    expect(bought.status, bought.text).toBe(200);
    // What they buy here is an order; the customer came along.
    expect(await until()).toMatchObject({ orders: 1, newCustomers: 0 });
  });

  it('D59 counts beside an opening, before which nothing is known', async () => {
    await subscribe(app, await makePlanOffer(app.test, { price: 1000 }), { userEmail: 'old@example.com' });
    const path = new URL('../../src/db/migrations/0051_mrr_movements.sql', import.meta.url);
    const text = await readFile(path, 'utf8');
    const opening = text.slice(text.indexOf('with recurring as'));
    await advance(app, app.test.scope, DAY_MS);
    const openedMs = await now();
    await app.service.pool.query(
      `begin; set local counterfoil.purge = '${app.test.scope.workspaceId}'; delete from mrr_movements; ${opening} commit`,
    );
    const { mrr: opened } = await until();
    await advance(app, app.test.scope, DAY_MS);
    const knownMs = await now();
    const id = await bringInYear('lou');
    await advance(app, app.test.scope, DAY_MS);
    await imports.activate(id);
    const early = await overviewOf(app.test, { from: '0', to: String(openedMs - 1), currency: 'EUR' });
    expect([early.mrr, early.mrrImported, early.activeSubscriptions]).toEqual([null, null, null]);
    const later = await until(knownMs);
    expect(later.mrr).toBe((opened ?? 0) + MONTH_MINOR);
    expect(later.mrrImported).toBe(MONTH_MINOR);
  });
});
