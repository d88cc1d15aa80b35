/** No attempt of a declined card keeps others from what is scarce: keys, places, codes. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { buy, card, listTaken, openPage } from '../support/buying.ts';
import { AUTHENTICATES, DECLINED } from '../support/cards.ts';
import { expectInvariants } from '../support/expect-invariants.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { createTestApp, type TestApp } from '../support/harness.ts';
import { makeOffer } from '../support/make-catalogue.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterEach(() => expectInvariants(app));
afterAll(() => app.close());

async function makeKeys(...productKeys: string[]): Promise<string> {
  const offerId = await makeOffer(app.test);
  await app.test.post(`/v0/offers/${offerId}/keys/add`, { productKeys });
  return offerId;
}

async function makeCode(discountCode: string, fields: Record<string, unknown> = {}): Promise<string> {
  const code = { type: 'code', amount: 10, amountType: 'percentage', includesAllOffers: true };
  const { body } = await app.test.post('/v0/discounts/create', { ...code, discountCode, ...fields });
  return body.data.discount.id;
}

const stockOf = async (offerId: string) => (await app.test.get(`/v0/offers/${offerId}`)).body.data.offer;
const usesOf = async (id: string) => (await app.test.get(`/v0/discounts/${id}`)).body.data.discount.timesUsed;
const declined = { card: card(DECLINED) };

async function openFor(offerId: string, email: string) {
  const page = await openPage(app, `/checkout/${offerId}`);
  return { ...page, submit: (fields: Record<string, unknown> = {}) => page.submit({ email, ...fields }) };
}

describe('Y18 a declined card', () => {
  it('holds no key, however often and from however many sessions it is tried', async () => {
    const offerId = await makeKeys('SCARCE-1', 'SCARCE-2', 'SCARCE-3');
    const attackers = await Promise.all(
      [1, 2, 3, 4, 5].map((i) => openFor(offerId, `attacker-${i}@example.com`)),
    );
    for (const page of attackers) {
      for (let count = 0; count < 3; count += 1) {
        const { body } = await page.submit(declined);
        expect(body.data.checkout).toMatchObject({ status: 'open', lastError: { code: 'card_declined' } });
      }
    }
    expect((await stockOf(offerId)).keys).toEqual({ available: 3, reserved: 0, sold: 0 });
    for (const i of [1, 2, 3]) {
      const { body } = await buy(app.test, { offersIds: [offerId], userEmail: `buyer-${i}@example.com` });
      expect(body.data.order.status).toBe('PAID');
    }
  });

  it('holds no place of a limited offer, nor a use of a code', async () => {
    const offerId = await makeOffer(app.test, { limit: 1 });
    const id = await makeCode('PLACES', { purchaseLimit: 1 });
    const page = await openFor(offerId, 'attacker@example.com');
    await page.submit({ ...declined, discountCode: 'PLACES' });
    const asked = { offersIds: [offerId], userEmail: 'buyer@example.com', discountCode: 'PLACES' };
    expect((await buy(app.test, asked)).body.data.order).toMatchObject({ status: 'PAID', value: 2141 });
    expect((await stockOf(offerId)).soldItems).toBe(1);
    expect(await usesOf(id)).toBe(1);
    await expectRefusal(page.submit(), 409, 'offer_limit_reached');
  });

  it('that is given in place of an authentication holds nothing either', async () => {
    const offerId = await makeKeys('WAITING-1');
    const page = await openFor(offerId, 'attacker@example.com');
    await page.submit({ card: card(AUTHENTICATES) });
    expect((await stockOf(offerId)).keys.reserved).toBe(1);
    await page.submit(declined);
    expect((await stockOf(offerId)).keys).toEqual({ available: 1, reserved: 0, sold: 0 });
  });
});

describe('Y18 the next try', () => {
  it('takes again what the decline gave back, once', async () => {
    const offerId = await makeKeys('AGAIN-1', 'AGAIN-2');
    const id = await makeCode('AGAIN', { purchaseLimit: 1 });
    const page = await openFor(offerId, 'buyer@example.com');
    await page.submit({ ...declined, discountCode: 'AGAIN' });
    const { body } = await page.submit({ discountCode: 'AGAIN' });
    expect(body.data.checkout.status).toBe('paid');
    expect((await stockOf(offerId)).keys).toEqual({ available: 1, reserved: 0, sold: 1 });
    expect(await usesOf(id)).toBe(1);
  });

  it('finds stock that is gone meanwhile sold out, and nothing is charged', async () => {
    const offerId = await makeKeys('GONE-1');
    const page = await openFor(offerId, 'slow@example.com');
    await page.submit(declined);
    await buy(app.test, { offersIds: [offerId], userEmail: 'quick@example.com' });
    const taken = (await listTaken(app)).length;
    await expectRefusal(page.submit(), 409, 'sold_out');
    expect((await listTaken(app)).length).toBe(taken);
    expect((await page.show()).body.data.checkout).toMatchObject({
      status: 'unavailable',
      unavailableReason: { code: 'sold_out' },
    });
  });

  it('finds a code that is gone meanwhile as a changed price, told with the new total', async () => {
    const offerId = await makeOffer(app.test);
    const id = await makeCode('LAST', { purchaseLimit: 1 });
    const page = await openFor(offerId, 'slow@example.com');
    const shown = (await page.quote({ discountCode: 'LAST' })).body.data.quote;
    const asked = { discountCode: 'LAST', fingerprint: shown.fingerprint };
    await page.submit({ ...declined, ...asked });
    const other = { offersIds: [offerId], discountCode: 'LAST', userEmail: 'quick@example.com' };
    expect((await buy(app.test, other)).body.data.order.value).toBe(2141);
    const taken = (await listTaken(app)).length;
    const { status, body } = await page.submit(asked);
    expect({ status, code: body.error.code }).toEqual({ status: 409, code: 'price_changed' });
    expect(body.error.details[0].quote).toMatchObject({ total: 2379 });
    expect((await listTaken(app)).length).toBe(taken);
    // The new total is on the page, and the buyer agrees to it.
    const fresh = (await page.quote({ discountCode: 'LAST' })).body.data.quote;
    expect(fresh).toMatchObject({ total: 2379, codeError: { code: 'discount_exhausted' } });
    const paid = await page.submit({ ...asked, fingerprint: fresh.fingerprint });
    expect(paid.body.data.checkout.status).toBe('paid');
    expect((await listTaken(app)).at(-1)?.amount).toBe(2379);
    expect(await usesOf(id)).toBe(1);
  });
});
