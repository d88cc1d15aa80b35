/** Withdrawals from subscriptions whose plan was changed before. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DAY_MS } from '../support/clock.ts';
import { createLawShop, type LawShop } from '../support/consumer-law.ts';
import { expectInvariants } from '../support/expect-invariants.ts';
import { createTestApp, type TestApp } from '../support/harness.ts';
import { makePlanOffer } from '../support/make-catalogue.ts';

let app: TestApp;
let shop: LawShop;
beforeAll(async () => {
  app = await createTestApp();
  const slug = (await app.test.get('/v0/settings')).body.data.settings.portalSlug;
  shop = createLawShop(app, slug);
});
afterAll(() => app.close());

it('S30 what is used of one whose month was changed to a year is the month until then, and of the year its share of the whole price', async () => {
  const monthly = await makePlanOffer(app.test, { price: 3000 });
  const yearly = await makePlanOffer(app.test, { price: 30_000, recurringInterval: 'year' });
  const sale = await shop.sell([monthly], { consent: true });
  const path = `/v0/subscriptions/${sale.order.number}`;
  const read = async () => (await app.test.get(path)).body.data.subscription;
  const month = await read();
  await shop.pass(5 * DAY_MS);
  const changed = await app.test.patch(`/v0/subscriptions/${sale.order.subscriptionId}/update`, {
    ...{ items: [{ offerId: yearly }], prorationBehavior: 'always_invoice' },
  });
  expect(changed.status, changed.text).toBe(200);
  const year = await read();
  await shop.pass(5 * DAY_MS);
  const id = await shop.withdrawFrom(sale);
  const { receivedAt } = await shop.withdrawalOf(id);
  await shop.pass(DAY_MS + 1000);
  const { refunds, payments } = await shop.orderOf(sale.order.id);
  expect(payments).toHaveLength(2);
  const [initial, whole] = [sale.payment.value, sale.payment.value * 10];
  const paid = payments.reduce((sum: number, { value }: { value: number }) => sum + value, 0);
  const shareOf = (from: { currentIntervalStart: number; currentIntervalEnd: number }, until: number) =>
    (until - from.currentIntervalStart) / (from.currentIntervalEnd - from.currentIntervalStart);
  const used = initial * shareOf(month, year.currentIntervalStart) + whole * shareOf(year, receivedAt);
  const given = refunds.reduce((sum: number, { amount }: { amount: number }) => sum + amount, 0);
  // What was set off is a sum rounded by itself.
  expect(Math.abs(paid - given - used)).toBeLessThanOrEqual(2);
  await expectInvariants(app);
});
