import { describe, expect, it } from 'vitest';
import { listTaken, listTold } from '../../test/support/buying.ts';
import { DECLINED, VISA } from '../../test/support/cards.ts';
import { advance, DAY_MS } from '../../test/support/clock.ts';
import { expectRefusal } from '../../test/support/expect-refusal.ts';
import type { TestApp } from '../../test/support/harness.ts';
import { makeOffer, makePlanOffer } from '../../test/support/make-catalogue.ts';
import { useShop } from '../../test/support/shop.ts';

const UNKNOWN_ID = '018f3c5e-7b2a-7c3d-8e4f-5a6b7c8d9e0f';
const UNKNOWN = '000000000000';

let app: TestApp;
let silverId: string;
let goldId: string;
let yearlyId: string;
let trialId: string;
let oneTimeId: string;

useShop(async (made) => {
  app = made;
  silverId = await makePlanOffer(app.test, { price: 1000, name: 'Silver' });
  goldId = await makePlanOffer(app.test, { price: 3000, name: 'Gold' });
  yearlyId = await makePlanOffer(app.test, { price: 9000, name: 'Yearly', recurringInterval: 'year' });
  trialId = await makePlanOffer(app.test, { price: 1000, trialInterval: 'day', trialIntervalCount: 14 });
  oneTimeId = await makeOffer(app.test);
});

const makeUser = async (card: string | null = VISA, billingDetails: object = { countryCode: 'DE' }) => {
  const paymentData = card === null ? {} : { paymentData: { sandboxCustomerId: `card_${card}` } };
  const email = `${Math.random()}@example.com`;
  const { body } = await app.test.post('/v0/users/create', { email, billingDetails, ...paymentData });
  return body.data.user as { id: string; email: string };
};
const create = async (body: Record<string, unknown>, card: string | null = VISA) =>
  app.test.post('/v0/subscriptions/create', { userId: (await makeUser(card)).id, ...body });
const start = async (body: Record<string, unknown> = { offerId: silverId }) =>
  (await create(body)).body.data.subscription as { id: string; orderId: string; currentIntervalEnd: number };
const update = ({ id }: { id: string }, body: Record<string, unknown>) =>
  app.test.patch(`/v0/subscriptions/${id}/update`, body);
const charge = ({ id }: { id: string }, body: Record<string, unknown>) =>
  app.test.post(`/v0/subscriptions/${id}/charge`, body);
const now = async () => (await app.test.get('/v0/test-clock')).body.data.testClock.now as number;

describe('POST /v0/subscriptions/create', () => {
  describe('200', () => {
    it('charges the stored card and answers when the sandbox has decided', async () => {
      const { body } = await create({ items: [{ offerId: silverId, quantity: 2 }] });
      expect(body.data).toMatchObject({
        subscription: { status: 'active', value: 2000, items: [{ value: 1000, quantity: 2 }] },
        order: { status: 'PAID', value: 2380, tax: 380, totalItems: 2, type: 'subscription_initial' },
        payment: { status: 'PAID', value: 2380, fee: 69, type: 'subscription_initial' },
      });
      expect(body.data.payment.invoiceNumber).not.toBeNull();
      const told = await listTold(app, body.data.order.id);
      expect(told.map(({ type }) => type)).toEqual([
        'subscription_created',
        'subscription_updated',
        'payment_success',
      ]);
    });

    it('takes several items of one interval, also one with a name and a price', async () => {
      const named = { name: 'Support', unitPrice: 500, currency: 'EUR', quantity: 3 };
      const { body } = await create({
        items: [{ offerId: silverId, price: 700 }, { offerId: goldId }, named],
      });
      expect(body.data.subscription).toMatchObject({
        value: 5200,
        items: [{ value: 700 }, {}, { offerId: null }],
      });
      expect(body.data.payment).toMatchObject({ status: 'PAID', value: 6188, tax: 988 });
    });

    it('begins the trial of the offer without a charge, and skips it when told to', async () => {
      const trial = (await create({ offerId: trialId })).body.data;
      expect(trial).toMatchObject({
        subscription: { status: 'trialing', value: 1000 },
        order: { status: 'PAID', value: 0 },
        payment: { status: 'PAID', value: 0, invoiceNumber: null },
      });
      const skipped = (await create({ offerId: trialId, skipTrial: true })).body.data;
      expect(skipped).toMatchObject({
        subscription: { status: 'active', trialEnd: null },
        payment: { value: 1190 },
      });
    });

    it('costs a part of an interval up to an anchor ahead', async () => {
      const billingCycleAnchor = (await now()) + 10 * DAY_MS;
      const { subscription, payment } = (await create({ offerId: silverId, billingCycleAnchor })).body.data;
      expect(subscription).toMatchObject({ status: 'active', currentIntervalEnd: billingCycleAnchor });
      expect(payment.value).toBeGreaterThan(1190 * (9.9 / 31));
      expect(payment.value).toBeLessThan(1190 * (10.1 / 28));
    });

    it('charges the running period of a backdated calendar in full', async () => {
      const backdateStartDate = (await now()) - 45 * DAY_MS;
      const { subscription, payment } = (await create({ offerId: silverId, backdateStartDate })).body.data;
      expect(payment).toMatchObject({ status: 'PAID', value: 1190 });
      expect(subscription.currentIntervalStart).toBeGreaterThan(backdateStartDate);
      expect(subscription.currentIntervalStart).toBeLessThan(await now());
    });

    it('leaves it incomplete after a decline, with order and payment FAILED', async () => {
      expect((await create({ offerId: silverId }, DECLINED)).body.data).toMatchObject({
        subscription: { status: 'incomplete' },
        order: { status: 'FAILED' },
        payment: { status: 'FAILED' },
      });
    });

    it('expires with its order after a day without payment', async () => {
      const { order, subscription } = (await create({ offerId: silverId }, DECLINED)).body.data;
      await advance(app, app.test.scope, DAY_MS + 1000);
      const after = await app.test.get(`/v0/orders/${order.id}`);
      expect(after.body.data).toMatchObject({
        order: { status: 'EXPIRED' },
        payments: [{ status: 'EXPIRED' }],
        subscription: { id: subscription.id, status: 'incomplete_expired' },
      });
    });

    it('lowers the first payment by a code, and the upcoming one shows the full price again', async () => {
      await app.test.post('/v0/discounts/create', {
        type: 'code',
        discountCode: 'HALF',
        amount: 50,
        amountType: 'percentage',
        includesAllOffers: true,
      });
      const { subscription, payment } = (await create({ offerId: silverId, discountCode: 'half' })).body.data;
      expect(payment).toMatchObject({ value: 595, discount: { discountCode: 'HALF' } });
      const upcoming = await app.test.get(`/v0/subscriptions/${subscription.id}/upcoming-payment`);
      expect(upcoming.body.data.upcomingPayment).toMatchObject({ value: 1190, discount: 0 });
      await expectRefusal(create({ offerId: silverId, discountCode: 'NONE' }), 400, 'discount_code_unknown');
    });

    it('makes one subscription of a repeated request', async () => {
      const body = { userId: (await makeUser()).id, offerId: silverId };
      const headers = { 'idempotency-key': UNKNOWN_ID };
      const first = await app.test.post('/v0/subscriptions/create', body, { headers });
      const again = await app.test.post('/v0/subscriptions/create', body, { headers });
      expect(again.body).toEqual(first.body);
    });
  });

  describe('400', () => {
    it.each([
      ['items', {}],
      ['items', { items: [{ name: 'Alone', unitPrice: 100, currency: 'EUR' }] }],
      ['items.0.unitPrice', { items: [{ name: 'Alone', currency: 'EUR' }] }],
      ['items.0.currency', { items: [{ name: 'Alone', unitPrice: 100 }] }],
      ['items.0.unitPrice', { items: [{ name: 'Two', unitPrice: 100, value: 101, currency: 'EUR' }] }],
      ['quantity', { quantity: 2 }],
      ['trialEnd', { trialEnd: 1_600_000_000 }],
      ['billingCycleAnchor', { billingCycleAnchor: 1_600_000_000 }],
    ])('names the field %s of %o', async (field, body) => {
      const asked = field.startsWith('items') || field === 'quantity' ? body : { offerId: silverId, ...body };
      const { status, body: answer } = await create(asked);
      expect([status, answer.error.code]).toEqual([400, 'invalid_input']);
      expect(answer.error.message).toContain(field);
    });

    it('refuses offers that do not recur, that recur otherwise, and that do not exist', async () => {
      await expectRefusal(create({ offerId: oneTimeId }), 400, 'invalid_input');
      const mixed = create({ items: [{ offerId: silverId }, { offerId: yearlyId }] });
      await expectRefusal(mixed, 400, 'invalid_input');
      await expectRefusal(create({ offerId: UNKNOWN_ID }), 400, 'unknown_reference');
    });

    it('names the field as it was sent, at the top too', async () => {
      for (const offerId of [oneTimeId, UNKNOWN_ID]) {
        const answers = [await create({ offerId }), await update(await start(), { offerId })];
        for (const { body } of answers) expect(body.error.message).toMatch(/^offerId /);
        const { body } = await create({ items: [{ offerId }] });
        expect(body.error.message).toMatch(/^items\.0\.offerId /);
      }
    });

    it('refuses a total beyond what can be stored', async () => {
      const dear = { offerId: silverId, unitPrice: Number.MAX_SAFE_INTEGER, quantity: 2 };
      await expectRefusal(create({ items: [dear] }), 400, 'amount_too_large');
    });

    it('needs a user with a stored method and billing details', async () => {
      await expectRefusal(create({ offerId: silverId }, null), 400, 'payment_method_required');
      const body = { offerId: silverId };
      const unknown = app.test.post('/v0/subscriptions/create', { ...body, userEmail: 'nobody@example.com' });
      await expectRefusal(unknown, 400, 'unknown_reference');
      const { id: userId } = await makeUser(VISA, {});
      await expectRefusal(
        app.test.post('/v0/subscriptions/create', { ...body, userId }),
        400,
        'invalid_input',
      );
      await expectRefusal(app.test.post('/v0/subscriptions/create', body), 400, 'invalid_input');
    });
  });
});

describe('PATCH /v0/subscriptions/{id}/update', () => {
  it('swaps the plan at once and tells it once', async () => {
    const subscription = await start();
    const { body } = await update(subscription, { offerId: goldId });
    expect(body.data).toMatchObject({
      success: true,
      subscription: { value: 3000, items: [{ offerId: goldId, value: 3000 }] },
      payment: null,
    });
    const told = await listTold(app, subscription.orderId);
    expect(told.slice(3).map(({ type }) => type)).toEqual(['subscription_updated']);
  });

  it('tells nothing where nothing changes', async () => {
    const subscription = await start();
    await update(subscription, { id: subscription.id, offerId: silverId });
    await update(subscription, { cancelAtIntervalEnd: false });
    expect(await listTold(app, subscription.orderId)).toHaveLength(3);
  });

  it('sets the end with the interval, and takes it back', async () => {
    const subscription = await start();
    const set = await update(subscription, { cancelAtIntervalEnd: true });
    expect(set.body.data.subscription).toMatchObject({ cancelAtIntervalEnd: true, status: 'active' });
    expect(set.body.data.subscription.canceledAt).not.toBeNull();
    const upcoming = `/v0/subscriptions/${subscription.id}/upcoming-payment`;
    expect((await app.test.get(upcoming)).body.data.upcomingPayment).toBeNull();
    const undone = await update(subscription, { cancelAtIntervalEnd: false });
    expect(undone.body.data.subscription).toMatchObject({ cancelAtIntervalEnd: false, canceledAt: null });
    expect((await app.test.get(upcoming)).body.data.upcomingPayment.value).toBe(1190);
  });

  it.each(['create_prorations', 'always_invoice'])(
    'is made once for a repeated request, with %s',
    async (behavior) => {
      const subscription = await start();
      const path = `/v0/subscriptions/${subscription.id}/update`;
      const body = { offerId: goldId, prorationBehavior: behavior };
      const headers = { 'idempotency-key': `${subscription.id}-change` };
      const first = await app.test.patch(path, body, { headers });
      const [again, another] = await Promise.all([
        app.test.patch(path, body, { headers }),
        app.test.patch(path, { ...body, quantity: 2 }, { headers }),
      ]);
      expect(again.body).toEqual(first.body);
      expect([again.headers['idempotent-replayed'], another.status]).toEqual(['true', 422]);
      expect((await app.test.get(`/v0/subscriptions/${subscription.id}`)).body.data.subscription.value).toBe(
        3000,
      );
    },
  );

  it('keeps the price that an item was sold at', async () => {
    const offerId = await makePlanOffer(app.test, { price: 500 });
    const subscription = await start({ offerId });
    await app.test.patch(`/v0/offers/${offerId}/update`, { price: 900 });
    const { body } = await update(subscription, { offerId, quantity: 2, prorationBehavior: 'none' });
    expect(body.data.subscription).toMatchObject({ value: 1000, items: [{ value: 500, quantity: 2 }] });
  });

  it('refuses what does not fit, naming it', async () => {
    const subscription = await start();
    const outside = { offerId: goldId, prorationDate: subscription.currentIntervalEnd };
    await expectRefusal(update(subscription, outside), 400, 'invalid_input');
    await expectRefusal(update(subscription, { items: [], offerId: goldId }), 400, 'invalid_input');
    const dollars = { items: [{ offerId: goldId, currency: 'USD' }] };
    await expectRefusal(update(subscription, dollars), 400, 'invalid_input');
    await expectRefusal(update(subscription, { offerId: oneTimeId }), 400, 'invalid_input');
    await expectRefusal(update({ id: UNKNOWN }, { offerId: goldId }), 404, 'not_found');
  });

  it('refuses what the state forbids', async () => {
    const subscription = await start();
    await app.test.patch(`/v0/subscriptions/${subscription.id}/cancel`, {});
    await expectRefusal(update(subscription, { offerId: goldId }), 409, 'subscription_state');
    await expectRefusal(update(subscription, { cancelAtIntervalEnd: true }), 409, 'subscription_state');
    const shown = app.test.post(`/v0/subscriptions/${subscription.id}/preview-update`, { offerId: goldId });
    await expectRefusal(shown, 409, 'subscription_state');
  });

  it('needs the secret key, and the preview does not', async () => {
    const subscription = await start();
    const path = `/v0/subscriptions/${subscription.id}`;
    const body = { offerId: goldId };
    await expectRefusal(
      app.test.patch(`${path}/update`, body, { keys: 'public' }),
      401,
      'secret_key_required',
    );
    const { status } = await app.test.post(`${path}/preview-update`, body, { keys: 'public' });
    expect(status).toBe(200);
  });
});

describe('POST /v0/subscriptions/{id}/charge', () => {
  const setUp = { name: 'Set-up', unitPrice: 4900, currency: 'EUR' };

  it('charges once, with lines and an invoice of its own, and the schedule does not move', async () => {
    const subscription = await start();
    const { body } = await charge(subscription, {
      items: [setUp, { offerId: oneTimeId }],
      description: 'Help',
    });
    expect(body.data.payment).toMatchObject({
      type: 'subscription_extra',
      status: 'PAID',
      value: 8210,
      tax: 1311,
      number: `${subscription.id}-1`,
    });
    expect(body.data.payment.invoiceNumber).not.toBeNull();
    const told = (await listTold(app, subscription.orderId)).at(-1);
    expect(told?.type).toBe('payment_success');
    expect(told?.body.data).toMatchObject({ items: [{ name: 'Set-up', value: 4900 }, { value: 1999 }] });
    const after = await app.test.get(`/v0/subscriptions/${subscription.id}`);
    expect(after.body.data.subscription).toMatchObject({
      status: 'active',
      currentIntervalEnd: subscription.currentIntervalEnd,
      value: 1000,
    });
    expect((await app.test.get(`/v0/orders/${subscription.orderId}`)).body.data.order.value).toBe(1190);
  });

  it('refuses what comes to 0, and charges for nothing that it does not hand out', async () => {
    const subscription = await start();
    const taken = (await listTaken(app)).length;
    const free = await makeOffer(app.test, { price: 0, freeProduct: true });
    const nothing = await charge(subscription, { items: [{ offerId: free, quantity: 2 }] });
    expect([nothing.status, nothing.body.error.message]).toEqual([400, 'items must come to more than 0']);
    const limited = await makeOffer(app.test, { limit: 5 });
    const stocked = await makeOffer(app.test);
    await app.test.post(`/v0/offers/${stocked}/keys/add`, { productKeys: ['AAAA-BBBB-CCCC'] });
    for (const offerId of [limited, stocked]) {
      const { status, body } = await charge(subscription, { items: [setUp, { offerId }] });
      expect([status, body.error.code]).toEqual([400, 'invalid_input']);
      expect(body.error.message).toMatch(/^items\.1\.offerId has keys, a file or a limit/);
    }
    expect((await listTaken(app)).length).toBe(taken);
  });

  it('answers a decline as a FAILED payment and leaves the subscription active', async () => {
    const subscription = (await create({ offerId: silverId }, '4000000000000341')).body.data.subscription;
    const { status, body } = await charge(subscription, { items: [setUp] });
    expect([status, body.data.payment.status]).toEqual([200, 'FAILED']);
    const after = await app.test.get(`/v0/subscriptions/${subscription.id}`);
    expect(after.body.data.subscription.status).toBe('active');
  });

  it('is one charge for a repeated request', async () => {
    const subscription = await start();
    const before = (await listTaken(app)).length;
    const headers = { 'idempotency-key': 'extra' };
    const path = `/v0/subscriptions/${subscription.id}/charge`;
    const first = await app.test.post(path, { items: [setUp] }, { headers });
    const again = await app.test.post(path, { items: [setUp] }, { headers });
    expect(again.body).toEqual(first.body);
    expect(await listTaken(app)).toHaveLength(before + 1);
  });

  it('is for active subscriptions', async () => {
    const trial = await start({ offerId: trialId });
    await expectRefusal(charge(trial, { items: [setUp] }), 409, 'subscription_state');
    await expectRefusal(charge(trial, { items: [] }), 400, 'invalid_input');
    await expectRefusal(charge({ id: UNKNOWN }, { items: [setUp] }), 404, 'not_found');
  });
});

describe('GET /v0/subscriptions/{id}/upcoming-payment', () => {
  it('shows the date, the period, the lines and each tax', async () => {
    const subscription = await start();
    const { body } = await app.test.get(`/v0/subscriptions/${subscription.id}/upcoming-payment`);
    expect(body.data.upcomingPayment).toMatchObject({
      subscriptionId: subscription.id,
      date: subscription.currentIntervalEnd,
      periodStart: subscription.currentIntervalEnd,
      currency: 'EUR',
      currencyDecimals: 2,
      subtotal: 1000,
      discount: 0,
      tax: 190,
      value: 1190,
      lines: [{ kind: 'interval', value: 1000, total: 1190 }],
      taxBreakdown: [{ country: 'DE', percentage: 19, taxable: 1000, amount: 190, reason: 'standard' }],
    });
  });

  it('shows the first payment after a trial, and nothing once it is over', async () => {
    const trial = await start({ offerId: trialId });
    const path = `/v0/subscriptions/${trial.id}/upcoming-payment`;
    expect((await app.test.get(path)).body.data.upcomingPayment).toMatchObject({
      date: trial.currentIntervalEnd,
      value: 1190,
    });
    await app.test.patch(`/v0/subscriptions/${trial.id}/cancel`, {});
    expect((await app.test.get(path)).body.data.upcomingPayment).toBeNull();
    await expectRefusal(app.test.get(`/v0/subscriptions/${UNKNOWN}/upcoming-payment`), 404, 'not_found');
  });
});
