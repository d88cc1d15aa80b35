import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buy } from '../../test/support/buying.ts';
import { expectRefusal } from '../../test/support/expect-refusal.ts';
import { createTestApp, type TestApp } from '../../test/support/harness.ts';
import { makeOffer, makePlanOffer, makeProduct } from '../../test/support/make-catalogue.ts';

let app: TestApp;
let offerId: string;
let productId: string;
beforeAll(async () => {
  app = await createTestApp();
  offerId = await makeOffer(app.test, { name: 'Rocket' });
  productId = await makeProduct(app.test, { name: 'Loose' });
});
afterAll(() => app.close());

const CALCULATE = '/v0/tax/calculate';
const inGermany = { countryCode: 'DE' };

async function calculate(body: Record<string, unknown>) {
  const answer = await app.test.post(CALCULATE, { customer: inGermany, ...body }, { keys: 'public' });
  expect(answer.status, answer.text).toBe(200);
  return answer.body.data.tax;
}

describe('calculating tax', () => {
  it('of one offer tells price, tax and rates, with the public key alone', async () => {
    expect(await calculate({ offerId })).toEqual({
      object: 'tax',
      currency: 'EUR',
      currencyDecimals: 2,
      inclusive: false,
      subtotal: 1999,
      discount: 0,
      codeUnused: false,
      tax: 380,
      total: 2379,
      reason: 'standard',
      lines: [
        {
          object: 'tax_line',
          offerId,
          productId: expect.any(String),
          name: 'Rocket',
          unitPrice: 1999,
          quantity: 1,
          subtotal: 1999,
          discount: 0,
          tax: 380,
          total: 2379,
          inclusive: false,
          reason: 'standard',
          rates: [
            {
              name: 'VAT',
              country: 'DE',
              region: null,
              percentage: 19,
              taxable: 1999,
              amount: 380,
              reason: 'standard',
            },
          ],
        },
      ],
    });
  });

  it('of a product takes the amount that is given, and of an offer too', async () => {
    expect(await calculate({ productId, amount: 1000, quantity: 3 })).toMatchObject({
      subtotal: 3000,
      tax: 570,
      total: 3570,
      lines: [{ offerId: null, productId, name: 'Loose', unitPrice: 1000, quantity: 3 }],
    });
    expect(await calculate({ offerId, amount: 100 })).toMatchObject({ subtotal: 100, tax: 19 });
    expect(await calculate({ productId, amount: 0 })).toMatchObject({ subtotal: 0, tax: 0, total: 0 });
    const mixed = { items: [{ offerId }, { productId, unitPrice: 1 }, { offerId, quantity: 2 }] };
    const { lines, total } = await calculate(mixed);
    expect(lines.map(({ quantity }: { quantity: number }) => quantity)).toEqual([3, 1]);
    expect(total).toBe(5997 + 1139 + 1);
  });

  it.each([
    ['two taxes', { countryCode: 'CA', state: 'QC', postalCode: 'H2X 1Y4' }, 'standard', 2],
    ['none', { countryCode: 'HK' }, 'outside_scope', 1],
    [
      'the recipient’s',
      { countryCode: 'FR', type: 'company', taxNumber: 'FR40303265045' },
      'reverse_charge',
      1,
    ],
    ['a consumer’s', { countryCode: 'FR', type: 'company', taxNumber: 'FR00000000000' }, 'standard', 1],
  ])('of a buyer elsewhere is %s', async (_name, customer, reason, rates) => {
    const tax = await calculate({ offerId, customer });
    expect(tax).toMatchObject({ reason });
    expect(tax.lines[0].rates).toHaveLength(rates);
    const sum = tax.lines[0].rates.reduce((all: number, rate: { amount: number }) => all + rate.amount, 0);
    expect(sum).toBe(tax.tax);
    expect(tax.total).toBe(tax.subtotal + tax.tax);
  });

  it('writes nothing, and works for a key that only reads', async () => {
    const rows = async () => {
      const { rows: found } = await app.service.pool.query(
        'select (select count(*) from orders) + (select count(*) from checkout_sessions) + (select count(*) from audit_log) as n',
      );
      return found[0].n;
    };
    const before = await rows();
    await calculate({ offerId });
    expect(await rows()).toBe(before);
  });
});

describe('the sums of a calculation', () => {
  it('are those of a purchase of the same cart by the same buyer', async () => {
    const inclusive = await makeOffer(app.test, { price: 777, taxBehavior: 'inclusive' });
    const odd = await makeOffer(app.test, { price: 333 });
    const plan = await makePlanOffer(app.test, { price: 4950 });
    const post = async (body: Record<string, unknown>) =>
      expect((await app.test.post('/v0/discounts/create', body)).status).toBe(200);
    await post({ type: 'sale', amount: 7.5, amountType: 'percentage', includedOffers: [odd] });
    await post({
      type: 'code',
      discountCode: 'TAKE500',
      amount: 500,
      amountType: 'fixed',
      includesAllOffers: true,
    });
    const customers: Array<Record<string, string>> = [
      { countryCode: 'DE' },
      { countryCode: 'CA', state: 'QC', postalCode: 'H2X 1Y4' },
      { countryCode: 'US', postalCode: '10001' },
      { countryCode: 'CH' },
      { countryCode: 'ES', postalCode: '35001' },
      { countryCode: 'FR', type: 'company', companyName: 'ACME', taxNumber: 'FR40303265045' },
    ];
    const carts = [[offerId], [inclusive, odd, odd, odd], [offerId, inclusive, odd], [plan]];
    for (const { companyName, ...customer } of customers) {
      for (const offersIds of carts) {
        for (const discountCode of [undefined, 'take500']) {
          const given = discountCode ? { discountCode } : {};
          const tax = await calculate({
            items: offersIds.map((id) => ({ offerId: id })),
            customer,
            ...given,
          });
          const bought = await buy(app.test, {
            offersIds,
            userEmail: `${randomUUID()}@example.com`,
            billingDetails: { ...customer, ...(companyName ? { companyName } : {}) },
            ...given,
          });
          expect(bought.status, bought.text).toBe(200);
          const { order } = bought.body.data;
          const label = JSON.stringify({ customer, offersIds, given });
          expect({ label, value: tax.total, tax: tax.tax }).toEqual({
            label,
            value: order.value,
            tax: order.tax,
          });
          const { items } = (await app.test.get(`/v0/orders/${order.id}`)).body.data;
          const lines = tax.lines.map(({ total, discount }: { total: number; discount: number }) => ({
            total,
            discount,
          }));
          expect(items).toMatchObject(lines);
        }
      }
    }
  });
});

describe('a calculation that is refused', () => {
  it.each([
    ['customer', { customer: undefined }],
    ['customer.countryCode', { customer: {} }],
    ['customer.countryCode', { customer: { countryCode: 'ZZ' } }],
    ['customer.postalCode', { customer: { countryCode: 'US' } }],
    ['customer.postalCode', { customer: { countryCode: 'CA', state: 'ON' } }],
    ['customer.postalCode', { customer: { countryCode: 'UA' } }],
    ['customer.postalCode', { customer: { countryCode: 'IN', postalCode: '1' } }],
    ['customer.type', { customer: { countryCode: 'DE', type: 'club' } }],
    ['customer', { customer: { countryCode: 'DE', zip: '1' } }],
    ['offerId', { offerId: undefined }],
    ['offerId', { items: [{ productId: randomUUID(), unitPrice: 1 }] }],
    ['productId', { productId: randomUUID() }],
    ['amount', { offerId: undefined, productId: randomUUID() }],
    ['items.0.unitPrice', { offerId: undefined, items: [{ productId: randomUUID() }] }],
    ['items', { offerId: undefined, items: [] }],
    ['items.0.price', { offerId: undefined, items: [{ offerId: randomUUID(), price: 1 }] }],
    ['items.1.quantity', { offerId: undefined, twice: 10_000 }],
    ['quantity', { quantity: 0 }],
    ['quantity', { quantity: 10_001 }],
    ['quantity', { quantity: 1.5 }],
    ['amount', { amount: -1 }],
    ['amount', { amount: 1.5 }],
    ['amount', { amount: '100' }],
    ['currency', { currency: 'XXX' }],
    ['discountCode', { discountCode: '' }],
  ])('names %s: %j', async (path, { twice, ...fields }: Record<string, unknown>) => {
    const item = { offerId, quantity: twice };
    const items = twice === undefined ? {} : { items: [item, item] };
    const body = { customer: inGermany, offerId, ...fields, ...items };
    const { status, body: answer, text } = await app.test.post(CALCULATE, body);
    expect(status, text).toBe(400);
    expect(answer.error.code).toBe('invalid_input');
    expect(JSON.stringify(answer.error)).toContain(path);
  });

  it('gives the words of the checkout', async () => {
    const ask = (fields: Record<string, unknown>, store = app.test) =>
      store.post(CALCULATE, { customer: inGermany, ...fields });
    await expectRefusal(ask({ offerId: randomUUID() }), 404, 'not_found');
    await expectRefusal(ask({ productId: randomUUID(), amount: 1 }), 404, 'not_found');
    for (const store of [app.other, app.live]) await expectRefusal(ask({ offerId }, store), 404, 'not_found');
    const draft = await makeOffer(app.test, { status: 'DRAFT' });
    await expectRefusal(ask({ offerId: draft }), 400, 'offer_not_for_sale');
    const plan = await makePlanOffer(app.test);
    const mixed = { items: [{ offerId: plan }, { offerId }] };
    await expectRefusal(ask(mixed), 400, 'mixed_offers');
    await expectRefusal(ask({ offerId, currency: 'USD' }), 400, 'offer_currency_mismatch');
    await expectRefusal(ask({ offerId, discountCode: 'NOWHERE' }), 400, 'discount_code_unknown');
    const beyond = { productId, amount: 9007199254740991 };
    await expectRefusal(ask(beyond), 400, 'amount_too_large');
    await expectRefusal(ask({ ...beyond, quantity: 2 }), 400, 'amount_too_large');
  });

  it('asks for the currency where the workspace has none yet', async () => {
    const own = await makeProduct(app.other);
    const ask = (fields = {}) =>
      app.other.post(CALCULATE, { customer: inGermany, productId: own, amount: 1000, ...fields });
    await expectRefusal(ask(), 400, 'invalid_input');
    const { body } = await ask({ currency: 'JPY' });
    expect(body.data.tax).toMatchObject({ currency: 'JPY', currencyDecimals: 0, tax: 190 });
  });

  it('needs a key', async () => {
    const body = { customer: inGermany, offerId };
    await expectRefusal(app.test.post(CALCULATE, body, { keys: 'none' }), 401, 'unauthorized');
  });
});
