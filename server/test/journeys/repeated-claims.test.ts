import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buy, openPage } from '../support/buying.ts';
import { advance, DAY_MS } from '../support/clock.ts';
import { expectInvariants } from '../support/expect-invariants.ts';
import { createTestApp, type TestApp } from '../support/harness.ts';
import { makeOffer, makeProduct } from '../support/make-catalogue.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(async () => {
  await expectInvariants(app);
  await app.close();
});

/** A free offer with keys to give away. */
async function makeFree(keys = 10): Promise<string> {
  const productId = await makeProduct(app.test, { type: 'SoftwareKey', name: 'Demo' });
  const offerId = await makeOffer(app.test, { productId, price: 0, freeProduct: true });
  const productKeys = Array.from({ length: keys }, (_, index) => `FREE-${offerId}-${index}`);
  await app.test.post(`/v0/offers/${offerId}/keys/add`, { productKeys });
  return offerId;
}

async function claim(offerId: string, email: string) {
  const page = await openPage(app, `/checkout/${offerId}`);
  const { body } = await page.submit({ email, card: undefined });
  return { page, checkout: body.data.checkout };
}

const countOrders = async () => (await app.test.get('/v0/orders/list')).body.data.count;
const keysOf = async (offerId: string) => (await app.test.get(`/v0/offers/${offerId}`)).body.data.offer.keys;
async function countMails(email: string): Promise<number> {
  const rows = await app.service.db
    .selectFrom('mails')
    .select('id')
    .where('recipient', '=', email)
    .where('kind', '=', 'free_claim')
    .execute();
  return rows.length;
}

describe('a free claim that is repeated', () => {
  it('Y05 makes no order and takes no key within a day; the first one’s mail goes out three times more', async () => {
    const offerId = await makeFree();
    const email = 'again@example.com';
    const first = await claim(offerId, email);
    expect(first.checkout).toMatchObject({
      status: 'paid',
      receipt: { items: [{ keys: [expect.any(String)] }] },
    });
    const orders = await countOrders();
    for (let count = 0; count < 6; count += 1) {
      const { page, checkout } = await claim(offerId, ' AGAIN@example.com');
      expect(checkout).toMatchObject({ status: 'mailed', email: 'AGAIN@example.com' });
      expect(JSON.stringify(checkout)).not.toContain('FREE-');
      const shown = await page.show();
      expect(shown.body.data.checkout.status).toBe('open');
    }
    expect(await countOrders()).toBe(orders);
    expect(await keysOf(offerId)).toMatchObject({ available: 9, sold: 1 });
    expect(await countMails(email)).toBe(4);
  });

  it('Y05 makes one order however many come at once', async () => {
    const offerId = await makeFree();
    const pages = await Promise.all(Array.from({ length: 5 }, () => openPage(app, `/checkout/${offerId}`)));
    const answers = await Promise.all(
      pages.map((page) => page.submit({ email: 'crowd@example.com', card: undefined })),
    );
    expect(answers.map(({ body }) => body.data.checkout.status).sort()).toEqual([
      'mailed',
      'mailed',
      'mailed',
      'mailed',
      'paid',
    ]);
    expect(await keysOf(offerId)).toMatchObject({ sold: 1 });
  });

  it('Y05 is a claim of its own for another buyer, for another offer, and a day later', async () => {
    const offerId = await makeFree();
    expect((await claim(offerId, 'one@example.com')).checkout.status).toBe('paid');
    expect((await claim(offerId, 'two@example.com')).checkout.status).toBe('paid');
    expect((await claim(await makeFree(), 'one@example.com')).checkout.status).toBe('paid');
    await advance(app, app.test.scope, DAY_MS + 1);
    expect((await claim(offerId, 'one@example.com')).checkout.status).toBe('paid');
  });

  it('Y05 shows its keys in the session that made the order, and in no other', async () => {
    const { page, checkout } = await claim(await makeFree(), 'shown@example.com');
    const stranger = await openPage(app, `/checkout/${await makeFree()}`);
    await stranger.quote();
    // As if a later release let another session look at the order.
    await app.service.db
      .updateTable('checkoutSessions')
      .set({ orderId: checkout.receipt.orderId })
      .where('token', '=', stranger.token)
      .execute();
    const [own, other] = [await page.show(), await stranger.show()].map(
      ({ body }) => body.data.checkout.receipt.items[0].keys,
    );
    expect([own.length, other]).toEqual([1, []]);
    await app.service.db
      .updateTable('checkoutSessions')
      .set({ orderId: null })
      .where('token', '=', stranger.token)
      .execute();
  });

  it('Y05 leaves what a discount brings to 0 a purchase, and the merchant’s own calls as they are', async () => {
    const offerId = await makeOffer(app.test, { price: 100 });
    await app.test.post('/v0/discounts/create', {
      type: 'code',
      discountCode: 'ALL',
      amount: 100,
      amountType: 'percentage',
      includedOffers: [offerId],
    });
    for (let count = 0; count < 2; count += 1) {
      const page = await openPage(app, `/checkout/${offerId}`);
      const { body } = await page.submit({ email: 'zero@example.com', discountCode: 'ALL' });
      expect(body.data.checkout.status).toBe('paid');
    }
    const free = await makeFree();
    for (let count = 0; count < 2; count += 1) {
      const { body } = await buy(app.test, { offersIds: [free], userEmail: 'zero@example.com' });
      expect(body.data.order.status).toBe('PAID');
    }
  });
});

describe('a quote', () => {
  const code = (fields: Record<string, unknown>) =>
    app.test.post('/v0/discounts/create', {
      type: 'code',
      amount: 50,
      amountType: 'percentage',
      limitPerUser: 1,
      ...fields,
    });

  it('Y24 never tells whether somebody has used a code; the purchase does', async () => {
    const offerId = await makeOffer(app.test, { price: 1000 });
    await code({ discountCode: 'ONCE', includedOffers: [offerId] });
    const form = { email: 'used@example.com', discountCode: 'ONCE' };
    expect((await (await openPage(app, `/checkout/${offerId}`)).submit(form)).status).toBe(200);
    const page = await openPage(app, `/checkout/${offerId}`);
    const [known, unknown] = [
      await page.quote(form),
      await page.quote({ ...form, email: 'new@example.com' }),
    ];
    expect(known.body.data.quote).toEqual(unknown.body.data.quote);
    expect(known.body.data.quote).toMatchObject({ discount: 500, codeError: null });
    const bought = await page.submit(form);
    expect([bought.status, bought.body.error.code]).toEqual([400, 'discount_user_limit']);
    expect((await page.show()).body.data.checkout.quote.codeError).toBeNull();
  });

  it('Y24 never tells whether somebody has used a sale; the purchase tells the price without it', async () => {
    const offerId = await makeOffer(app.test, { price: 1000 });
    await code({ type: 'sale', name: 'Spring', includedOffers: [offerId] });
    const email = 'sale@example.com';
    await (await openPage(app, `/checkout/${offerId}`)).submit({ email });
    const page = await openPage(app, `/checkout/${offerId}`);
    const { quote } = (await page.quote({ email })).body.data;
    expect(quote.discount).toBe(500);
    const refused = await page.submit({ email, fingerprint: quote.fingerprint });
    expect([refused.status, refused.body.error.code]).toEqual([409, 'price_changed']);
    const [{ quote: fresh }] = refused.body.error.details;
    expect(fresh).toMatchObject({ discount: 0, total: 1190 });
    const paid = await page.submit({ email, fingerprint: fresh.fingerprint });
    expect(paid.body.data.checkout).toMatchObject({ status: 'paid', receipt: { total: 1190 } });
  });
});
