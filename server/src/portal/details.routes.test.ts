import { afterAll, beforeAll, expect, it, test } from 'vitest';
import { buy } from '../../test/support/buying.ts';
import { createTestApp, type TestApp } from '../../test/support/harness.ts';
import { makeOffer, makePlanOffer } from '../../test/support/make-catalogue.ts';
import { type PortalBrowser, signIn } from '../../test/support/portal.ts';

let app: TestApp;
let browser: PortalBrowser;
let id: string;
const codeOf = (answer: { status: number; body: { error?: { code: string } } }) =>
  `${answer.status} ${answer.body.error?.code}`;

beforeAll(async () => {
  app = await createTestApp();
  await app.test.patch('/v0/settings/update', { sellerCountry: 'FR' });
  const offersIds = [await makePlanOffer(app.test)];
  id = (await buy(app.test, { offersIds, userEmail: 'ada@example.com' })).body.data.order.number;
  browser = await signIn(app, 'ada@example.com');
});
afterAll(() => app.close());

test('S22 a card that pays is not removed; another one takes its place first', async () => {
  const methods = async () => (await browser.get('/payment-methods/list')).body.data.paymentMethods;
  const [first] = await methods();
  expect(first).toMatchObject({ isDefault: true, subscriptionIds: [id] });
  expect(codeOf(await browser.delete(`/payment-methods/${first.id}`))).toBe('409 payment_method_in_use');
  expect(codeOf(await browser.post('/payment-methods/create', { card: '1234' }))).toBe('400 card_invalid');
  const card = { card: '5555555555554444', subscriptionIds: [id] };
  const added = (await browser.post('/payment-methods/create', card)).body.data.paymentMethod;
  expect(added).toMatchObject({ last4: '4444', isDefault: false, subscriptionIds: [id] });
  await browser.patch(`/payment-methods/${added.id}/use`);
  expect((await methods())[0]).toMatchObject({ id: added.id, isDefault: true });
  expect((await browser.delete(`/payment-methods/${first.id}`)).body.data.paymentMethods).toHaveLength(1);
});

test('S22 a card is not both removed and paid with, when both are asked for at once', async () => {
  const email = 'both@example.com';
  const offersIds = [await makePlanOffer(app.test)];
  const number = (await buy(app.test, { offersIds, userEmail: email })).body.data.order.number;
  const both = await signIn(app, email);
  const add = async (card: string) => {
    const { body } = await both.post('/payment-methods/create', { card });
    return `/payment-methods/${body.data.paymentMethod.id}`;
  };
  const first = await add('4242424242424242');
  const pays = { subscriptionIds: [number] };
  for (let n = 0; n < 8; n += 1) {
    await both.patch(`${first}/use`, pays);
    const second = await add('5555555555554444');
    const [used, removed] = await Promise.all([both.patch(`${second}/use`, pays), both.delete(second)]);
    expect(['200 409', '404 200']).toContain(`${used.status} ${removed.status}`);
    const { paymentMethods } = (await both.get('/payment-methods/list')).body.data;
    expect(paymentMethods.filter(({ kept }: { kept: boolean }) => !kept)).toEqual([]);
  }
});

test('S22 a card is not both removed by its buyer and paid with by the merchant’s word', async () => {
  const email = 'merchant-and-buyer@example.com';
  const offerId = await makePlanOffer(app.test);
  const bought = await buy(app.test, { offersIds: [offerId], userEmail: email });
  const { number, userId } = bought.body.data.order;
  const buyer = await signIn(app, email);
  const first = (await buyer.get('/payment-methods/list')).body.data.paymentMethods[0].id;
  for (let n = 0; n < 8; n += 1) {
    await app.test.patch(`/v0/subscriptions/${number}/update`, { paymentMethodId: first });
    const added = await buyer.post('/payment-methods/create', { card: '5555555555554444' });
    const { id: paymentMethodId } = added.body.data.paymentMethod;
    const asks = [
      () => app.test.post('/v0/subscriptions/create', { userId, offerId, paymentMethodId }),
      () => app.test.patch(`/v0/subscriptions/${number}/update`, { paymentMethodId }),
    ];
    const [paying, removed] = await Promise.all([
      asks[n % 2]?.(),
      buyer.delete(`/payment-methods/${paymentMethodId}`),
    ]);
    expect(['200 409', '400 200']).toContain(`${paying?.status} ${removed.status}`);
    const { paymentMethods } = (await buyer.get('/payment-methods/list')).body.data;
    expect(paymentMethods.filter(({ kept }: { kept: boolean }) => !kept)).toEqual([]);
    const made = n % 2 === 0 && paying?.status === 200 ? paying.body.data.subscription.id : null;
    if (made) await app.test.patch(`/v0/subscriptions/${made}/cancel`, {});
  }
});

test('S22 a card given for a subscription alone is shown, and pays for nothing more', async () => {
  const email = 'eve@example.com';
  await buy(app.test, { offersIds: [await makeOffer(app.test)], userEmail: email });
  const offersIds = [await makePlanOffer(app.test)];
  const number = (await buy(app.test, { offersIds, userEmail: email })).body.data.order.number;
  const eve = await signIn(app, email);
  const [card, ...others] = (await eve.get('/payment-methods/list')).body.data.paymentMethods;
  expect(others).toEqual([]);
  expect(card).toMatchObject({
    last4: '4242',
    isDefault: false,
    kept: false,
    subscriptionIds: [number],
  });
  expect(codeOf(await eve.delete(`/payment-methods/${card.id}`))).toBe('409 payment_method_in_use');
  expect(codeOf(await eve.patch(`/payment-methods/${card.id}/use`))).toBe('404 not_found');
  await app.test.patch(`/v0/subscriptions/${number}/cancel`, {});
  expect((await eve.get('/payment-methods/list')).body.data.paymentMethods).toEqual([]);
});

test('S22 removing a card wants a fresh proof', async () => {
  const [method] = (await browser.get('/payment-methods/list')).body.data.paymentMethods;
  await app.service.db
    .updateTable('portalSessions')
    .set({ provedAt: Date.now() - 16 * 60_000 })
    .execute();
  expect(codeOf(await browser.delete(`/payment-methods/${method.id}`))).toBe('403 reauthentication_required');
});

test('S23 a valid tax number holds for what comes, and never for what was', async () => {
  const documents = async () => (await browser.get('/documents/list')).body.data.documents;
  const [invoice] = await documents();
  const read = async () => (await app.app.inject({ url: new URL(invoice.url).pathname })).rawPayload;
  const before = await read();
  const upcoming = async () =>
    (await browser.get(`/subscriptions/${id}/upcoming-payment`)).body.data.upcomingPayment;
  expect((await upcoming()).tax).toBeGreaterThan(0);
  const company = {
    type: 'company',
    companyName: 'Sternwerk GmbH',
    countryCode: 'DE',
    taxNumber: 'DE136695976',
  };
  const { taxNumberCheck } = (await browser.patch('/details', { billingDetails: company })).body.data;
  expect(taxNumberCheck).toBe('valid');
  expect((await upcoming()).taxBreakdown[0]).toMatchObject({ reason: 'reverse_charge' });
  expect((await upcoming()).tax).toBe(0);
  expect((await read()).equals(before)).toBe(true);
  const wrong = { billingDetails: { taxNumber: 'DE111111111' } };
  expect((await browser.patch('/details', wrong)).body.data.taxNumberCheck).toBe('invalid');
});

it('keeps the language that the buyer chose', async () => {
  expect((await browser.patch('/details', { language: 'de' })).body.data.language).toBe('de');
});

it('leaves the state behind with its country, and keeps it where only the town is another', async () => {
  const billingDetails = { countryCode: 'US', postalCode: '10001', state: 'NY' };
  await buy(app.test, {
    ...{ offersIds: [await makePlanOffer(app.test)], userEmail: 'mover@example.com', billingDetails },
  });
  const browser = await signIn(app, 'mover@example.com');
  const change = async (details: Record<string, string>) =>
    (await browser.patch('/details', { billingDetails: details })).body.data.details;
  expect(await change({ city: 'Buffalo' })).toMatchObject({ state: 'NY', city: 'Buffalo' });
  expect(await change({ countryCode: 'US', postalCode: '14201' })).toMatchObject({ state: 'NY' });
  expect(await change({ countryCode: 'DE', postalCode: '10115', city: 'Berlin' })).toMatchObject({
    ...{ countryCode: 'DE', city: 'Berlin', state: null },
  });
  expect(await change({ countryCode: 'CA', postalCode: 'H2X 1Y4', state: 'QC' })).toMatchObject({
    state: 'QC',
  });
});
