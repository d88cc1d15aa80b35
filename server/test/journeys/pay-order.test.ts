/** The page of a declined first payment: the order is paid there as it was ordered, by whoever has its link. */
import { afterEach, describe, expect, it } from 'vitest';
import { authenticate, buy, card, listTaken } from '../support/buying.ts';
import { AUTHENTICATES, DECLINED, VISA } from '../support/cards.ts';
import { advance, DAY_MS } from '../support/clock.ts';
import { expectInvariants } from '../support/expect-invariants.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import type { TestApp } from '../support/harness.ts';
import { makeOffer, makePlanOffer } from '../support/make-catalogue.ts';
import { useShop } from '../support/shop.ts';

let app: TestApp;
let count = 0;

useShop((made) => {
  app = made;
});
afterEach(() => expectInvariants(app));

function openPage(payUrl: string) {
  const path = new URL(payUrl).pathname;
  const base = path.replace('/pay/', '/payment-pages/');
  const post = (body: Record<string, unknown>) =>
    app.test.request('POST', `${base}/pay`, { keys: 'none', body });
  return {
    path,
    look: async () => (await app.test.request('GET', base, { keys: 'none' })).body.data.debt,
    pay: (number: string, more = {}) => post({ card: card(number), ...more }),
    post,
  };
}

/** An order of the API's that a card has declined, and the page of its payment. */
async function startDeclined(body: Record<string, unknown>) {
  count += 1;
  const userEmail = `declined-${count}@example.com`;
  const { body: answer } = await buy(app.test, { card: DECLINED, userEmail, ...body });
  const { order, payment } = answer.data;
  const read = async () => (await app.test.get(`/v0/orders/${order.id}`)).body.data;
  return { order, userEmail, read, ...openPage(payment.payUrl) };
}

const sumTaken = async () => (await listTaken(app)).map(({ amount }) => amount);

describe('the page of a declined order', () => {
  it('is paid for the quantity that the API chose, at once however often it is pressed', async () => {
    const offerId = await makeOffer(app.test, { price: 1000 });
    const { look, pay, read, order } = await startDeclined({ offersIds: [offerId], quantity: 3 });
    const shown = await look();
    expect(shown).toMatchObject({
      kind: 'order',
      status: 'open',
      purchase: {
        orderNumber: order.number,
        items: [{ quantity: 3, amount: 3000 }],
        dueNow: 3570,
        failure: { reason: 'card_declined' },
      },
    });
    expect(JSON.stringify(shown)).not.toContain('example.com');
    const before = (await sumTaken()).length;
    const { fingerprint } = shown.purchase;
    const answers = await Promise.all([1, 2, 3].map(() => pay(VISA, { fingerprint })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await sumTaken()).slice(before)).toEqual([3570]);
    expect(await look()).toMatchObject({ status: 'paid', purchase: null });
    const { order: paid, items } = await read();
    expect(paid).toMatchObject({ status: 'PAID', value: 3570, totalItems: 3 });
    expect(items).toMatchObject([{ quantity: 3 }]);
    await pay(VISA);
    expect((await sumTaken()).slice(before)).toEqual([3570]);
  });

  it('keeps the price of the order, whatever has become of the offer’s and of a sale', async () => {
    const offerId = await makeOffer(app.test, { price: 1000 });
    const sale = { type: 'sale', name: 'Spring', amount: 10, amountType: 'percentage' };
    const validUntil = Date.now() + 365 * DAY_MS;
    const made = await app.test.post('/v0/discounts/create', {
      ...{ ...sale, validUntil, includesAllOffers: false },
      includedOffers: [offerId],
    });
    expect(made.status).toBe(200);
    const { order, look, pay, read } = await startDeclined({ offersIds: [offerId] });
    expect(order.value).toBe(1071);
    await app.test.patch(`/v0/offers/${offerId}/update`, { price: 9000 });
    expect((await look()).purchase).toMatchObject({ dueNow: 1071, discount: 100 });
    await pay(VISA);
    expect((await read()).order).toMatchObject({ status: 'PAID', value: 1071 });
  });

  it('sells nothing that is not for sale any more', async () => {
    const offerId = await makeOffer(app.test);
    const { look, pay } = await startDeclined({ offersIds: [offerId] });
    await app.test.patch(`/v0/offers/${offerId}/archive`);
    expect(await look()).toMatchObject({ status: 'unavailable', purchase: null });
    const before = await sumTaken();
    await expectRefusal(pay(VISA), 400, 'offer_not_for_sale');
    expect(await sumTaken()).toEqual(before);
  });

  it('Y18 finds stock that is gone meanwhile sold out, and nothing is charged', async () => {
    const offerId = await makeOffer(app.test);
    await app.test.post(`/v0/offers/${offerId}/keys/add`, { productKeys: [`LAST-${count}`] });
    const { pay, read } = await startDeclined({ offersIds: [offerId] });
    await buy(app.test, { offersIds: [offerId], userEmail: 'quick@example.com' });
    const before = await sumTaken();
    await expectRefusal(pay(VISA), 409, 'sold_out');
    expect(await sumTaken()).toEqual(before);
    expect((await read()).order.status).toBe('FAILED');
  });

  it('Y18 tells the new total where a code is gone meanwhile, and takes that once it is agreed to', async () => {
    const offerId = await makeOffer(app.test, { price: 1000 });
    const code = { type: 'code', amount: 10, amountType: 'percentage', includesAllOffers: true };
    await app.test.post('/v0/discounts/create', { ...code, discountCode: 'ONCE', purchaseLimit: 1 });
    const { look, pay, read } = await startDeclined({ offersIds: [offerId], discountCode: 'ONCE' });
    const { fingerprint } = (await look()).purchase;
    const quick = { offersIds: [offerId], discountCode: 'ONCE', userEmail: 'quicker@example.com' };
    expect((await buy(app.test, quick)).body.data.order.value).toBe(1071);
    const before = await sumTaken();
    const refused = await pay(VISA, { fingerprint });
    expect([refused.status, refused.body.error.code]).toEqual([409, 'price_changed']);
    const [{ quote }] = refused.body.error.details;
    expect(quote).toMatchObject({ dueNow: 1190, discount: 0 });
    expect(await sumTaken()).toEqual(before);
    await pay(VISA, { fingerprint: quote.fingerprint });
    expect((await read()).order).toMatchObject({ status: 'PAID', value: 1190 });
  });

  it('leads to the bank and back to itself', async () => {
    const { path, look, pay } = await startDeclined({ offersIds: [await makeOffer(app.test)] });
    const { body } = await pay(AUTHENTICATES);
    expect(body.data.debt).toMatchObject({ kind: 'order', status: 'requires_action' });
    expect(await authenticate(app, body.data.debt.actionUrl, 'approve')).toEqual({
      status: 303,
      location: path,
    });
    expect((await look()).status).toBe('paid');
  });

  it('is paid another way while the bank asks, which stops what waits for it', async () => {
    const before = await sumTaken();
    const { look, pay } = await startDeclined({ offersIds: [await makeOffer(app.test, { price: 1000 })] });
    const { body } = await pay(AUTHENTICATES);
    const waiting = body.data.debt.actionUrl;
    expect(await look()).toMatchObject({
      status: 'requires_action',
      purchase: { dueNow: 1190, failure: null },
    });
    expect((await pay(VISA)).body.data.debt.status).toBe('paid');
    await authenticate(app, waiting, 'approve');
    expect(await sumTaken()).toEqual([...before, 1190]);
  });

  it('tells of another decline, and of details that cannot be', async () => {
    const { look, pay } = await startDeclined({ offersIds: [await makeOffer(app.test)] });
    const { body } = await pay('4000000000009995');
    expect(body.data.debt).toMatchObject({
      status: 'open',
      purchase: { failure: { reason: 'insufficient_funds' } },
    });
    await expectRefusal(pay('4242424242424241'), 400, 'card_invalid');
    expect((await look()).status).toBe('open');
  });

  it('Y15 charges no stored card', async () => {
    const { post } = await startDeclined({ offersIds: [await makeOffer(app.test)] });
    await expectRefusal(post({}), 401, 'proof_required');
  });

  it('is over with the order', async () => {
    const { look, pay } = await startDeclined({ offersIds: [await makeOffer(app.test)] });
    await advance(app, app.test.scope, 2 * DAY_MS);
    expect((await look()).status).toBe('closed');
    const before = await sumTaken();
    await pay(VISA);
    expect(await sumTaken()).toEqual(before);
  });
});

describe('the page of a declined subscription', () => {
  it('starts it, with its terms, by a card that renews it', async () => {
    const offerId = await makePlanOffer(app.test, { price: 500, recurringInterval: 'week' });
    const { look, pay, read } = await startDeclined({ offersIds: [offerId] });
    expect((await look()).purchase).toMatchObject({
      dueNow: 595,
      renewal: { amount: 595, interval: 'week', count: 1 },
    });
    await pay(VISA);
    expect((await read()).subscription.status).toBe('active');
    await advance(app, app.test.scope, 8 * DAY_MS);
    const { subscription, payments } = await read();
    expect(subscription.status).toBe('active');
    expect(payments.map(({ status }: { status: string }) => status)).toEqual(['PAID', 'PAID']);
  });

  it('that the API has made is paid by another card than the stored one', async () => {
    const offerId = await makePlanOffer(app.test, { price: 500, recurringInterval: 'week' });
    const { body } = await app.test.post('/v0/users/create', {
      email: `api-${count}@example.com`,
      billingDetails: { countryCode: 'DE' },
      paymentData: { sandboxCustomerId: `card_${DECLINED}` },
    });
    const created = await app.test.post('/v0/subscriptions/create', {
      userId: body.data.user.id,
      items: [{ offerId }],
    });
    const { subscription, payment } = created.body.data;
    expect([subscription.status, payment.status]).toEqual(['incomplete', 'FAILED']);
    const { look, pay, post } = openPage(payment.payUrl);
    expect((await look()).purchase).toMatchObject({ dueNow: 595, fingerprint: 'EUR:595:595' });
    await expectRefusal(post({}), 401, 'proof_required');
    const before = await sumTaken();
    const answers = await Promise.all([pay(VISA), pay(VISA)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect((await sumTaken()).slice(before.length)).toEqual([595]);
    expect((await look()).status).toBe('paid');
    await advance(app, app.test.scope, 8 * DAY_MS);
    const { body: shown } = await app.test.get(`/v0/subscriptions/${subscription.id}`);
    expect(shown.data.subscription.status).toBe('active');
  });
});
