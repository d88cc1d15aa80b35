import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../support/harness.ts';
import { makeOffer, makeProduct } from '../support/make-catalogue.ts';

let app: TestApp;
let paths: Record<string, string>;
beforeAll(async () => {
  app = await createTestApp();
  const productId = await makeProduct(app.test);
  const offerId = await makeOffer(app.test, { productId });
  const post = async (path: string, body: unknown, name: string) =>
    (await app.test.post(path, body)).body.data[name].id;
  const fixed = { type: 'sale', amount: 1, amountType: 'fixed', status: 'inactive' };
  const discountId = await post('/v0/discounts/create', fixed, 'discount');
  const userId = await post('/v0/users/create', { email: 'amounts@example.com' }, 'user');
  paths = { productId, offerId, discountId, userId };
});
afterAll(() => app.close());

const VALUE = '"@"';
const offer = { productId: '{productId}', price: 5, currency: 'EUR' };
const sale = { type: 'sale', amountType: 'fixed', status: 'inactive' };
const customer = { countryCode: 'HK' };

/** One field of one operation each, with the number's place marked; `isZeroFine` where 0 means something. */
const FIELDS: ReadonlyArray<{
  name: string;
  call: string;
  body: object;
  isZeroFine?: boolean;
  max?: number;
}> = [
  { name: 'an offer’s price', call: 'POST /v0/offers/create', body: { ...offer, price: '@' } },
  { name: 'a later price', call: 'PATCH /v0/offers/{offerId}/update', body: { price: '@' } },
  {
    name: 'a strike-through price',
    call: 'POST /v0/offers/create',
    body: { ...offer, originalPrice: '@' },
    isZeroFine: true,
  },
  {
    name: 'a limit of sales',
    call: 'POST /v0/offers/create',
    body: { ...offer, limit: '@' },
  },
  {
    name: 'the price of an inline offer',
    call: 'POST /v0/products/create',
    body: { type: 'SoftwareKey', name: 'Inline', offers: [{ price: '@', currency: 'EUR' }] },
  },
  { name: 'a fixed discount', call: 'POST /v0/discounts/create', body: { ...sale, amount: '@' } },
  { name: 'a later discount', call: 'PATCH /v0/discounts/{discountId}/update', body: { amount: '@' } },
  {
    name: 'a limit of uses',
    call: 'POST /v0/discounts/create',
    body: { ...sale, amount: 1, purchaseLimit: '@' },
  },
  {
    name: 'an amount to be taxed',
    call: 'POST /v0/tax/calculate',
    body: { productId: '{productId}', amount: '@', customer },
    isZeroFine: true,
  },
  {
    name: 'a unit price to be taxed',
    call: 'POST /v0/tax/calculate',
    body: { items: [{ productId: '{productId}', unitPrice: '@' }], customer },
    isZeroFine: true,
  },
  {
    name: 'a quantity to be taxed',
    call: 'POST /v0/tax/calculate',
    body: { productId: '{productId}', amount: 5, quantity: '@', customer },
    max: 10_000,
  },
  {
    name: 'a setting',
    call: 'PATCH /v0/settings/update',
    body: { lowStockThreshold: '@' },
    isZeroFine: true,
    max: 1_000_000,
  },
];

/** Sends the number as it is written: most of these cannot be said in JavaScript. */
function send(call: string, body: object, literal: string) {
  const [method = '', path = ''] = call.split(' ');
  const fill = (text: string) => text.replace(/\{(\w+)\}/g, (_all, name: string) => paths[name] ?? '');
  return app.test.request(method, fill(path), {
    body: fill(JSON.stringify(body)).replace(VALUE, literal),
    headers: { 'content-type': 'application/json' },
  });
}

async function snapshot(): Promise<unknown> {
  const { rows } = await app.service.pool.query(
    `select (select md5(string_agg(t::text, '|' order by t::text)) from offers t) as offers,
      (select md5(string_agg(t::text, '|' order by t::text)) from products t) as products,
      (select md5(string_agg(t::text, '|' order by t::text)) from discounts t) as discounts,
      (select md5(string_agg(t::text, '|' order by t::text)) from stores t) as stores`,
  );
  return rows[0];
}

const BAD = [
  '9007199254740992',
  '9007199254740993',
  '-1',
  '1.5',
  '1e400',
  '-1e400',
  'NaN',
  '"100"',
  '-0',
  'true',
  '[1]',
  '{}',
];

describe.each(FIELDS.map((field) => [field.name, field] as const))('%s', (_name, field) => {
  const { call, body, isZeroFine = false, max = Number.MAX_SAFE_INTEGER } = field;

  it('T17 can be anything from the smallest to the largest', async () => {
    for (const literal of [...(isZeroFine ? ['0'] : []), '1', '1.0', '1e2', String(max)]) {
      const { status, text } = await send(call, body, literal);
      expect({ literal, status, text }).toMatchObject({ literal, status: 200 });
    }
  });

  it('T17 is refused beyond, and nothing is stored', async () => {
    const before = await snapshot();
    for (const literal of [...BAD, ...(isZeroFine ? [] : ['0']), String(max + 1)]) {
      const { status, body: answer } = await send(call, body, literal);
      expect({ literal, status, envelope: answer.status }).toEqual({
        literal,
        status: 400,
        envelope: 'error',
      });
    }
    expect(await snapshot()).toEqual(before);
  });
});

describe('a moment in a query', () => {
  it.each(['9007199254740992', '-1', '1.5', '1e400', 'NaN', 'x', '0x10'])('cannot be %s', async (value) => {
    for (const list of ['users', 'orders', 'events']) {
      const name = list === 'users' ? 'createdAfter' : 'createdFrom';
      expect((await app.test.get(`/v0/${list}/list`, { query: { [name]: value } })).status).toBe(400);
    }
  });
});
