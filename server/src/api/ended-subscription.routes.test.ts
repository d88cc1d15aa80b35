import { expect, it } from 'vitest';
import { VISA } from '../../test/support/cards.ts';
import type { TestApp } from '../../test/support/harness.ts';
import { makePlanOffer } from '../../test/support/make-catalogue.ts';
import { useShop } from '../../test/support/shop.ts';

let app: TestApp;
let offerId: string;

useShop(async (made) => {
  app = made;
  offerId = await makePlanOffer(app.test, { price: 1000 });
});

it('names the state that forbids it, whatever is asked of a subscription that has ended', async () => {
  const { body: made } = await app.test.post('/v0/users/create', {
    email: 'ended@example.com',
    billingDetails: { countryCode: 'DE' },
    paymentData: { sandboxCustomerId: `card_${VISA}` },
  });
  const { body: started } = await app.test.post('/v0/subscriptions/create', {
    userId: made.data.user.id,
    offerId,
  });
  const path = `/v0/subscriptions/${started.data.subscription.id}`;
  await app.test.patch(`${path}/cancel`, {});
  const update = (body: object) => app.test.patch(`${path}/update`, body);
  const answers = [
    await update({ offerId }),
    await update({ cancelAtIntervalEnd: true }),
    await update({ discountCode: 'ANY' }),
    await update({ billingDetails: { city: 'Lyon' } }),
    await app.test.post(`${path}/preview-update`, { offerId }),
    await app.test.post(`${path}/charge`, { items: [{ name: 'Set-up', unitPrice: 500, currency: 'EUR' }] }),
    await app.test.patch(`${path}/pauseCollection`, {}),
  ];
  for (const { status, body } of answers) {
    expect({ status, message: body.error.message }).toEqual({
      status: 409,
      message: 'The subscription is canceled: this is not possible.',
    });
  }
});
