import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  authenticate,
  buy,
  card,
  findAuthentication,
  listTaken,
  listTold,
  openPage,
} from '../support/buying.ts';
import { expectInvariants } from '../support/expect-invariants.ts';
import { createTestApp, type TestApp } from '../support/harness.ts';
import { makeOffer, makePlanOffer } from '../support/make-catalogue.ts';

let app: TestApp;
let offerId: string;
beforeAll(async () => {
  app = await createTestApp();
  offerId = await makeOffer(app.test);
});
afterAll(() => app.close());

async function listOrders(): Promise<Array<{ id: string; status: string; value: number }>> {
  return (await app.test.get('/v0/orders/list', { query: { take: '100' } })).body.data.orders;
}

/** What the store and the sandbox gained while `work` ran. */
async function measure(work: () => Promise<void>) {
  const [orders, taken] = [(await listOrders()).length, (await listTaken(app)).length];
  await work();
  const now = await listOrders();
  return { orders: now.slice(0, now.length - orders), taken: (await listTaken(app)).slice(taken) };
}

async function addKeys(id: string, count: number): Promise<void> {
  const productKeys = Array.from(
    { length: count },
    (_, i) => `KEY-${id.slice(-6)}-${String(i).padStart(4, '0')}`,
  );
  const { status } = await app.test.post(`/v0/offers/${id}/keys/add`, { productKeys });
  expect(status).toBe(200);
}

describe('opening a checkout', () => {
  it('writes a session and no order', async () => {
    const gained = await measure(async () => {
      const page = await openPage(app, `/checkout/${offerId}`);
      const { body } = await page.show();
      expect(body.data.checkout).toMatchObject({ status: 'open', testMode: true });
    });
    expect(gained).toEqual({ orders: [], taken: [] });
  });
});

describe('one session', () => {
  it('makes one paid order and one charge however often it is submitted at once', async () => {
    const { orders, taken } = await measure(async () => {
      const page = await openPage(app, `/checkout/${offerId}`);
      const answers = await Promise.all(Array.from({ length: 12 }, () => page.submit()));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
      expect((await page.show()).body.data.checkout.status).toBe('paid');
    });
    expect(orders).toMatchObject([{ status: 'PAID', value: 2379 }]);
    expect(taken).toMatchObject([{ amount: 2379 }]);
  });

  it('answers the same receipt when it is submitted again after it was paid, with another card too', async () => {
    const page = await openPage(app, `/checkout/${offerId}`);
    const first = await page.submit();
    const { taken, orders } = await measure(async () => {
      for (const number of ['4242424242424242', '4000000000000002']) {
        const again = await page.submit({ card: card(number) });
        expect(again.body.data.checkout.receipt).toEqual(first.body.data.checkout.receipt);
      }
    });
    expect({ taken, orders }).toEqual({ taken: [], orders: [] });
  });

  it('keeps its receipt when its last key, place and code are the buyer’s own', async () => {
    const scarce = await makeOffer(app.test, { limit: 1 });
    await addKeys(scarce, 1);
    const code = { type: 'code', discountCode: 'OWN', amount: 10, amountType: 'percentage' };
    await app.test.post('/v0/discounts/create', {
      ...code,
      purchaseLimit: 1,
      limitPerUser: 1,
      includesAllOffers: true,
    });
    const page = await openPage(app, `/checkout/${scarce}`);
    const form = { discountCode: 'OWN' };
    const first = await page.submit(form);
    expect(first.body.data.checkout.status).toBe('paid');
    const again = await page.submit(form);
    expect(again.body.data?.checkout.receipt).toEqual(first.body.data.checkout.receipt);
    expect((await page.show()).body.data.checkout.receipt.items[0].keys).toHaveLength(1);
  });

  it('with the last use of a code is bought by two presses at once', async () => {
    const code = { type: 'code', discountCode: 'LAST', amount: 10, amountType: 'percentage' };
    await app.test.post('/v0/discounts/create', { ...code, purchaseLimit: 1, includesAllOffers: true });
    const page = await openPage(app, `/checkout/${offerId}`);
    const answers = await Promise.all([1, 2, 3].map(() => page.submit({ discountCode: 'LAST' })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await page.show()).body.data.checkout.receipt.total).toBe(2141);
  });

  it('keeps its receipt after the offer was taken from sale', async () => {
    const retired = await makeOffer(app.test);
    const page = await openPage(app, `/checkout/${retired}`);
    const first = await page.submit();
    await app.test.patch(`/v0/offers/${retired}/archive`);
    const shown = await page.show();
    expect(shown.body.data?.checkout).toMatchObject({
      status: 'paid',
      receipt: first.body.data.checkout.receipt,
    });
    const response = await app.app.inject({ method: 'GET', url: page.pagePath });
    expect(response.statusCode).toBe(200);
  });

  it('opened in two tabs with different carts of details is still paid once', async () => {
    const { orders, taken } = await measure(async () => {
      const page = await openPage(app, `/checkout/${offerId}`);
      await Promise.all([
        page.submit({ email: 'one@example.com' }),
        page.submit({ email: 'two@example.com', countryCode: 'FR' }),
      ]);
    });
    expect(orders).toHaveLength(1);
    expect(taken).toHaveLength(1);
    expect(taken[0]?.amount).toBe(orders[0]?.value);
  });
});

describe('a declined card', () => {
  it('leaves the order standing and holds nothing, and another card pays the same payment', async () => {
    const keyed = await makeOffer(app.test, { limit: 5 });
    await addKeys(keyed, 2);
    const page = await openPage(app, `/checkout/${keyed}`);
    const declined = await page.submit({ card: card('4000000000000002') });
    expect(declined.body.data.checkout).toMatchObject({
      status: 'open',
      lastError: { code: 'card_declined' },
    });
    const [order] = await listOrders();
    expect(order?.status).toBe('FAILED');
    const stock = async () => (await app.test.get(`/v0/offers/${keyed}`)).body.data.offer;
    const keys = async () => (await stock()).keys;
    expect(await keys()).toEqual({ available: 2, reserved: 0, sold: 0 });
    const numberOf = async () => (await app.test.get(`/v0/orders/${order?.id}`)).body.data.payments;
    const before = await numberOf();
    const paid = await page.submit();
    expect(paid.body.data.checkout).toMatchObject({ status: 'paid' });
    const after = await numberOf();
    expect(after).toHaveLength(1);
    expect(after[0].number).toBe(before[0].number);
    expect(after[0].charges.map(({ status }: { status: string }) => status).sort()).toEqual([
      'failed',
      'succeeded',
    ]);
    expect((await listTold(app, String(order?.id))).map(({ type }) => type)).toEqual([
      'payment_failed',
      'payment_success',
    ]);
    expect(await keys()).toEqual({ available: 1, reserved: 0, sold: 1 });
    expect((await stock()).soldItems).toBe(1);
  });

  it.each([
    ['4000000000000002', 'card_declined'],
    ['4000000000009995', 'insufficient_funds'],
    ['4000000000009987', 'card_declined'],
    ['4000000000000069', 'expired_card'],
    ['4000000000000127', 'incorrect_cvc'],
  ])('%s is told as %s with a sentence for the buyer', async (number, code) => {
    const page = await openPage(app, `/checkout/${offerId}`);
    const { status, body } = await page.submit({ card: card(number) });
    expect(status).toBe(200);
    expect(body.data.checkout.lastError.code).toBe(code);
    expect(body.data.checkout.lastError.message.length).toBeGreaterThan(10);
  });

  it('tried over and over makes one order with one payment, and each try its event', async () => {
    const page = await openPage(app, `/checkout/${offerId}`);
    for (let i = 0; i < 4; i += 1) await page.submit({ card: card('4000000000009995') });
    const [order] = await listOrders();
    const { body } = await app.test.get(`/v0/orders/${order?.id}`);
    expect(body.data.payments).toHaveLength(1);
    expect(body.data.payments[0].charges).toHaveLength(4);
    expect((await listTold(app, String(order?.id))).map(({ type }) => type)).toEqual(
      Array(4).fill('payment_failed'),
    );
  });

  it('through the API is a result and not an error', async () => {
    const { status, body } = await buy(app.test, { offersIds: [offerId], card: '4000000000009995' });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      order: { status: 'FAILED' },
      payment: { status: 'FAILED', invoiceNumber: null },
    });
  });

  it('of a subscription leaves it incomplete', async () => {
    const planId = await makePlanOffer(app.test);
    const { body } = await buy(app.test, { offersIds: [planId], card: '4000000000000002' });
    expect(body.data).toMatchObject({ order: { status: 'FAILED' }, subscription: { status: 'incomplete' } });
  });
});

describe('a card that asks for authentication', () => {
  it('pays once the buyer approves', async () => {
    const page = await openPage(app, `/checkout/${offerId}`);
    const waiting = (await page.submit({ card: card('4000002500003155') })).body.data.checkout;
    expect(waiting.status).toBe('requires_action');
    const [order] = await listOrders();
    expect(order?.status).toBe('PENDING');
    const { location } = await authenticate(app, waiting.action.url, 'approve');
    expect(location).toBe(page.pagePath);
    expect((await page.show()).body.data.checkout.status).toBe('paid');
    expect((await listTold(app, String(order?.id))).map(({ type }) => type)).toEqual(['payment_success']);
  });

  it('fails when the buyer rejects, and another card pays', async () => {
    const page = await openPage(app, `/checkout/${offerId}`);
    const waiting = (await page.submit({ card: card('4000002500003155') })).body.data.checkout;
    await authenticate(app, waiting.action.url, 'reject');
    const open = (await page.show()).body.data.checkout;
    expect(open).toMatchObject({ status: 'open', lastError: { code: expect.any(String) } });
    expect((await page.submit()).body.data.checkout.status).toBe('paid');
  });

  it('1629 is declined after the approval', async () => {
    const page = await openPage(app, `/checkout/${offerId}`);
    const waiting = (await page.submit({ card: card('4000008400001629') })).body.data.checkout;
    await authenticate(app, waiting.action.url, 'approve');
    expect((await page.show()).body.data.checkout).toMatchObject({
      status: 'open',
      lastError: { code: 'card_declined' },
    });
  });

  it('left for another card is charged only with the other', async () => {
    const { orders, taken } = await measure(async () => {
      const page = await openPage(app, `/checkout/${offerId}`);
      const waiting = (await page.submit({ card: card('4000002500003155') })).body.data.checkout;
      expect((await page.submit()).body.data.checkout.status).toBe('paid');
      // The page of the bank, still open in another tab, cannot take the money a second time.
      await authenticate(app, waiting.action.url, 'approve');
    });
    expect(orders).toMatchObject([{ status: 'PAID' }]);
    expect(taken).toHaveLength(1);
  });

  it('approved twice, from two tabs, pays once', async () => {
    const { taken } = await measure(async () => {
      const { body } = await buy(app.test, { offersIds: [offerId], card: '4000002500003155' });
      expect(body.data.payment).toMatchObject({
        status: 'PENDING',
        payUrl: expect.stringContaining('/pay/'),
      });
      const found = await app.test.get(`/v0/orders/${body.data.order.id}`);
      const chargeId = found.body.data.payments[0].charges[0].id;
      const path = await findAuthentication(app, chargeId);
      await Promise.all([authenticate(app, path, 'approve'), authenticate(app, path, 'approve')]);
      const told = await listTold(app, body.data.order.id);
      expect(told.map(({ type }) => type)).toEqual(['payment_success']);
    });
    expect(taken).toHaveLength(1);
  });
});

it('leaves nothing broken that must always hold', () => expectInvariants(app));
