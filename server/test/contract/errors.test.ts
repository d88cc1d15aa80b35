/** Refusals that no journey meets on its way. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buy } from '../support/buying.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { createTestApp, type TestApp } from '../support/harness.ts';
import { makeOffer } from '../support/make-catalogue.ts';

let t: TestApp;
beforeAll(async () => {
  t = await createTestApp();
});
afterAll(() => t.close());

it('refuses a buyer who has used a code as often as one may', async () => {
  const offersIds = [await makeOffer(t.test)];
  const code = { type: 'code', discountCode: 'ONCE', amount: 10, amountType: 'percentage' };
  await t.test.post('/v0/discounts/create', { ...code, includesAllOffers: true, limitPerUser: 1 });
  expect((await buy(t.test, { offersIds, discountCode: 'ONCE' })).status).toBe(200);
  await expectRefusal(buy(t.test, { offersIds, discountCode: 'ONCE' }), 400, 'discount_user_limit');
  const other = { offersIds, discountCode: 'ONCE', userEmail: 'bob@example.com' };
  expect((await buy(t.test, other)).status).toBe(200);
});

// The last one: this file's store is broken from here on.
it('tells nothing of a fault of its own but the number of the request', async () => {
  await t.service.pool.query('alter table custom_fields rename to gone');
  const answer = await t.test.get('/v0/custom-fields/list');
  expect(answer.status).toBe(500);
  expect(answer.body).toEqual({
    status: 'error',
    error: {
      message: 'Something went wrong on our side.',
      code: 'internal',
      requestId: answer.headers['x-request-id'],
    },
  });
});
