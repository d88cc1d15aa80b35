/** What clients send that were written for other names of this API: taken on input, and never answered. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buy } from '../../test/support/buying.ts';
import { expectRefusal } from '../../test/support/expect-refusal.ts';
import { createTestApp, type TestApp } from '../../test/support/harness.ts';
import { makeOffer, makePlanOffer, makeProduct } from '../../test/support/make-catalogue.ts';

let app: TestApp;
let offerId: string;
beforeAll(async () => {
  app = await createTestApp();
  offerId = await makeOffer(app.test);
});
afterAll(() => app.close());

const DISCOUNTS = '/v0/discounts/create';
const sale = { type: 'sale', amount: 10, amountType: 'percentage', status: 'inactive' };

async function make(path: string, body: object, name: string) {
  const answer = await app.test.post(path, body);
  expect(answer.text).toContain('"success"');
  return answer.body.data[name];
}

describe('a discount', () => {
  const discount = (body: object) => make(DISCOUNTS, body, 'discount');

  it.each([
    [{}, true, []],
    [{ includesAllOffers: true }, true, []],
    [{ includesAllOffers: false }, false, []],
    [{ includedOffers: [] }, false, []],
  ])('of which is said %j is for all offers: %s', async (fields, includesAllOffers, includedOffers) => {
    expect(await discount({ ...sale, ...fields })).toMatchObject({ includesAllOffers, includedOffers });
  });

  it('beside a list of offers is for these', async () => {
    const made = await discount({ ...sale, includedOffers: [offerId] });
    expect(made).toMatchObject({ includesAllOffers: false, includedOffers: [offerId] });
  });

  it('may be a coupon with a code that expires', async () => {
    const coupon = { ...sale, type: 'coupon', code: 'COUPON-1', expiresAt: '2031-01-02T03:04:05Z' };
    const made = await discount(coupon);
    expect(made).toMatchObject({
      type: 'code',
      discountCode: 'COUPON-1',
      validUntil: Date.UTC(2031, 0, 2, 3, 4, 5),
    });
    expect(made).not.toHaveProperty('code');
    const update = (body: object) => app.test.patch(`/v0/discounts/${made.id}/update`, body);
    expect((await update({ expiresAt: 1_999_999_999 })).body.data.discount.validUntil).toBe(
      1_999_999_999_000,
    );
    expect((await update({ expiresAt: '2032-01-01' })).body.data.discount.validUntil).toBe(Date.UTC(2032, 0));
    expect((await update({ expiresAt: null, code: 'COUPON-2' })).body.data.discount).toMatchObject({
      validUntil: null,
      discountCode: 'COUPON-2',
    });
    await expectRefusal(update({ expiresAt: 'soon' }), 400, 'invalid_input');
    await expectRefusal(update({ code: 'A', discountCode: 'B' }), 400, 'invalid_input');
    await expectRefusal(update({ validUntil: 1, expiresAt: 2 }), 400, 'invalid_input');
  });

  it.each([
    ['2031-01-02', 'Europe/Berlin', '2031-01-01T23:00:00Z'],
    ['2031-07-02T12:30', 'America/New_York', '2031-07-02T16:30:00Z'],
    ['2031-07-02 12:30:15', '+05:30', '2031-07-02T07:00:15Z'],
    // The clocks leave out the hour after 2, and show it twice in autumn.
    ['2031-03-30T02:30:00', 'Europe/Berlin', '2031-03-30T01:30:00Z'],
    ['2031-10-26T02:30:00', 'Europe/Berlin', '2031-10-26T00:30:00Z'],
    ['2031-01-02T12:00:00-03:00', 'Europe/Berlin', '2031-01-02T15:00:00Z'],
    ['2031-01-02', '-00:00', '2031-01-02T00:00:00Z'],
  ])('has %s end in its own time zone, %s', async (expiresAt, timezone, ends) => {
    const made = await discount({ ...sale, timezone, expiresAt });
    expect(made.validUntil).toBe(Date.parse(ends));
    const path = `/v0/discounts/${made.id}/update`;
    const { body } = await app.test.patch(path, { expiresAt });
    expect(body.data.discount.validUntil).toBe(Date.parse(ends));
  });

  it.each(['+02:00', '-05:30', '+14:00', '-00:00'])(
    'may have the offset %s as its time zone',
    async (timezone) => {
      expect(await discount({ ...sale, timezone })).toMatchObject({ timezone });
    },
  );

  it.each(['+2:00', '+14:30', '+24:00', '02:00', '+0200'])('has no time zone %s', async (timezone) => {
    await expectRefusal(app.test.post(DISCOUNTS, { ...sale, timezone }), 400, 'invalid_input');
  });

  it('has a code that is one in any width and case', async () => {
    const code = (discountCode: string) => ({ ...sale, type: 'code', status: 'active', discountCode });
    expect(await discount(code('ＷＩＤＥ１０'))).toMatchObject({ discountCode: 'ＷＩＤＥ１０' });
    await expectRefusal(app.test.post(DISCOUNTS, code('wide10')), 409, 'discount_code_taken');
    const { body } = await buy(app.test, { offersIds: [offerId], discountCode: 'Wide１0' });
    expect(body.data.payment.discount).toMatchObject({ discountCode: 'ＷＩＤＥ１０' });
  });

  it.each(['\u200b', '\u200d', '\u2060', '\ufeff', '\u00ad', '\u202e', '\u3164'])(
    'has no code with a sign that cannot be seen (%j)',
    async (sign) => {
      const hidden = { ...sale, type: 'code', discountCode: `AB${sign}CD` };
      await expectRefusal(app.test.post(DISCOUNTS, hidden), 400, 'invalid_input');
    },
  );
});

describe('an offer', () => {
  it('may name its currency small and its interval without a count, or both in one', async () => {
    const productId = await makeProduct(app.test, { type: 'Subscription', name: 'Club' });
    const offer = (fields: object) =>
      make('/v0/offers/create', { productId, price: 500, currency: 'eur', ...fields }, 'offer');
    const monthly = { currency: 'EUR', recurringInterval: 'month', recurringIntervalCount: 1 };
    expect(await offer({ recurringInterval: 'month' })).toMatchObject(monthly);
    expect(await offer({ recurring: { interval: 'month' } })).toMatchObject(monthly);
    const made = await offer({ recurring: { interval: 'week', intervalCount: 2 } });
    expect(made).toMatchObject({ recurringInterval: 'week', recurringIntervalCount: 2 });
    expect(made).not.toHaveProperty('recurring');
    const inline = await app.test.post('/v0/products/create', {
      type: 'Subscription',
      name: 'Inline',
      offers: [{ price: 1, recurring: { interval: 'year' } }],
    });
    expect(inline.body.data.offers[0]).toMatchObject({
      recurringInterval: 'year',
      recurringIntervalCount: 1,
    });
    const both = { productId, price: 1, recurring: { interval: 'year' }, recurringInterval: 'month' };
    await expectRefusal(app.test.post('/v0/offers/create', both), 400, 'invalid_input');
    const update = (body: object) => app.test.patch(`/v0/offers/${made.id}/update`, body);
    const changed = await update({ recurring: { interval: 'year' } });
    expect(changed.body.data.offer).toMatchObject({ recurringInterval: 'year', recurringIntervalCount: 1 });
  });

  it('takes its own product again, and no other', async () => {
    const productId = await makeProduct(app.test);
    const id = await makeOffer(app.test, { productId });
    const update = (body: object) => app.test.patch(`/v0/offers/${id}/update`, body);
    const same = await update({ productId: productId.toUpperCase(), name: 'Same' });
    expect(same.body.data.offer).toMatchObject({ productId, name: 'Same' });
    const other = await makeProduct(app.test);
    await expectRefusal(update({ productId: other }), 400, 'invalid_input');
  });
});

describe('a product', () => {
  it('has the right to withdraw of its type until it says another', async () => {
    const product = (fields: object) => make('/v0/products/create', { name: 'Any', ...fields }, 'product');
    expect(await product({ type: 'Game' })).toMatchObject({ withdrawal: 'content' });
    expect(await product({ type: 'Subscription' })).toMatchObject({ withdrawal: 'service' });
    const { id } = await product({ type: 'OneTimePayment' });
    const changed = await app.test.patch(`/v0/products/${id}/update`, { withdrawal: 'excluded' });
    expect(changed.body.data.product.withdrawal).toBe('excluded');
    await expectRefusal(
      app.test.patch(`/v0/products/${id}/update`, { withdrawal: null }),
      400,
      'invalid_input',
    );
  });
});

describe('a user', () => {
  it('may be given a name and a taxId', async () => {
    const details = { countryCode: 'DE', taxId: 'eu_vat' };
    const made = await make(
      '/v0/users/create',
      { email: 'named@example.com', name: 'Ada', language: 'pt-BR', billingDetails: details },
      'user',
    );
    expect(made).toMatchObject({ username: 'Ada', language: 'pt-BR' });
    expect(made.details).toMatchObject({ taxIdType: 'eu_vat', taxId: 'eu_vat' });
    expect(made).not.toHaveProperty('name');
    const update = (body: object) => app.test.patch(`/v0/users/${made.id}/update`, body);
    const changed = (await update({ name: 'Bob', billingDetails: { taxIdType: 'gb_vat' } })).body.data.user;
    expect(changed).toMatchObject({ username: 'Bob', details: { taxId: 'gb_vat', countryCode: 'DE' } });
    const cleared = (await update({ language: null, billingDetails: { taxId: null } })).body.data.user;
    expect(cleared).toMatchObject({ language: null, details: { taxId: null, taxIdType: null } });
    await expectRefusal(update({ name: 'A', username: 'B' }), 400, 'invalid_input');
    await expectRefusal(update({ billingDetails: { taxId: 'a', taxIdType: 'b' } }), 400, 'invalid_input');
    await expectRefusal(update({ language: 'German' }), 400, 'invalid_input');
  });
});

describe('a checkout element', () => {
  it('may say a type, which is ignored', async () => {
    const element = { offersIds: [offerId], type: 'checkout' };
    const made = await make('/v0/elements/create', element, 'checkoutElement');
    expect(made).not.toHaveProperty('type');
    const changed = await app.test.patch(`/v0/elements/checkout/${made.id}/update`, { type: 7, name: 'New' });
    expect(changed.body.data.checkoutElement.name).toBe('New');
  });
});

describe('a subscription', () => {
  const start = async () => {
    const planId = await makePlanOffer(app.test);
    const { body } = await buy(app.test, { offersIds: [planId] });
    return { planId, ...body.data } as {
      planId: string;
      subscription: { id: string };
      payment: { id: string };
    };
  };

  it('shows in its items what was sold, in short form', async () => {
    const { planId, subscription } = await start();
    const shown = (await app.test.get(`/v0/subscriptions/${subscription.id}`)).body.data;
    expect(shown.items).toMatchObject([
      {
        offer: { object: 'offer', id: planId },
        product: { object: 'product', type: 'Subscription', name: 'Club' },
        plan: null,
        variant: null,
        customFields: {},
      },
    ]);
    expect(shown.subscription).toMatchObject({ scheduledChange: null, discount: null, paidForPeriod: null });
  });

  it('shows a change that waits for the end of its interval', async () => {
    const { subscription } = await start();
    const yearly = await makePlanOffer(app.test, { recurringInterval: 'year' });
    const change = { offerId: yearly, prorationBehavior: 'none' };
    const { body } = await app.test.patch(`/v0/subscriptions/${subscription.id}/update`, change);
    const { scheduledChange, currentIntervalEnd } = body.data.subscription;
    expect(scheduledChange).toMatchObject({
      at: currentIntervalEnd,
      items: [{ offerId: yearly, value: 1999 }],
    });
  });

  it('is charged an amount under its description', async () => {
    const { subscription } = await start();
    const charge = (body: object) => app.test.post(`/v0/subscriptions/${subscription.id}/charge`, body);
    const lines = async (body: object) => {
      const { payment } = (await charge(body)).body.data;
      return (await app.test.get(`/v0/payments/${payment.id}`)).body.data.items;
    };
    expect(await lines({ amount: 450, currency: 'eur', description: 'Set-up' })).toMatchObject([
      { name: 'Set-up', value: 450, quantity: 1, currency: 'EUR' },
    ]);
    expect(await lines({ amount: 450 })).toMatchObject([{ name: 'Extra charge', value: 450 }]);
    await expectRefusal(charge({}), 400, 'invalid_input');
    await expectRefusal(charge({ amount: 1, currency: 'USD' }), 400, 'invalid_input');
    await expectRefusal(charge({ currency: 'EUR' }), 400, 'invalid_input');
    const both = { amount: 1, items: [{ name: 'A', unitPrice: 1, currency: 'EUR' }] };
    await expectRefusal(charge(both), 400, 'invalid_input');
  });
});

describe('GET /v0/payments/{id}', () => {
  it('shows its lines with the inputs of their sums', async () => {
    const { body } = await buy(app.test, { offersIds: [offerId, offerId] });
    const { items, payment } = (await app.test.get(`/v0/payments/${body.data.payment.id}`)).body.data;
    const [item] = items;
    expect(item).toMatchObject({ value: 1999, quantity: 2, subtotal: 3998, discount: expect.any(Number) });
    expect(item.subtotal - item.discount + item.tax).toBe(payment.value);
    expect(item.taxRates[0]).toMatchObject({ country: 'DE', percentage: 19 });
  });
});

describe('an event', () => {
  it('whose body is gone is read without it, and not sent again', async () => {
    await buy(app.test, { offersIds: [offerId] });
    const [event] = (await app.test.get('/v0/events/list')).body.data.events;
    await app.service.db
      .updateTable('events')
      .set({ body: null, expiredAt: 5 })
      .where('id', '=', event.id)
      .execute();
    const { data: _data, deliveryCounts, ...envelope } = event;
    const expired = { ...envelope, data: null, expiredAt: 5 };
    expect((await app.test.get(`/v0/events/${event.id}`)).body.data.event).toEqual(expired);
    const [listed] = (await app.test.get('/v0/events/list')).body.data.events;
    expect(listed).toEqual({ ...expired, deliveryCounts });
    await expectRefusal(app.test.post(`/v0/events/${event.id}/resend`, {}), 409, 'event_expired');
  });
});

describe('the test clock', () => {
  it('tells what falls due next, and what an advance has done', async () => {
    const { body: before } = await app.test.get('/v0/test-clock');
    const { upcoming } = before.data.testClock;
    expect(upcoming.length).toBeGreaterThan(0);
    expect(upcoming.length).toBeLessThanOrEqual(20);
    const times = upcoming.map(({ at }: { at: number }) => at);
    expect(times).toEqual(times.toSorted((a: number, b: number) => a - b));
    const renewal = upcoming.find(({ kind }: { kind: string }) => kind === 'advance_subscription');
    expect(renewal).toMatchObject({ object: 'subscription', id: expect.stringMatching(/^[0-9A-Z]{12}$/) });
    expect(before.data.testClock.done).toBeNull();
    const { body } = await app.test.post('/v0/test-clock/advance', { by: { days: 40 } });
    expect(body.data.testClock.done.advance_subscription).toBeGreaterThan(0);
    expect((await app.test.get('/v0/test-clock')).body.data.testClock.done).toBeNull();
  });
});
