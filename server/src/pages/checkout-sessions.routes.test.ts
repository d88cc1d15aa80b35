import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../../test/support/harness.ts';
import { makeOffer } from '../../test/support/make-catalogue.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const CARD = { number: '4242424242424242', expiry: '12/35', cvc: '123' };
const FORM = { email: 'ada@example.com', countryCode: 'DE' };
const NOBODY = '00000000-0000-7000-8000-000000000000';

/** Opens a session as a buyer's browser does; answers its path in the checkout's own operations. */
async function openSession(link: string): Promise<string> {
  const { headers } = await app.test.get(link, { keys: 'none' });
  return `/checkout-sessions/${String(headers.location).split('?')[0]?.split('/').at(-1)}`;
}

const send = (path: string, body: unknown) => app.test.post(path, body, { keys: 'none' });

async function makeFileOffer(fields: Record<string, unknown> = {}): Promise<string> {
  const uploaded = await app.test.request('POST', '/v0/files/upload', {
    body: Buffer.from('a file'),
    headers: { 'content-type': 'application/zip', 'x-file-name': 'rocket.zip' },
  });
  return makeOffer(app.test, { downloadFileId: uploaded.body.data.file.id, ...fields });
}

describe('GET /checkout-sessions/:token/downloads/:itemId', () => {
  it('leads to a signed link once the item is paid, and nowhere before', async () => {
    const session = await openSession(`/checkout/${await makeFileOffer()}`);
    expect((await app.test.get(`${session}/downloads/${NOBODY}`, { keys: 'none' })).status).toBe(404);
    const { body } = await send(`${session}/submit`, { ...FORM, card: CARD });
    const [item] = body.data.checkout.receipt.items;
    expect(item.download).toMatchObject({ fileName: 'rocket.zip', size: 6 });
    const answer = await app.test.get(item.download.url, { keys: 'none' });
    expect(answer.status).toBe(303);
    expect(String(answer.headers.location)).toMatch(/^http:\/\/localhost:3000\/downloads\//);
  });

  it('says of a file that was downloaded as often as it may be that it was', async () => {
    const session = await openSession(`/checkout/${await makeFileOffer({ downloadLimit: 1 })}`);
    const { body } = await send(`${session}/submit`, { ...FORM, card: CARD });
    const [item] = body.data.checkout.receipt.items;
    expect(item.downloadOver).toBeNull();
    const { headers } = await app.test.get(item.download.url, { keys: 'none' });
    const link = new URL(String(headers.location));
    expect((await app.test.get(link.pathname, { keys: 'none' })).status).toBe(200);
    const shown = (await app.test.get(session, { keys: 'none' })).body.data.checkout.receipt.items[0];
    expect(shown).toMatchObject({ download: null, downloadOver: 'rocket.zip' });
  });

  it('gives out no item of another session', async () => {
    const [one, two] = [await makeFileOffer(), await makeFileOffer()];
    const paid = await openSession(`/checkout/${one}`);
    const other = await openSession(`/checkout/${two}`);
    const { body } = await send(`${paid}/submit`, { ...FORM, card: CARD });
    await send(`${other}/submit`, { ...FORM, card: CARD });
    const itemId = String(body.data.checkout.receipt.items[0].download.url).split('/').at(-1);
    expect((await app.test.get(`${other}/downloads/${itemId}`, { keys: 'none' })).status).toBe(404);
  });
});

describe('POST /checkout-sessions/:token/quote', () => {
  it('passes over what a link brought along and no field asks for', async () => {
    const session = await openSession(
      `/checkout/${await makeOffer(app.test)}?svc-quantity=5&utm_source=mail`,
    );
    const { form } = (await app.test.get(session, { keys: 'none' })).body.data.checkout;
    expect(form).toMatchObject({ quantities: {}, customFields: {} });
    const { body } = await send(`${session}/quote`, { ...FORM, customFields: { utm_source: 'mail' } });
    expect(body.data.quote).toMatchObject({ subtotal: 1999, tax: 380 });
  });

  it('refuses a typed quantity of an offer that has none to choose', async () => {
    const session = await openSession(`/checkout/${await makeOffer(app.test)}`);
    const { status, body } = await send(`${session}/quote`, { ...FORM, quantity: 2 });
    expect({ status, code: body.error.code }).toEqual({ status: 400, code: 'quantity_not_mutable' });
  });

  it('names no tax in the United States before the state is known', async () => {
    const session = await openSession(`/checkout/${await makeOffer(app.test)}`);
    const ask = async (place: object) =>
      (await send(`${session}/quote`, { ...FORM, countryCode: 'US', ...place })).body.data.quote;
    expect(await ask({})).toMatchObject({ tax: null, reason: null });
    expect((await ask({ postalCode: '98101' })).tax).toBeGreaterThan(0);
  });
});

describe('a form that is made to be large', () => {
  it('Y17 is refused above 50 custom fields, and above 64 KiB before it is read', async () => {
    const session = await openSession(`/checkout/${await makeOffer(app.test)}`);
    const fields = (count: number, length: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, 'x'.repeat(length)]));
    for (const action of ['quote', 'submit']) {
      const many = await send(`${session}/${action}`, { ...FORM, customFields: fields(51, 1) });
      expect([many.status, many.body.error.details[0].path]).toEqual([400, 'customFields']);
      const large = await send(`${session}/${action}`, { ...FORM, customFields: fields(50, 1400) });
      expect([large.status, large.body.error.code]).toEqual([413, 'body_too_large']);
    }
    const { status } = await send(`${session}/quote`, { ...FORM, customFields: fields(50, 500) });
    expect(status).toBe(200);
  });
});

describe('POST /checkout-sessions/:token/submit', () => {
  it('answers the receipt to a buyer who presses again after paying with the last use of a code', async () => {
    const offerId = await makeOffer(app.test);
    await app.test.post('/v0/discounts/create', {
      type: 'code',
      discountCode: 'LAST',
      amount: 50,
      amountType: 'percentage',
      purchaseLimit: 1,
      includedOffers: [offerId],
    });
    const session = await openSession(`/checkout/${offerId}`);
    const body = { ...FORM, discountCode: 'LAST', card: CARD };
    const first = await send(`${session}/submit`, body);
    await app.test.patch(`/v0/offers/${offerId}/archive`);
    const second = await send(`${session}/submit`, body);
    expect(second.body.data.checkout).toMatchObject({ status: 'paid' });
    expect(second.body.data.checkout.receipt).toEqual(first.body.data.checkout.receipt);
  });
});
