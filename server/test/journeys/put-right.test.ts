/** An unpaid order whose amounts a merchant has put right: the buyer is asked for what it says now, and for nothing else. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { buy, card, listTaken, type OpenPage, openPage, VISA } from '../support/buying.ts';
import { AUTHENTICATES, DECLINED } from '../support/cards.ts';
import { expectInvariants } from '../support/expect-invariants.ts';
import { createTestApp, type TestApp } from '../support/harness.ts';
import { makeOffer, makePlanOffer } from '../support/make-catalogue.ts';

let app: TestApp;
let offerId: string;
beforeAll(async () => {
  app = await createTestApp();
  offerId = await makeOffer(app.test);
});
afterEach(() => expectInvariants(app));
afterAll(() => app.close());

const correct = async (id: string, body: unknown) => {
  const { status, text } = await app.test.patch(`/v0/orders/${id}/update`, body);
  expect(status, text).toBe(200);
};
const orderOf = async (id: string) => (await app.test.get(`/v0/orders/${id}`)).body.data;
const payUrlOf = async (id: string): Promise<string> => (await orderOf(id)).payments[0].payUrl;
const newestId = async () =>
  (await app.test.get('/v0/orders/list', { query: { take: '1' } })).body.data.orders[0].id;

/** The page of the order's own payment. */
async function openLink(id: string) {
  const path = new URL(await payUrlOf(id)).pathname.replace('/pay/', '/payment-pages/');
  const ask = (action: string, body: unknown = {}) =>
    app.test.request('POST', `${path}/${action}`, { keys: 'none', body });
  return {
    show: async () => (await ask('confirm')).body.data.debt,
    pay: (fingerprint: string) => ask('pay', { card: card(VISA), fingerprint }),
  };
}

async function decline(fields: Record<string, unknown> = {}): Promise<{ id: string; page: OpenPage }> {
  const page = await openPage(app, `/checkout/${offerId}`);
  await page.submit({ card: card(DECLINED), ...fields });
  return { id: await newestId(), page };
}

describe('of a checkout', () => {
  it('is paid at its own page, to which the checkout leads', async () => {
    const { id, page } = await decline();
    await correct(id, { value: 1500, tax: 239 });
    const url = await payUrlOf(id);
    const elsewhere = { status: 'requires_action', action: { url, isAsked: false }, order: { id } };
    expect((await page.show()).body.data.checkout).toMatchObject(elsewhere);
    const { statusCode, headers } = await app.app.inject({ method: 'GET', url: page.pagePath });
    expect([statusCode, headers.location]).toEqual([303, url]);

    // A page that was open before presses on what it shows.
    const taken = (await listTaken(app)).length;
    expect((await page.submit()).body.data.checkout).toMatchObject(elsewhere);
    expect((await listTaken(app)).length).toBe(taken);

    const link = await openLink(id);
    const { purchase } = await link.show();
    expect(purchase).toMatchObject({ total: 1500, dueNow: 1500, tax: 239, discount: 738, currency: 'EUR' });
    expect((await link.pay(purchase.fingerprint)).body.data.debt.status).toBe('paid');
    expect((await listTaken(app)).at(-1)?.amount).toBe(1500);
    expect(await orderOf(id)).toMatchObject({
      order: { status: 'PAID', value: 1500, tax: 239 },
      payments: [{ status: 'PAID', value: 1500, tax: 239 }],
      items: [{ total: 1500 }],
    });
    expect((await page.show()).body.data.checkout.status).toBe('paid');
  });

  it('asks again whoever was shown another sum', async () => {
    const { id } = await decline();
    const link = await openLink(id);
    const before = (await link.show()).purchase;
    const taken = (await listTaken(app)).length;
    for (const value of [3000, 1000]) {
      await correct(id, { value, tax: 0 });
      const { status, body } = await link.pay(before.fingerprint);
      expect([status, body.error.code]).toEqual([409, 'price_changed']);
      expect(body.error.details.at(-1).quote).toMatchObject({
        total: value,
        dueNow: value,
        tax: 0,
        currency: 'EUR',
      });
    }
    expect((await listTaken(app)).length).toBe(taken);
    const { purchase } = await link.show();
    expect((await link.pay(purchase.fingerprint)).body.data.debt.status).toBe('paid');
    expect((await listTaken(app)).at(-1)?.amount).toBe(1000);
  });

  it('takes a code’s use once', async () => {
    const { body } = await app.test.post('/v0/discounts/create', {
      ...{ type: 'code', discountCode: 'ONCE', amount: 10, amountType: 'percentage', purchaseLimit: 1 },
    });
    const { id } = await decline({ discountCode: 'ONCE' });
    await correct(id, { value: 900, tax: 100 });
    const link = await openLink(id);
    await link.pay((await link.show()).purchase.fingerprint);
    expect((await orderOf(id)).order.status).toBe('PAID');
    const shown = await app.test.get(`/v0/discounts/${body.data.discount.id}`);
    expect(shown.body.data.discount).toMatchObject({ timesUsed: 1 });
  });
});

describe('of the API', () => {
  it('asks for more where more is to be paid', async () => {
    const { id } = (await buy(app.test, { offersIds: [offerId], card: DECLINED })).body.data.order;
    await correct(id, { value: 5000, tax: 798 });
    const link = await openLink(id);
    const { purchase } = await link.show();
    expect(purchase).toMatchObject({ total: 5000, tax: 798, discount: 0, items: [{ amount: 4202 }] });
    expect((await link.pay(purchase.fingerprint)).body.data.debt.status).toBe('paid');
    expect((await listTaken(app)).at(-1)?.amount).toBe(5000);
  });

  it('charges nothing where nothing is to be paid', async () => {
    const { id } = (await buy(app.test, { offersIds: [offerId], card: AUTHENTICATES })).body.data.order;
    await correct(id, { value: 0 });
    const link = await openLink(id);
    const taken = (await listTaken(app)).length;
    const { status, text } = await link.pay((await link.show()).purchase.fingerprint);
    expect(status, text).toBe(200);
    expect((await listTaken(app)).length).toBe(taken);
    expect(await orderOf(id)).toMatchObject({
      order: { status: 'PAID', value: 0 },
      payments: [{ status: 'PAID', value: 0, invoiceNumber: null }],
    });
  });

  it('starts a subscription by the first sum, and renews it at its own price', async () => {
    const offersIds = [await makePlanOffer(app.test)];
    const { id } = (await buy(app.test, { offersIds, card: DECLINED })).body.data.order;
    const own = (await orderOf(id)).order.value;
    await correct(id, { value: 100, tax: 0 });
    const link = await openLink(id);
    const { purchase } = await link.show();
    expect(purchase).toMatchObject({ dueNow: 100, renewal: { amount: own } });
    const paid = await link.pay(purchase.fingerprint);
    expect(paid.body.data?.debt.status, paid.text).toBe('paid');
    const { subscription } = await orderOf(id);
    expect(subscription.status).toBe('active');
    await app.test.post('/v0/test-clock/advance', { by: { months: 1, days: 1 } });
    const { payments } = await orderOf(id);
    const values = payments
      .map(({ value }: { value: number }) => value)
      .sort((a: number, b: number) => a - b);
    expect(values).toEqual([100, own]);
  });

  it('leaves a trial its trial, in which nothing is to be paid', async () => {
    const offersIds = [await makePlanOffer(app.test, { trialInterval: 'day', trialIntervalCount: 7 })];
    const placed = await buy(app.test, { offersIds, card: DECLINED });
    const { id } = placed.body.data.order;
    await correct(id, { status: 'UNPAID' });
    const link = await openLink(id);
    const { purchase } = await link.show();
    expect(purchase.dueNow).toBe(0);
    const paid = await link.pay(purchase.fingerprint);
    expect(paid.body.data?.debt.status, paid.text).toBe('paid');
    expect((await orderOf(id)).subscription.status).toBe('trialing');
  });
});
