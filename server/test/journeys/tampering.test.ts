import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { card, listTaken, openPage, VISA } from '../support/buying.ts';
import { expectInvariants } from '../support/expect-invariants.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { createTestApp, type TestApp } from '../support/harness.ts';
import { makeOffer } from '../support/make-catalogue.ts';

let app: TestApp;
let offerId: string;
beforeAll(async () => {
  app = await createTestApp();
  offerId = await makeOffer(app.test);
});
afterAll(() => app.close());

const open = (id = offerId) => openPage(app, `/checkout/${id}`);

describe('a buyer who writes requests by hand', () => {
  it.each([
    ['an amount', { amount: 1 }],
    ['a price', { price: 1 }],
    ['a unit price', { unitPrice: 0 }],
    ['a currency', { currency: 'JPY' }],
    ['another offer', { offerId: randomUUID() }],
    ['other offers', { offersIds: [] }],
    ['a status', { status: 'PAID' }],
    ['an order', { orderId: randomUUID() }],
    ['a field in the card', { card: { ...card(VISA), amount: 1 } }],
  ])('cannot slip in %s', async (_name, fields) => {
    const taken = (await listTaken(app)).length;
    const page = await open();
    await expectRefusal(page.submit(fields), 400, 'invalid_input');
    expect((await page.show()).body.data.checkout.status).toBe('open');
    expect((await listTaken(app)).length).toBe(taken);
  });

  it.each([-1, 0, 1.5, 10_001, 9007199254740992, '2', null])(
    'T42 cannot buy the quantity %s',
    async (quantity) => {
      const mutable = await makeOffer(app.test, { mutableQuantity: true });
      const page = await open(mutable);
      await expectRefusal(page.submit({ quantity }), 400, 'invalid_input');
    },
  );

  it('cannot change a quantity that is fixed', async () => {
    const page = await open();
    await expectRefusal(page.submit({ quantity: 2 }), 400, 'quantity_not_mutable');
    await expectRefusal(page.quote({ quantity: 2 }), 400, 'quantity_not_mutable');
  });

  it.each([
    ['email', { email: 'nobody' }],
    ['email', { email: '' }],
    ['email', { email: `${'a'.repeat(300)}@example.com` }],
    ['countryCode', { countryCode: 'ZZ' }],
    ['countryCode', { countryCode: '' }],
    ['postalCode', { countryCode: 'US', postalCode: '' }],
    ['postalCode', { countryCode: 'US', postalCode: 'ABC' }],
    ['companyName', { type: 'company' }],
    ['card.number', { card: undefined }],
  ])('is told which field is wrong: %s', async (path, fields) => {
    const { status, body } = await (await open()).submit(fields);
    expect(status).toBe(400);
    expect(body.error.details.map((issue: { path: string }) => issue.path)).toContain(path);
  });

  it.each([
    ['card.number', { number: '4242424242424241' }],
    ['card.expiry', { expiry: '13/35' }],
    ['card.expiry', { expiry: '01/20' }],
    ['card.cvc', { cvc: '12' }],
  ])('is told which part of the card is wrong: %s', async (path, fields) => {
    const page = await open();
    const { status, body } = await page.submit({ card: { ...card(VISA), ...fields } });
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ code: 'card_invalid', details: [{ path }] });
    expect((await page.show()).body.data.checkout.status).toBe('open');
  });

  it('finds nothing under an id that is none or that nobody has', async () => {
    for (const id of [randomUUID(), 'x', '%00', "'"]) {
      for (const [method, path] of [
        ['GET', `/checkout-sessions/${id}`],
        ['POST', `/checkout-sessions/${id}/confirm`],
        ['POST', `/checkout-sessions/${id}/submit`],
        ['GET', `/checkout/${id}`],
        ['GET', `/checkout-element/${id}`],
        ['GET', `/checkout/${offerId}/checkout/${id}`],
        ['GET', `/pay/${id}`],
        ['GET', `/sandbox/authenticate/${id}`],
        ['POST', `/sandbox/authenticate/${id}`],
      ] as const) {
        const body = path.endsWith('submit') ? { email: 'a@example.com', countryCode: 'DE' } : {};
        const answer = await app.test.request(method, path, { keys: 'none', body });
        expect([400, 404], `${method} ${path}`).toContain(answer.status);
      }
    }
  });
});

describe('a link with odd prefill', () => {
  it.each([
    'svc-customer-email=%00',
    'svc-quantity=-1',
    'svc-quantity=1e400',
    'svc-quantity=x',
    'svc-discount-code=%27%20or%201%3D1',
    `svc-customer-first-name=${'x'.repeat(5000)}`,
    'svc-customer-country=ZZ',
    '__proto__=1&constructor=2',
    'svc-customer-email=%ff%fe',
  ])('is opened or refused, and never breaks the page: %s', async (query) => {
    const opened = await app.app.inject({ method: 'GET', url: `/checkout/${offerId}?${query}` });
    expect([303, 400]).toContain(opened.statusCode);
    if (opened.statusCode === 400) return;
    const page = await app.app.inject({ method: 'GET', url: String(opened.headers.location) });
    expect(page.statusCode).toBe(200);
  });
});

describe('the price that was shown', () => {
  it('T42 is what is charged, and a submit at an older one is told and not charged', async () => {
    const own = await makeOffer(app.test);
    const page = await open(own);
    const shown = (await page.quote()).body.data.quote;
    expect(shown.total).toBe(2379);
    await app.test.patch(`/v0/offers/${own}/update`, { price: 2999 });
    const taken = (await listTaken(app)).length;
    await expectRefusal(page.submit({ fingerprint: shown.fingerprint }), 409, 'price_changed');
    expect((await listTaken(app)).length).toBe(taken);
    const fresh = (await page.quote()).body.data.quote;
    const paid = await page.submit({ fingerprint: fresh.fingerprint });
    expect(paid.body.data.checkout.receipt.total).toBe(fresh.total);
    expect((await listTaken(app)).at(-1)?.amount).toBe(3569);
  });

  it('T42 is not believed when it is made up', async () => {
    const page = await open();
    for (const fingerprint of ['EUR:1:1', '', 'JPY:2379:2379', 'x'.repeat(100)]) {
      await expectRefusal(page.submit({ fingerprint }), 409, 'price_changed');
    }
  });

  it('T42 is held to its total where that alone is sent back', async () => {
    const page = await open();
    const { total } = (await page.quote()).body.data.quote;
    const taken = (await listTaken(app)).length;
    for (const expectedTotal of [0, 1, total - 1, Number.MAX_SAFE_INTEGER])
      await expectRefusal(page.submit({ expectedTotal }), 409, 'price_changed');
    await expectRefusal(page.submit({ expectedTotal: -1 }), 400, 'invalid_input');
    expect((await listTaken(app)).length).toBe(taken);
    expect((await page.submit({ expectedTotal: total })).body.data.checkout.status).toBe('paid');
  });

  it('has changed too when a sale ended meanwhile', async () => {
    const own = await makeOffer(app.test);
    const sale = { type: 'sale', amount: 50, amountType: 'percentage', includedOffers: [own] };
    const { id } = (await app.test.post('/v0/discounts/create', sale)).body.data.discount;
    const page = await open(own);
    const shown = (await page.quote()).body.data.quote;
    expect(shown.appliedDiscount).toMatchObject({ id });
    await app.test.patch(`/v0/discounts/${id}/archive`);
    await expectRefusal(page.submit({ fingerprint: shown.fingerprint }), 409, 'price_changed');
  });

  it('has changed when the buyer moves to a country of another tax', async () => {
    const page = await open();
    const { fingerprint } = (await page.quote({ countryCode: 'DE' })).body.data.quote;
    await expectRefusal(page.submit({ countryCode: 'HU', fingerprint }), 409, 'price_changed');
  });

  it('that was sold stays in the order when the offer changes later', async () => {
    const own = await makeOffer(app.test, { name: 'As sold' });
    const paid = (await (await open(own)).submit()).body.data.checkout.receipt;
    await app.test.patch(`/v0/offers/${own}/update`, { price: 1, name: 'Renamed' });
    const { order, items } = (await app.test.get(`/v0/orders/${paid.orderId}`)).body.data;
    expect(order.value).toBe(2379);
    expect(items[0]).toMatchObject({ value: 1999, name: 'As sold' });
  });
});

describe('a suspended shop', () => {
  it('takes no submit, and shows a page that says so', async () => {
    const shop = await makeOffer(app.other);
    const page = await openPage(app, `/checkout/${shop}`);
    const { workspaceId } = app.other.scope;
    const setState = (state: 'active' | 'suspended') =>
      app.service.db.updateTable('workspaces').set({ state }).where('id', '=', workspaceId).execute();
    await setState('suspended');
    await expectRefusal(page.submit(), 403, 'workspace_suspended');
    expect((await page.show()).body.data.checkout.status).toBe('unavailable');
    await setState('active');
    expect((await page.submit()).body.data.checkout.status).toBe('paid');
  });
});

it('leaves nothing broken that must always hold', () => expectInvariants(app));
