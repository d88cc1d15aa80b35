import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectRefusal } from '../../test/support/expect-refusal.ts';
import { createTestApp, type TestApp } from '../../test/support/harness.ts';
import { makeOffer } from '../../test/support/make-catalogue.ts';

let app: TestApp;
let offerId: string;
beforeAll(async () => {
  app = await createTestApp();
  offerId = await makeOffer(app.test);
});
afterAll(() => app.close());

const CREATE = '/v0/discounts/create';
const sale = { type: 'sale', amount: 10, amountType: 'percentage' };
const code = (discountCode: string) => ({ ...sale, type: 'code', discountCode });

async function make(body: Record<string, unknown> = sale) {
  const answer = await app.test.post(CREATE, body);
  expect(answer.text).toContain('success');
  return answer.body.data.discount;
}

describe('creating a discount', () => {
  it('needs only type, amount and its type, and fills in the rest', async () => {
    expect(await make()).toEqual({
      object: 'discount',
      id: expect.any(String),
      ...sale,
      status: 'active',
      state: 'active',
      currency: 'EUR',
      name: null,
      discountCode: null,
      validFrom: null,
      validUntil: null,
      timezone: 'UTC',
      purchaseLimit: null,
      limitPerUser: null,
      timesUsed: 0,
      includesAllOffers: true,
      includedOffers: [],
      excludedOffers: [],
      duration: 'once',
      durationIntervals: null,
      archivedAt: null,
      createdAt: expect.any(Number),
      version: 1,
    });
  });

  it('keeps every field as it was written', async () => {
    const written = {
      type: 'code',
      discountCode: 'Spring-24',
      amount: 500,
      amountType: 'fixed',
      currency: 'EUR',
      status: 'inactive',
      name: 'Spring',
      validFrom: 1_700_000_000_000,
      validUntil: 1_900_000_000_000,
      timezone: 'Europe/Warsaw',
      purchaseLimit: 5,
      limitPerUser: 1,
      includesAllOffers: true,
      includedOffers: [offerId],
      excludedOffers: [offerId],
      duration: 'repeating',
      durationIntervals: 3,
    };
    expect(await make(written)).toMatchObject({ ...written, state: 'inactive' });
  });

  it.each([0.01, 12.34, 33.33, 99.99, 100, 0.1, 0.29])('takes %s percent exactly', async (amount) => {
    expect((await make({ ...sale, amount })).amount).toBe(amount);
  });

  it.each([
    ['amount', { amount: 100.01 }],
    ['amount', { amount: 12.345 }],
    ['amount', { amount: 0.001 }],
    ['amount', { amount: 0 }],
    ['amount', { amount: -5 }],
    ['amount', { amount: 1.5, amountType: 'fixed' }],
    ['amountType', { amountType: 'free' }],
    ['type', { type: 'gift' }],
    ['discountCode', { type: 'code' }],
    ['discountCode', { discountCode: 'NOT-ON-SALES' }],
    ['discountCode', { type: 'code', discountCode: 'two words' }],
    ['discountCode', { type: 'code', discountCode: '' }],
    ['discountCode', { type: 'code', discountCode: 'x'.repeat(65) }],
    ['timezone', { timezone: 'Mars/Olympus' }],
    ['validUntil', { validFrom: 1_800_000_000_000, validUntil: 1_700_000_000_000 }],
    ['purchaseLimit', { purchaseLimit: 0 }],
    ['limitPerUser', { limitPerUser: 1.5 }],
    ['durationIntervals', { duration: 'repeating' }],
    ['durationIntervals', { duration: 'forever', durationIntervals: 2 }],
    ['currency', { currency: 'XXX' }],
    ['status', { status: 'archived' }],
    ['includedOffers', { includedOffers: ['x'] }],
  ])('refuses a wrong %s: %j', async (path, fields) => {
    const { status, body } = await app.test.post(CREATE, { ...sale, ...fields });
    expect(status).toBe(400);
    expect(body.error.code).toBe('invalid_input');
    expect(body.error.details[0].path).toMatch(new RegExp(`^${path}`));
  });

  it('of a fixed amount needs a currency where the workspace has none yet', async () => {
    const fixed = { ...sale, amountType: 'fixed' };
    await expectRefusal(app.live.post(CREATE, fixed), 400, 'invalid_input');
    expect((await app.live.post(CREATE, { ...fixed, currency: 'USD' })).status).toBe(200);
  });

  it('refuses offers that do not exist', async () => {
    const unknown = { ...sale, includedOffers: [offerId, randomUUID()] };
    await expectRefusal(app.test.post(CREATE, unknown), 400, 'unknown_reference');
    const excluded = { ...sale, excludedOffers: [randomUUID()] };
    await expectRefusal(app.test.post(CREATE, excluded), 400, 'unknown_reference');
  });
});

describe('a code', () => {
  it('is taken once, compared without case, until its discount is archived', async () => {
    const first = await make(code('Summer'));
    await expectRefusal(app.test.post(CREATE, code('SUMMER')), 409, 'discount_code_taken');
    const { body: refused } = await app.test.post(CREATE, code('SUMMER'));
    expect(refused.error.details).toEqual([{ path: 'discountCode', message: 'is taken' }]);
    await app.test.patch(`/v0/discounts/${first.id}/archive`);
    const second = await make(code('SUMMER'));
    await expectRefusal(app.test.patch(`/v0/discounts/${first.id}/unarchive`), 409, 'discount_code_taken');
    await app.test.patch(`/v0/discounts/${second.id}/archive`);
    expect((await app.test.patch(`/v0/discounts/${first.id}/unarchive`)).status).toBe(200);
  });

  it('may be the same in another workspace and in the other mode', async () => {
    await make(code('EVERYWHERE'));
    expect((await app.other.post(CREATE, code('EVERYWHERE'))).status).toBe(200);
    expect((await app.live.post(CREATE, code('EVERYWHERE'))).status).toBe(200);
  });

  it('is given to one of many who ask at once', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => app.test.post(CREATE, code('RACED'))));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)]);
  });
});

describe('changing a discount', () => {
  it('leaves alone what is not said and clears what is null', async () => {
    const { id, ...before } = await make({
      ...sale,
      name: 'Named',
      purchaseLimit: 3,
      validFrom: 1_700_000_000_000,
    });
    const { body } = await app.test.patch(`/v0/discounts/${id}/update`, { name: null, amount: 20 });
    expect(body.data.discount).toEqual({ ...before, id, name: null, amount: 20, version: 2 });
  });

  it('refuses null for what cannot be empty', async () => {
    const { id } = await make();
    for (const field of [
      'amount',
      'amountType',
      'type',
      'status',
      'timezone',
      'duration',
      'includesAllOffers',
    ]) {
      const { status, body } = await app.test.patch(`/v0/discounts/${id}/update`, { [field]: null });
      expect({ field, status, path: body.error?.details[0].path }).toEqual({
        field,
        status: 400,
        path: field,
      });
    }
  });

  it('takes the currency from a percentage, and refuses that of a fixed amount', async () => {
    const percent = await make({ ...sale, currency: 'EUR' });
    const cleared = await app.test.patch(`/v0/discounts/${percent.id}/update`, { currency: null });
    expect(cleared.body.data.discount).toMatchObject({ currency: null, amount: 10 });
    const fixed = await make({ ...sale, amountType: 'fixed', amount: 500, currency: 'EUR' });
    const refused = app.test.patch(`/v0/discounts/${fixed.id}/update`, { currency: null });
    await expectRefusal(refused, 400, 'invalid_input');
    expect((await app.test.get(`/v0/discounts/${fixed.id}`)).body.data.discount.currency).toBe('EUR');
  });

  it('checks what is said together with what stays', async () => {
    const { id } = await make({ ...sale, validUntil: 1_700_000_000_000 });
    const late = { validFrom: 1_800_000_000_000 };
    await expectRefusal(app.test.patch(`/v0/discounts/${id}/update`, late), 400, 'invalid_input');
    await expectRefusal(app.test.patch(`/v0/discounts/${id}/update`, { type: 'code' }), 400, 'invalid_input');
    const hundreds = await make({ ...sale, amountType: 'fixed', amount: 500 });
    const percent = { amountType: 'percentage' };
    await expectRefusal(app.test.patch(`/v0/discounts/${hundreds.id}/update`, percent), 400, 'invalid_input');
  });

  it('keeps its audit row, with what it was and what it became', async () => {
    const { id } = await make({ ...sale, name: 'Before' });
    await app.test.patch(`/v0/discounts/${id}/update`, { name: 'After' });
    const rows = await app.service.db
      .selectFrom('auditLog')
      .select(['operation', 'actor', 'before', 'after', 'requestId'])
      .where('objectId', '=', id)
      .orderBy('id')
      .execute();
    expect(rows).toMatchObject([
      { operation: 'createDiscount', before: null },
      { operation: 'updateDiscount', before: { name: 'Before' }, after: { discount: { name: 'After' } } },
    ]);
  });
});

describe('archiving', () => {
  it('is repeatable, keeps its first moment, and is undone', async () => {
    const { id } = await make();
    const archive = () => app.test.patch(`/v0/discounts/${id}/archive`);
    const first = (await archive()).body.data.discount;
    expect(first).toMatchObject({ state: 'archived', archivedAt: expect.any(Number) });
    expect((await archive()).body.data.discount.archivedAt).toBe(first.archivedAt);
    const back = await app.test.patch(`/v0/discounts/${id}/unarchive`);
    expect(back.body.data.discount).toMatchObject({ state: 'active', archivedAt: null });
  });
});

describe('the state of a discount', () => {
  it.each([
    ['scheduled', { validFrom: 4_000_000_000_000 }],
    ['expired', { validUntil: 1_600_000_000_000 }],
    ['inactive', { status: 'inactive' }],
    ['active', { validFrom: 1_600_000_000_000, validUntil: 4_000_000_000_000 }],
  ])('is %s with %j', async (state, fields) => {
    expect((await make({ ...sale, ...fields })).state).toBe(state);
  });
});

describe('listing discounts', () => {
  it('finds by type, status, term and id, and leaves archived ones out unless asked', async () => {
    const named = await make({ ...sale, name: 'Needle 100%' });
    const coded = await make({ ...code('NEEDLE_CODE'), status: 'inactive' });
    const gone = await make({ ...sale, name: 'needle, old' });
    await app.test.patch(`/v0/discounts/${gone.id}/archive`);
    const find = async (query: Record<string, string>) =>
      (await app.test.get('/v0/discounts/list', { query })).body.data.discounts.map(
        ({ id }: { id: string }) => id,
      );
    expect(await find({ term: 'needle' })).toEqual([coded.id, named.id]);
    expect(await find({ term: '100%' })).toEqual([named.id]);
    expect(await find({ term: 'needle_code' })).toEqual([coded.id]);
    expect(await find({ term: 'needle', type: 'sale' })).toEqual([named.id]);
    expect(await find({ term: 'needle', statuses: 'inactive' })).toEqual([coded.id]);
    expect(await find({ term: 'needle', archived: 'true' })).toEqual([gone.id]);
    expect(await find({ term: 'needle', statuses: 'archived' })).toEqual([gone.id]);
    expect(await find({ term: 'needle', withArchived: 'true' })).toEqual([gone.id, coded.id, named.id]);
    expect(await find({ ids: `${named.id},${gone.id}` })).toEqual([named.id]);
  });
});

describe('a discount that nobody has', () => {
  it('is 404 in every operation', async () => {
    const path = `/v0/discounts/${randomUUID()}`;
    await expectRefusal(app.test.get(path), 404, 'not_found');
    for (const verb of ['update', 'archive', 'unarchive']) {
      await expectRefusal(app.test.patch(`${path}/${verb}`), 404, 'not_found');
    }
  });
});
