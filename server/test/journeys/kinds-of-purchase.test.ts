import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buy, listTaken, listTold, openPage, type Told } from '../support/buying.ts';
import { expectInvariants } from '../support/expect-invariants.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { createTestApp, type TestApp } from '../support/harness.ts';
import { makeOffer, makePlanOffer, makeProduct } from '../support/make-catalogue.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const typesOf = (told: Told[]) => told.map(({ type }) => type);

describe('a card of the sandbox', () => {
  it.each([
    ['4242424242424242', 'visa'],
    ['5555555555554444', 'mastercard'],
    ['378282246310005', 'amex'],
    ['6011111111111117', 'discover'],
    ['3056930009020004', 'diners'],
    ['3566002020360505', 'jcb'],
    ['6200000000000005', 'unionpay'],
  ])('%s pays as %s, and its number is nowhere in the answer', async (number, brand) => {
    const offerId = await makeOffer(app.test);
    const { body, text } = await buy(app.test, { offersIds: [offerId], card: number });
    expect(body.data.payment.status).toBe('PAID');
    const [charge] = body.data.payment.charges;
    expect(charge).toMatchObject({
      status: 'succeeded',
      paymentMethod: { card: { brand, last4: number.slice(-4) } },
    });
    expect(charge.paymentMethod.card.wallet).toBeNull();
    expect(text).not.toContain(number);
  });

  it('in a wallet shows the wallet with digits of its own', async () => {
    const offerId = await makeOffer(app.test);
    const { body } = await buy(app.test, { offersIds: [offerId], wallet: 'apple_pay' });
    const { card } = body.data.payment.charges[0].paymentMethod;
    expect(card).toMatchObject({
      last4: '4242',
      wallet: { type: 'apple_pay', dynamicLast4: expect.stringMatching(/^\d{4}$/) },
    });
    expect(card.wallet.dynamicLast4).not.toBe('4242');
  });

  it('that is none of the sandbox’s is declined, and one that is no card number is refused', async () => {
    const offerId = await makeOffer(app.test);
    const real = await buy(app.test, { offersIds: [offerId], card: '4111111111111111' });
    expect(real.body.data.payment.status).toBe('FAILED');
    for (const number of ['4242424242424241', '4242', 'card', '424242424242424242424242']) {
      await expectRefusal(buy(app.test, { offersIds: [offerId], card: number }), 400, 'card_invalid');
    }
  });
});

describe('a free claim', () => {
  it('needs an e-mail alone, and no processor', async () => {
    const offerId = await makeOffer(app.test, { price: 0, freeProduct: true });
    const taken = (await listTaken(app)).length;
    const page = await openPage(app, `/checkout/${offerId}`);
    expect((await page.show()).body.data.checkout.fields).toMatchObject({
      paymentRequired: false,
      countries: [],
    });
    const { body } = await page.submit({ card: undefined, countryCode: undefined });
    expect(body.data.checkout).toMatchObject({ status: 'paid', receipt: { total: 0, invoiceNumber: null } });
    const { orderId } = body.data.checkout.receipt;
    const { order, payments } = (await app.test.get(`/v0/orders/${orderId}`)).body.data;
    expect(order).toMatchObject({ status: 'PAID', value: 0, tax: 0, fee: 0, country: null });
    expect(payments).toMatchObject([
      { type: 'claim_free', status: 'PAID', invoiceNumber: null, charges: [] },
    ]);
    expect(typesOf(await listTold(app, orderId))).toEqual(['payment_success']);
    expect((await listTaken(app)).length).toBe(taken);
  });

  it('uses up no code, which takes nothing off it, and a sale neither', async () => {
    const offerId = await makeOffer(app.test, { price: 0, freeProduct: true });
    const terms = { amount: 10, amountType: 'percentage', includesAllOffers: true, purchaseLimit: 1 };
    const make = async (discount: object) =>
      (await app.test.post('/v0/discounts/create', { ...terms, ...discount })).body.data.discount.id;
    const ids = [await make({ type: 'code', discountCode: 'FREE-TOO' }), await make({ type: 'sale' })];
    const { body } = await buy(app.test, { offersIds: [offerId], discountCode: 'FREE-TOO' });
    expect(body.data.order).toMatchObject({ status: 'PAID', value: 0, discount: null });
    for (const id of ids) {
      const { discount } = (await app.test.get(`/v0/discounts/${id}`)).body.data;
      expect(discount).toMatchObject({ timesUsed: 0, state: 'active' });
      await app.test.patch(`/v0/discounts/${id}/archive`, {});
    }
  });

  it('works in live mode without a processor; what costs money is told that there is none', async () => {
    const free = await makeOffer(app.live, { price: 0, freeProduct: true });
    const page = await openPage(app, `/checkout/${free}`);
    const { body } = await page.submit({ card: undefined });
    expect(body.data.checkout).toMatchObject({ status: 'paid', testMode: false });
    const costly = await openPage(app, `/checkout/${await makeOffer(app.live)}`);
    expect((await costly.show()).body.data.checkout).toMatchObject({
      status: 'unavailable',
      unavailableReason: { code: 'processor_not_configured' },
    });
    await expectRefusal(costly.submit(), 409, 'processor_not_configured');
    const purchase = buy(app.live, { offersIds: [free] });
    await expectRefusal(purchase, 400, 'test_mode_only');
  });
});

describe('an order that a code brings to 0', () => {
  it('is PAID without a charge and keeps its type', async () => {
    const offerId = await makeOffer(app.test);
    const code = { type: 'code', discountCode: 'ALLFREE', amount: 100, amountType: 'percentage' };
    await app.test.post('/v0/discounts/create', { ...code, includesAllOffers: true });
    const { body } = await buy(app.test, { offersIds: [offerId], discountCode: 'ALLFREE' });
    expect(body.data.order).toMatchObject({ status: 'PAID', value: 0, tax: 0, type: 'one_time' });
    expect(body.data.payment).toMatchObject({ type: 'one_time', value: 0, invoiceNumber: null, charges: [] });
    expect(typesOf(await listTold(app, body.data.order.id))).toEqual(['payment_success']);
  });

  it('of a subscription still takes a card', async () => {
    const planId = await makePlanOffer(app.test);
    const code = { type: 'code', discountCode: 'FIRSTFREE', amount: 100, amountType: 'percentage' };
    await app.test.post('/v0/discounts/create', { ...code, includesAllOffers: true });
    const page = await openPage(app, `/checkout/${planId}`);
    const form = { discountCode: 'FIRSTFREE' };
    await expectRefusal(page.submit({ ...form, card: undefined }), 400, 'invalid_input');
    expect((await page.submit(form)).body.data.checkout.status).toBe('paid');
    const declined = await buy(app.test, { offersIds: [planId], ...form, card: '4000000000000002' });
    expect(declined.body.data).toMatchObject({
      order: { status: 'FAILED' },
      subscription: { status: 'incomplete' },
    });
  });
});

describe('a subscription', () => {
  it('is active from the payment, for one interval', async () => {
    const planId = await makePlanOffer(app.test, { price: 1000 });
    const { body } = await buy(app.test, { offersIds: [planId], quantity: 2 });
    const { order, payment, subscription } = body.data;
    expect(order).toMatchObject({
      status: 'PAID',
      type: 'subscription_initial',
      value: 2380,
      subscriptionId: order.number,
    });
    expect(payment).toMatchObject({ type: 'subscription_initial', number: order.number });
    expect(subscription).toMatchObject({
      id: order.number,
      status: 'active',
      value: 2000,
      currentIntervalStart: order.paidAt,
      trialStart: null,
      trialEnd: null,
      cancelAtIntervalEnd: false,
    });
    const end = new Date(order.paidAt);
    const days = new Date(Date.UTC(end.getUTCFullYear(), end.getUTCMonth() + 2, 0)).getUTCDate();
    expect(new Date(subscription.currentIntervalEnd).getUTCDate()).toBe(Math.min(end.getUTCDate(), days));
    const told = await listTold(app, order.id);
    expect(typesOf(told)).toEqual(['subscription_created', 'subscription_updated', 'payment_success']);
    const statuses = told.map(
      ({ body: event }) => (event.data as { subscription: { status: string } }).subscription.status,
    );
    expect(statuses).toEqual(['incomplete', 'active', 'active']);
  });

  it('with a trial charges nothing now and is trialing until its end', async () => {
    const planId = await makePlanOffer(app.test, { trialInterval: 'day', trialIntervalCount: 14 });
    const { body } = await buy(app.test, { offersIds: [planId] });
    const { order, payment, subscription } = body.data;
    expect(order).toMatchObject({ status: 'PAID', value: 0, tax: 0, fee: 0 });
    expect(payment).toMatchObject({
      type: 'subscription_initial',
      status: 'PAID',
      value: 0,
      invoiceNumber: null,
    });
    expect(subscription).toMatchObject({ status: 'trialing', value: 1999, trialStart: order.paidAt });
    expect(subscription.trialEnd - subscription.trialStart).toBe(14 * 86_400_000);
    expect(subscription).toMatchObject({
      currentIntervalStart: subscription.trialStart,
      currentIntervalEnd: subscription.trialEnd,
    });
    expect(typesOf(await listTold(app, order.id))).toEqual([
      'subscription_created',
      'subscription_updated',
      'payment_success',
    ]);
  });

  it('with a trial starts only after a card that is good', async () => {
    const planId = await makePlanOffer(app.test, { trialInterval: 'week', trialIntervalCount: 1 });
    const { body } = await buy(app.test, { offersIds: [planId], card: '4000000000009987' });
    expect(body.data).toMatchObject({
      order: { status: 'FAILED', value: 0 },
      subscription: { status: 'incomplete' },
    });
  });

  it('is not sold in a cart with other things', async () => {
    const [planId, offerId] = [await makePlanOffer(app.test), await makeOffer(app.test)];
    await expectRefusal(buy(app.test, { offersIds: [planId, offerId] }), 400, 'mixed_offers');
    const twoPlans = [planId, await makePlanOffer(app.test)];
    await expectRefusal(buy(app.test, { offersIds: twoPlans }), 400, 'mixed_offers');
  });
});

describe('what is not for sale', () => {
  it.each([
    ['a draft offer', { status: 'DRAFT' }, {}],
    ['an offer of a draft product', {}, { status: 'DRAFT' }],
  ])('%s is refused', async (_name, offer, product) => {
    const productId = await makeProduct(app.test, product);
    const offerId = await makeOffer(app.test, { ...offer, productId });
    await expectRefusal(buy(app.test, { offersIds: [offerId] }), 400, 'offer_not_for_sale');
  });

  it('an archived offer and an offer of an archived product are refused', async () => {
    const [one, two] = [await makeOffer(app.test), await makeOffer(app.test)];
    await app.test.patch(`/v0/offers/${one}/archive`);
    await expectRefusal(buy(app.test, { offersIds: [one] }), 400, 'offer_not_for_sale');
    const { productId } = (await app.test.get(`/v0/offers/${two}`)).body.data.offer;
    await app.test.patch(`/v0/products/${productId}/archive`);
    await expectRefusal(buy(app.test, { offersIds: [two] }), 400, 'offer_not_for_sale');
  });

  it('a hidden product sells by its link', async () => {
    const productId = await makeProduct(app.test, { status: 'HIDDEN' });
    const offerId = await makeOffer(app.test, { productId });
    expect((await buy(app.test, { offersIds: [offerId] })).body.data.order.status).toBe('PAID');
  });
});

describe('numbers', () => {
  it('of invoices have no gap, whatever failed in between, also under a crowd', async () => {
    const offerId = await makeOffer(app.test);
    const cards = ['4242424242424242', '4000000000000002', '4242424242424242'];
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, i) =>
        buy(app.test, { offersIds: [offerId], card: cards[i % 3], userEmail: `n${i % 5}@example.com` }),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const rows = await app.service.db
      .selectFrom('payments')
      .select(['invoiceNumber', 'value', 'status'])
      .where('workspaceId', '=', app.test.scope.workspaceId)
      .where('testMode', '=', true)
      .execute();
    const numbers = rows
      .flatMap(({ invoiceNumber }) => (invoiceNumber === null ? [] : [invoiceNumber]))
      .sort();
    const year = new Date().getUTCFullYear();
    expect(numbers).toEqual(numbers.map((_, i) => `TEST-INV-${year}-${String(i + 1).padStart(6, '0')}`));
    for (const { invoiceNumber, status, value } of rows) {
      expect(invoiceNumber !== null).toBe(status === 'PAID' && value > 0n);
    }
  });

  it('of orders are unguessable and are found with and without a #, in either case', async () => {
    const { body } = await buy(app.test, { offersIds: [await makeOffer(app.test)] });
    const { number, id } = body.data.order;
    expect(number).toMatch(/^[0-9A-HJKMNP-TV-Z]{12}$/);
    for (const spelling of [number, `%23${number}`, number.toLowerCase(), id]) {
      expect((await app.test.get(`/v0/orders/${spelling}`)).body.data.order.id, spelling).toBe(id);
    }
    for (const spelling of [number, `%23${number}`, body.data.payment.id]) {
      expect((await app.test.get(`/v0/payments/${spelling}`)).body.data.payment.id).toBe(
        body.data.payment.id,
      );
    }
  });
});

describe('an event', () => {
  it('tells the whole sale in its envelope, and of a key only its end', async () => {
    const offerId = await makeOffer(app.test);
    const secret = 'WHOLE-KEY-TEXT-9876';
    await app.test.post(`/v0/offers/${offerId}/keys/add`, { productKeys: [secret, 'SHORT-1'] });
    const { body } = await buy(app.test, { offersIds: [offerId], quantity: 2 });
    const [told] = await listTold(app, body.data.order.id);
    const event = told?.body as { data: Record<string, unknown> & { items: unknown[] } };
    expect(told?.body).toMatchObject({
      type: 'payment_success',
      testMode: true,
      createdAt: body.data.order.paidAt,
    });
    expect(event.data.order).toEqual(body.data.order);
    expect(event.data.payment).toEqual(body.data.payment);
    expect(event.data.user).toEqual(event.data.customer);
    expect(event.data.items[0]).toMatchObject({
      quantity: 2,
      offer: { id: offerId },
      keys: expect.arrayContaining([
        { id: expect.any(String), last4: '9876' },
        { id: expect.any(String), last4: null },
      ]),
    });
    const text = JSON.stringify(told?.body);
    for (const hidden of [secret, 'SHORT-1', '4242424242424242', 'passwordHash', app.test.keys.secretKey]) {
      expect(text).not.toContain(hidden);
    }
  });

  it('is listed by the API as it was stored, oldest last', async () => {
    const { body } = await buy(app.test, { offersIds: [await makePlanOffer(app.test)] });
    const query = { orderId: body.data.order.id };
    const listed = (await app.test.get('/v0/events/list', { query })).body.data.events;
    const told = await listTold(app, body.data.order.id);
    expect(listed.map(({ id }: { id: string }) => id)).toEqual(told.map(({ id }) => id).reverse());
    const { deliveryCounts: _, ...first } = listed.at(-1);
    expect(first).toEqual(told[0]?.body);
  });

  it('of a key is shown whole to the secret key only', async () => {
    const offerId = await makeOffer(app.test);
    await app.test.post(`/v0/offers/${offerId}/keys/add`, { productKeys: ['SECRET-KEY-ABCD'] });
    const { body } = await buy(app.test, { offersIds: [offerId] });
    const path = `/v0/orders/${body.data.order.id}`;
    expect((await app.test.get(path)).text).toContain('SECRET-KEY-ABCD');
    const masked = await app.test.get(path, { keys: 'public' });
    expect(masked.text).not.toContain('SECRET-KEY');
    expect(masked.text).toContain('ABCD');
  });
});

it('leaves nothing broken that must always hold', () => expectInvariants(app));
