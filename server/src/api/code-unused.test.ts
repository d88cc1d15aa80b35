import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buy, VISA } from '../../test/support/buying.ts';
import { createTestApp, type TestApp } from '../../test/support/harness.ts';
import { makeOffer, makePlanOffer } from '../../test/support/make-catalogue.ts';

let app: TestApp;
let offerId: string;
let plan: string;
beforeAll(async () => {
  app = await createTestApp();
  offerId = await makeOffer(app.test, { price: 1000 });
  plan = await makePlanOffer(app.test, { price: 1000 });
  const percent = { amountType: 'percentage' };
  await make({ type: 'sale', amount: 10, ...percent });
  await make({ type: 'code', discountCode: 'FIVE', amount: 5, ...percent });
  await make({ type: 'code', discountCode: 'TEN', amount: 10, ...percent });
  await make({ type: 'code', discountCode: 'TWENTY', amount: 20, ...percent });
});
afterAll(() => app.close());

async function make(discount: Record<string, unknown>) {
  const answer = await app.test.post('/v0/discounts/create', discount);
  expect(answer.status, answer.text).toBe(200);
}

/** A worse code, a tie (the sale wins), a better code and none, with what each is to be told. */
const CASES = [
  [{ discountCode: 'five' }, true, 100],
  [{ discountCode: 'TEN' }, true, 100],
  [{ discountCode: 'TWENTY' }, false, 200],
  [{}, false, 100],
] as const;

describe('a valid code beside a running sale', () => {
  it.each(CASES)('%o is told unused by the calculation: %s', async (code, codeUnused, discount) => {
    const body = { offerId, customer: { countryCode: 'DE' }, ...code };
    const { status, body: answer } = await app.test.post('/v0/tax/calculate', body, { keys: 'public' });
    expect([status, answer.data?.tax]).toMatchObject([200, { codeUnused, discount }]);
  });

  it.each(CASES)('%o is told unused by a test purchase: %s', async (code, codeUnused) => {
    for (const card of [VISA, '4000000000000002']) {
      const { status, body } = await buy(app.test, { offersIds: [offerId], card, ...code });
      const type = codeUnused || !('discountCode' in code) ? 'sale' : 'code';
      expect([status, body.data]).toMatchObject([200, { codeUnused, order: { discount: { type } } }]);
    }
  });

  it.each(CASES)('%o is told unused by a subscription that is created: %s', async (code, codeUnused) => {
    const userEmail = `${'discountCode' in code ? code.discountCode : 'none'}@example.com`;
    const paymentData = { sandboxCustomerId: `card_${VISA}` };
    const user = { email: userEmail, billingDetails: { countryCode: 'DE' }, paymentData };
    expect((await app.test.post('/v0/users/create', user)).status).toBe(200);
    const asked = { userEmail, items: [{ offerId: plan }], ...code };
    const headers = { 'idempotency-key': `unused-${userEmail}` };
    const first = await app.test.post('/v0/subscriptions/create', asked, { headers });
    expect([first.status, first.body.data?.codeUnused], first.text).toEqual([200, codeUnused]);
    const again = await app.test.post('/v0/subscriptions/create', asked, { headers });
    expect(again.body).toEqual(first.body);
  });
});
