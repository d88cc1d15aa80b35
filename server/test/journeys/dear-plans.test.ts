/** Plans so dear that a tax would not fit: who buys one untaxed may move, and no request is there to be refused then. */
import { expect, it } from 'vitest';
import { buy } from '../support/buying.ts';
import { VISA } from '../support/cards.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import type { TestApp } from '../support/harness.ts';
import { makePlanOffer } from '../support/make-catalogue.ts';
import { useShop } from '../support/shop.ts';

const MOST = 2 ** 52 - 1;
let app: TestApp;
useShop(async (made) => {
  app = made;
});

it('a plan is sold only where its price could be stored with any tax', async () => {
  const trial = { trialInterval: 'month', trialIntervalCount: 1 };
  const sell = async (price: number, taxBehavior: string) =>
    buy(app.test, { offersIds: [await makePlanOffer(app.test, { price, taxBehavior, ...trial })] });
  await expectRefusal(sell(MOST + 1, 'exclusive'), 400, 'amount_too_large');
  expect((await sell(MOST, 'exclusive')).status).toBe(200);
  expect((await sell(MOST + 1, 'inclusive')).status).toBe(200);
});

it('nor is a subscription made at such a price', async () => {
  const offerId = await makePlanOffer(app.test, { price: 1000, taxBehavior: 'exclusive' });
  const { body } = await app.test.post('/v0/users/create', {
    ...{ email: 'dear@example.com', billingDetails: { countryCode: 'CH' } },
    paymentData: { sandboxCustomerId: `card_${VISA}` },
  });
  const create = (unitPrice: number) =>
    app.test.post('/v0/subscriptions/create', {
      ...{ userId: body.data.user.id, items: [{ offerId, unitPrice }] },
    });
  await expectRefusal(create(MOST + 1), 400, 'amount_too_large');
  const made = await create(1000);
  expect(made.status, made.text).toBe(200);
  const change = { items: [{ offerId, unitPrice: MOST + 1 }] };
  const updated = app.test.patch(`/v0/subscriptions/${made.body.data.subscription.id}/update`, change);
  await expectRefusal(updated, 400, 'amount_too_large');
});
