/** What is told of each change: exactly these events, in this order, each a whole snapshot of its moment. */
import { describe, expect, it } from 'vitest';
import { buy, card, openPage } from '../support/buying.ts';
import { AUTHENTICATES, PAYS_ONCE, VISA } from '../support/cards.ts';
import { advance, DAY_MS, MINUTE_MS } from '../support/clock.ts';
import type { Answer, TestApp } from '../support/harness.ts';
import { makeOffer, makePlanOffer, makeProduct } from '../support/make-catalogue.ts';
import { useShop } from '../support/shop.ts';
import { type Subscribed, show, subscribe } from '../support/subscribing.ts';

const CREATED = ['subscription_created', 'subscription_updated', 'payment_success'];
const RENEWED = ['payment_success', 'subscription_interval'];
const ENDED = ['subscription_updated', 'subscription_cancelled'];

let app: TestApp;
let silverId: string;
let goldId: string;
let trialId: string;

useShop(async (made) => {
  app = made;
  silverId = await makePlanOffer(app.test, { price: 1000, name: 'Silver' });
  goldId = await makePlanOffer(app.test, { price: 3000, name: 'Gold' });
  const trial = { trialInterval: 'day', trialIntervalCount: 14 };
  trialId = await makePlanOffer(app.test, { price: 1000, ...trial });
});

interface ListedEvent {
  id: string;
  type: string;
  // The description leaves an event's data open.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  data: any;
}

/** A life whose events are read bit by bit, as a merchant reads them. */
interface Life extends Subscribed {
  /** Those since the last call, oldest first. */
  listNew(): Promise<ListedEvent[]>;
  /** Fails on one that is missing, on one too many, and on another order. */
  expectTold(types: string[]): Promise<void>;
}

function follow(filter: Record<string, string>, subscribed: Subscribed): Life {
  let seen = 0;
  async function listNew() {
    const query = { ...filter, take: '100' };
    const { body } = await app.test.get('/v0/events/list', { query });
    const all: ListedEvent[] = body.data.events.toReversed();
    const fresh = all.slice(seen);
    seen = all.length;
    return fresh;
  }
  const expectTold = async (types: string[]) =>
    expect((await listNew()).map(({ type }) => type)).toEqual(types);
  return { ...subscribed, listNew, expectTold };
}

const buyer = () => ({ userEmail: `${Math.random()}@example.com` });

async function start(offerId: string, body: Record<string, unknown> = {}): Promise<Life> {
  const subscribed = await subscribe(app, offerId, { ...buyer(), ...body });
  return follow({ subscriptionId: subscribed.number }, subscribed);
}

/** One that has told of its beginning already. */
async function begun(offerId: string, body: Record<string, unknown> = {}): Promise<Life> {
  const life = await start(offerId, body);
  await life.expectTold(CREATED);
  return life;
}

async function buyOnce(offerId: string): Promise<Life> {
  const { body } = await buy(app.test, { offersIds: [offerId], ...buyer() });
  return followOrder(body.data.order);
}

/** Of an order without a subscription, whose row's id is not asked for. */
function followOrder({ id: orderId, userId, number }: { id: string; userId: string; number: string }): Life {
  return follow({ orderId }, { id: '', number, orderId, userId });
}

async function expectDone(request: Promise<Answer>): Promise<Answer> {
  const answer = await request;
  expect(answer.status, answer.text).toBe(200);
  return answer;
}

const change = ({ number }: Life, verb: string, body: Record<string, unknown> = {}) =>
  expectDone(app.test.patch(`/v0/subscriptions/${number}/${verb}`, body));
const refund = ({ orderId }: Life, body: Record<string, unknown> = {}) =>
  expectDone(app.test.post(`/v0/orders/${orderId}/refunds`, body));
const giveCard = ({ userId }: Life, number: string) =>
  expectDone(
    app.test.patch(`/v0/users/${userId}/update`, { paymentData: { sandboxCustomerId: `card_${number}` } }),
  );
const days = (count: number) => advance(app, app.test.scope, count * DAY_MS);

async function toIntervalEnd(life: Life): Promise<void> {
  const { currentIntervalEnd } = await show(app, life);
  const { body } = await app.test.get('/v0/test-clock');
  await advance(app, app.test.scope, currentIntervalEnd - body.data.testClock.now + MINUTE_MS);
}

describe('a first purchase tells', () => {
  it('of one item: that it is paid', async () => {
    const life = await buyOnce(await makeOffer(app.test));
    await life.expectTold(['payment_success']);
  });

  it('of a free claim: that it is paid', async () => {
    const life = await buyOnce(await makeOffer(app.test, { price: 0, freeProduct: true }));
    await life.expectTold(['payment_success']);
  });

  it('of a subscription: that it came into being, became active, and is paid', async () => {
    const life = await start(silverId);
    const told = await life.listNew();
    expect(told.map(({ type, data }) => [type, data.subscription.status, data.payment.status])).toEqual([
      ['subscription_created', 'incomplete', 'PENDING'],
      ['subscription_updated', 'active', 'PAID'],
      ['payment_success', 'active', 'PAID'],
    ]);
  });

  it('of one that the API created: the same', async () => {
    const user = { ...buyer(), paymentData: { sandboxCustomerId: `card_${VISA}` } };
    const { userEmail: email, ...fields } = user;
    await expectDone(
      app.test.post('/v0/users/create', { email, ...fields, billingDetails: { countryCode: 'DE' } }),
    );
    const { body } = await expectDone(
      app.test.post('/v0/subscriptions/create', { userEmail: email, offerId: silverId }),
    );
    const { id: number, orderId, userId } = body.data.subscription;
    await follow({ subscriptionId: number }, { id: '', number, orderId, userId }).expectTold(CREATED);
  });

  it('of a card that is declined, and of another one after it: both', async () => {
    const page = await openPage(app, `/checkout/${await makeOffer(app.test)}`);
    const email = `${Math.random()}@example.com`;
    await page.submit({ email, card: card('4000000000000002') });
    await page.submit({ email });
    const { body } = await app.test.get('/v0/orders/list', { query: { term: email } });
    await followOrder(body.data.orders[0]).expectTold(['payment_failed', 'payment_success']);
  });
});

describe('the end of a trial tells', () => {
  it('of its first charge and that it is active', async () => {
    const life = await begun(trialId);
    await days(15);
    await life.expectTold([...RENEWED, 'subscription_updated']);
  });

  it('that it was ended, when it was, and then the same', async () => {
    const life = await begun(trialId);
    await expectDone(app.test.post(`/v0/subscriptions/${life.number}/end-trial`));
    await life.expectTold(['subscription_updated', ...RENEWED, 'subscription_updated']);
  });
});

describe('a renewal tells', () => {
  it('of its payment and its interval, and a renewal of nothing the same', async () => {
    const life = await begun(goldId);
    await toIntervalEnd(life);
    await life.expectTold(RENEWED);
    const { currentIntervalStart: prorationDate } = await show(app, life);
    await change(life, 'update', { offerId: silverId, prorationDate });
    await life.expectTold(['subscription_updated']);
    await toIntervalEnd(life);
    const told = await life.listNew();
    expect(told.map(({ type, data }) => [type, data.payment.value])).toEqual(
      RENEWED.map((type) => [type, 0]),
    );
  });

  it('that is declined: each failure, past due once, and unpaid at the end', async () => {
    const life = await begun(silverId, { card: PAYS_ONCE });
    await toIntervalEnd(life);
    await life.expectTold(['payment_failed', 'subscription_updated']);
    for (const step of [2, 5, 7]) {
      await days(step);
      await life.expectTold(['payment_failed']);
    }
    await days(7);
    await life.expectTold(['payment_failed', 'subscription_updated']);
    await days(90);
    await life.expectTold([]);
  });

  it('that is recovered by a new card: payment, interval, and active again', async () => {
    const life = await begun(silverId, { card: PAYS_ONCE });
    await toIntervalEnd(life);
    await life.expectTold(['payment_failed', 'subscription_updated']);
    await giveCard(life, VISA);
    await app.wired.worker.runDue();
    await life.expectTold([...RENEWED, 'subscription_updated']);
  });

  it('whose outcome is unknown at first: once it is known', async () => {
    const life = await begun(silverId);
    await giveCard(life, '4000000000000119');
    await toIntervalEnd(life);
    await life.expectTold([]);
    await advance(app, app.test.scope, 10 * MINUTE_MS);
    await life.expectTold(RENEWED);
  });
});

describe('a change of plan tells', () => {
  it('at once of one whose lines wait, and with the renewal of its money', async () => {
    const life = await begun(silverId);
    await change(life, 'update', { offerId: goldId });
    await life.expectTold(['subscription_updated']);
    await toIntervalEnd(life);
    await life.expectTold(RENEWED);
  });

  it('with an invoice: that it is paid, then that it holds', async () => {
    const life = await begun(silverId);
    await change(life, 'update', { offerId: goldId, prorationBehavior: 'always_invoice' });
    await life.expectTold(['payment_success', 'subscription_updated']);
  });

  it('that is declined: the failure alone', async () => {
    const life = await begun(silverId, { card: PAYS_ONCE });
    await change(life, 'update', { offerId: goldId, prorationBehavior: 'always_invoice' });
    await life.expectTold(['payment_failed']);
  });

  it('that is called off before the buyer authenticates: nothing', async () => {
    const life = await begun(silverId);
    await giveCard(life, AUTHENTICATES);
    const { body } = await change(life, 'update', { offerId: goldId, prorationBehavior: 'always_invoice' });
    await expectDone(app.test.post(`/v0/payments/${body.data.payment.id}/cancel`));
    await life.expectTold([]);
  });

  it('to what it is already: nothing', async () => {
    const life = await begun(silverId);
    await change(life, 'update', { offerId: silverId });
    await life.expectTold([]);
  });

  it('to another interval at the end of this one: when it is asked, when it holds, and the renewal', async () => {
    const yearlyId = await makePlanOffer(app.test, { price: 9000, recurringInterval: 'year' });
    const life = await begun(silverId);
    await change(life, 'update', { offerId: yearlyId, prorationBehavior: 'none' });
    await life.expectTold(['subscription_updated']);
    await toIntervalEnd(life);
    await life.expectTold(['subscription_updated', ...RENEWED]);
  });
});

describe('an extra charge tells', () => {
  it('of its payment alone', async () => {
    const life = await begun(silverId);
    const items = [{ name: 'Setup', unitPrice: 500, currency: 'EUR' }];
    await expectDone(app.test.post(`/v0/subscriptions/${life.number}/charge`, { items }));
    await life.expectTold(['payment_success']);
  });
});

describe('a refund tells', () => {
  it('of each part, and of the rest, once each', async () => {
    const life = await buyOnce(await makeOffer(app.test));
    await life.expectTold(['payment_success']);
    await refund(life, { amount: 100 });
    await life.expectTold(['payment_refunded']);
    await refund(life);
    const told = await life.listNew();
    expect(told.map(({ type, data }) => [type, data.order.status])).toEqual([
      ['payment_refunded', 'REFUNDED'],
    ]);
  });

  it('of a renewal: nothing of the subscription', async () => {
    const life = await begun(silverId);
    await toIntervalEnd(life);
    await life.expectTold(RENEWED);
    await refund(life);
    await life.expectTold(['payment_refunded']);
  });
});

describe('an end tells', () => {
  it('at once: the change, then the cancellation', async () => {
    const life = await begun(silverId);
    await change(life, 'cancel');
    await life.expectTold(ENDED);
    await days(40);
    await life.expectTold([]);
  });

  it('with a refund: the refund after it', async () => {
    const life = await begun(silverId);
    await days(3);
    await change(life, 'cancel', { refund: true });
    await life.expectTold([...ENDED, 'payment_refunded']);
  });

  it('with the interval: the flag once, and the end when it comes', async () => {
    const life = await begun(silverId);
    await change(life, 'cancel', { cancelOption: 'endInterval' });
    await change(life, 'cancel', { cancelOption: 'endInterval' });
    await life.expectTold(['subscription_updated']);
    await toIntervalEnd(life);
    await life.expectTold(ENDED);
  });

  it('that is taken back: the flag twice, and a renewal as ever', async () => {
    const life = await begun(silverId);
    await change(life, 'cancel', { cancelOption: 'endInterval' });
    await change(life, 'update', { cancelAtIntervalEnd: false });
    await life.expectTold(['subscription_updated', 'subscription_updated']);
    await toIntervalEnd(life);
    await life.expectTold(RENEWED);
  });

  it('of an order: of its subscription the same, of another nothing', async () => {
    const life = await begun(silverId);
    await expectDone(app.test.patch(`/v0/orders/${life.orderId}/cancel`));
    await life.expectTold(ENDED);
    const single = await buyOnce(await makeOffer(app.test));
    await expectDone(app.test.patch(`/v0/orders/${single.orderId}/cancel`));
    await single.expectTold(['payment_success']);
  });

  it('of a run of retries, where the store wants it so: after the last failure', async () => {
    const setting = (end: string) => expectDone(app.test.patch('/v0/settings/update', { dunning: { end } }));
    await setting('canceled');
    const life = await begun(silverId, { card: PAYS_ONCE });
    await days(60);
    const retries = Array(4).fill('payment_failed');
    await life.expectTold(['payment_failed', 'subscription_updated', ...retries, ...ENDED]);
    await setting('unpaid');
  });
});

describe('a pause tells', () => {
  it('of itself and of its end, and of no period that went by', async () => {
    const life = await begun(silverId);
    await change(life, 'pauseCollection');
    await life.expectTold(['subscription_updated']);
    await days(65);
    await life.expectTold([]);
    await change(life, 'resume');
    await life.expectTold(['subscription_updated']);
  });

  it('with drafts: of each that is paid at its end', async () => {
    const life = await begun(silverId);
    await change(life, 'pauseCollection', { invoicingBehavior: 'keep_as_draft' });
    await days(65);
    await life.expectTold(['subscription_updated']);
    await change(life, 'resume');
    await life.expectTold([...RENEWED, ...RENEWED, 'subscription_updated']);
  });

  it('with drafts that are declined: the first failure, and past due', async () => {
    const life = await begun(silverId, { card: PAYS_ONCE });
    await change(life, 'pauseCollection', { invoicingBehavior: 'keep_as_draft' });
    await days(65);
    await change(life, 'resume');
    await life.expectTold(['subscription_updated', 'payment_failed', 'subscription_updated']);
  });

  it('with uncollectible periods: no payment of them', async () => {
    const life = await begun(silverId);
    await change(life, 'pauseCollection', { invoicingBehavior: 'mark_uncollectible' });
    await days(65);
    await change(life, 'resume');
    await life.expectTold(['subscription_updated', 'subscription_updated']);
  });

  it('that ends by itself: of that at its moment', async () => {
    const life = await begun(silverId);
    const { currentIntervalStart } = await show(app, life);
    await change(life, 'pauseCollection', { resumeAt: currentIntervalStart + 5 * DAY_MS });
    await life.expectTold(['subscription_updated']);
    await days(6);
    await life.expectTold(['subscription_updated']);
  });
});

describe('the data of an event', () => {
  const PRODUCT_KEYS = ['id', 'internalId', 'name', 'object', 'type'];

  it('holds the whole sale, with products and offers in short form and not a whole key', async () => {
    const productId = await makeProduct(app.test, { name: 'Boxed' });
    const { body } = await app.test.post(`/v0/products/${productId}/variants/add`, { name: 'Deluxe' });
    const variantId = body.data.variant.id;
    const offerId = await makeOffer(app.test, { productId, variantId });
    await expectDone(
      app.test.post(`/v0/offers/${offerId}/keys/add`, { productKeys: ['AAAAA-BBBBB-CCCCC-9999'] }),
    );
    const [told] = await (await buyOnce(offerId)).listNew();
    expect(told?.data).toMatchObject({
      order: { object: 'order', status: 'PAID' },
      payment: { object: 'payment', status: 'PAID', type: 'one_time' },
      customer: { object: 'user' },
    });
    expect(told?.data.user).toEqual(told?.data.customer);
    expect(Object.keys(told?.data).toSorted()).toEqual([
      'customFields',
      'customer',
      'items',
      'order',
      'payment',
      'user',
    ]);
    expect(told?.data.payment.payUrl).toBeNull();
    const [item] = told?.data.items ?? [];
    expect(item).toMatchObject({
      object: 'item',
      value: 1999,
      quantity: 1,
      currency: 'EUR',
      product: { id: productId, name: 'Boxed', type: 'SoftwareKey' },
      variant: { id: variantId, name: 'Deluxe' },
      offer: { id: offerId },
      customFields: {},
      keys: [{ id: expect.any(String), last4: '9999' }],
    });
    expect(Object.keys(item.product).toSorted()).toEqual(PRODUCT_KEYS);
    expect(Object.keys(item.keys[0]).toSorted()).toEqual(['id', 'last4']);
    expect(JSON.stringify(told)).not.toContain('AAAAA');
  });

  it('of a subscription also holds it and its last payment, whatever the event', async () => {
    const life = await start(silverId);
    await toIntervalEnd(life);
    await change(life, 'update', { offerId: goldId, prorationBehavior: 'always_invoice' });
    await change(life, 'pauseCollection');
    await refund(life);
    await change(life, 'cancel');
    const told = await life.listNew();
    expect(told.map(({ type }) => type)).toEqual([
      ...CREATED,
      ...RENEWED,
      'payment_success',
      'subscription_updated',
      'subscription_updated',
      'payment_refunded',
      ...ENDED,
    ]);
    for (const { type, data } of told) {
      expect(data, type).toMatchObject({
        order: { object: 'order', id: life.orderId, subscriptionId: life.number },
        payment: { object: 'payment', orderId: life.orderId },
        customer: { object: 'user', id: life.userId },
        subscription: { object: 'subscription', id: life.number },
        lastPayment: { object: 'payment' },
      });
      expect(data.user).toEqual(data.customer);
      expect(data.items.length, type).toBeGreaterThan(0);
      for (const item of data.items) {
        expect(item, type).toMatchObject({ object: 'item', product: { name: 'Club' }, variant: null });
        expect([silverId, goldId]).toContain(item.offer.id);
        expect(Object.keys(item.product).toSorted()).toEqual(PRODUCT_KEYS);
      }
    }
  });
});
