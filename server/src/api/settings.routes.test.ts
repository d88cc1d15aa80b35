import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buy, openPage } from '../../test/support/buying.ts';
import { expectRefusal } from '../../test/support/expect-refusal.ts';
import { createTestApp, type TestApp } from '../../test/support/harness.ts';
import { makeOffer, makeProduct } from '../../test/support/make-catalogue.ts';
import { SETTINGS_DEFAULTS } from '../domain/settings.ts';

let app: TestApp;
let offerId: string;
beforeAll(async () => {
  app = await createTestApp();
  offerId = await makeOffer(app.test);
});
afterAll(() => app.close());

const UPDATE = '/v0/settings/update';
const readSettings = async () => (await app.test.get('/v0/settings')).body.data.settings;
// Each store has its own, which is whole where it is read and masked where it is changed.
const redirectSecret = expect.stringMatching(/^(rds_\w{60,}|••••\w{4})$/);
const defaults = { object: 'settings', ...SETTINGS_DEFAULTS, redirectSecret };

async function change(body: Record<string, unknown>) {
  const answer = await app.test.patch(UPDATE, body);
  expect(answer.status, answer.text).toBe(200);
  return answer.body.data.settings;
}

describe('the settings of a store', () => {
  it('are the defaults until they are changed, and each mode has its own', async () => {
    const own = { ...defaults, portalSlug: 'first', currency: 'EUR', version: 1 };
    expect(await readSettings()).toEqual(own);
    const before = { ...(await readSettings()), redirectSecret };
    expect(await change({ graceDays: 3 })).toEqual({ ...before, graceDays: 3, version: 2 });
    expect(await readSettings()).toEqual({ ...before, graceDays: 3, version: 2 });
    expect((await app.live.get('/v0/settings')).body.data.settings).toEqual({ ...own, currency: null });
    expect((await app.other.get('/v0/settings')).body.data.settings).toEqual({
      ...defaults,
      portalSlug: 'second',
      currency: null,
      version: 1,
    });
    expect(await change({ graceDays: 7 })).toEqual({ ...before, version: 3 });
  });

  it('tell the currency that the first offer has said, which no change of them sets', async () => {
    await makeOffer(app.other, { currency: 'JPY', price: 500 });
    expect((await app.other.get('/v0/settings')).body.data.settings.currency).toBe('JPY');
    expect((await app.other.patch(UPDATE, { currency: 'EUR' })).status).toBe(400);
  });

  it('change field by field within a block, and null clears what may be empty', async () => {
    await change({ seller: { name: 'Nebula Games', city: 'Berlin' }, sellerCountry: 'DE' });
    await change({ seller: { city: null, taxNumber: 'DE136695976' }, dunning: { end: 'canceled' } });
    expect(await readSettings()).toMatchObject({
      seller: { name: 'Nebula Games', city: null, taxNumber: 'DE136695976' },
      sellerCountry: 'DE',
      dunning: { retryDays: [2, 5, 7, 7], end: 'canceled' },
    });
    expect(await change({ sellerCountry: null, seller: { ...defaults.seller } })).toMatchObject({
      sellerCountry: null,
      seller: defaults.seller,
    });
  });

  it('are kept in one form', async () => {
    expect(
      await change({
        authorizedDomains: ['https://Shop.Example/', 'https://shop.example'],
        registrations: [
          { country: 'US', region: 'US-CA' },
          { country: 'CA', region: 'ontario' },
        ],
        redirectParameters: ['svc-user-email', 'svc-order-id', 'svc-user-email'],
      }),
    ).toMatchObject({
      authorizedDomains: ['https://shop.example'],
      registrations: [
        { country: 'US', region: 'CA', number: null },
        { country: 'CA', region: 'ON', number: null },
      ],
      redirectParameters: ['svc-order-id', 'svc-user-email'],
    });
  });

  it('do not lose one of two changes made at once', async () => {
    await Promise.all([
      change({ graceDays: 9 }),
      change({ lowStockThreshold: 2 }),
      change({ seller: { name: 'At once' } }),
      change({ seller: { city: 'Rome' } }),
    ]);
    expect(await readSettings()).toMatchObject({
      graceDays: 9,
      lowStockThreshold: 2,
      seller: { name: 'At once', city: 'Rome' },
    });
  });

  it('leave an audit row that shows before and after', async () => {
    await change({ invoiceFooter: 'Before' });
    await change({ invoiceFooter: 'After' });
    const row = await app.service.db
      .selectFrom('auditLog')
      .selectAll()
      .where('operation', '=', 'updateSettings')
      .orderBy('createdAt', 'desc')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow();
    expect(row.before).toMatchObject({ invoiceFooter: 'Before' });
    expect(row.after).toMatchObject({ settings: { invoiceFooter: 'After' } });
  });
});

describe('a change of settings that is refused', () => {
  it.each([
    ['sellerCountry', { sellerCountry: 'ZZ' }],
    ['sellerCountry', { sellerCountry: 'de' }],
    ['taxCollection', { taxCollection: 'never' }],
    ['taxCollection', { taxCollection: null }],
    ['pricesIncludeTax', { pricesIncludeTax: 'yes' }],
    ['taxNumberCheck', { taxNumberCheck: 'trust' }],
    ['registrations.0.country', { registrations: [{ country: 'ZZ' }] }],
    ['registrations.0.region', { registrations: [{ country: 'US', region: 'Ontario' }] }],
    ['registrations.0.region', { registrations: [{ country: 'DE', region: 'BE' }] }],
    ['registrations.0', { registrations: [{ country: 'DE', since: 1 }] }],
    ['redirectUrl', { redirectUrl: 'javascript:alert(1)' }],
    ['redirectUrl', { redirectUrl: 'thanks.html' }],
    ['redirectUrl', { redirectUrl: 'https://me:pw@shop.example/' }],
    ['redirectParameters.0', { redirectParameters: ['svc-user-password'] }],
    ['redirectFixedParameters', { redirectFixedParameters: { 'a b': 'c' } }],
    ['authorizedDomains.1', { authorizedDomains: ['https://fine.example', "'none'; script-src *"] }],
    ['invoicePrefix', { invoicePrefix: 'TOO-LONG-A-PREFIX' }],
    ['invoicePrefix', { invoicePrefix: '../etc' }],
    ['creditNotePrefix', { creditNotePrefix: 'INV' }],
    ['invoiceLogo', { invoiceLogo: 'https://elsewhere.example/logo.png' }],
    ['invoiceLogo', { invoiceLogo: 'http://localhost:3000/files/018f3c5e-7b2a-7c3d-8e4f-5a6b7c8d9e0f' }],
    ['seller.email', { seller: { email: 'nobody' } }],
    ['seller', { seller: null }],
    ['seller', { seller: { country: 'DE' } }],
    ['dunning.retryDays.0', { dunning: { retryDays: [0] } }],
    ['dunning.retryDays', { dunning: { retryDays: [] } }],
    ['dunning.end', { dunning: { end: 'paused' } }],
    ['graceDays', { graceDays: -1 }],
    ['graceDays', { graceDays: 1.5 }],
    ['graceDays', { graceDays: '7' }],
    ['webhookDisableFailures', { webhookDisableFailures: 0 }],
    ['webhookDisableHours', { webhookDisableHours: 721 }],
    ['lowStockThreshold', { lowStockThreshold: -1 }],
    ['object', { object: 'settings' }],
    ['sellerName', { sellerName: 'An older name' }],
  ])('names the field and changes nothing: %s %j', async (path, body) => {
    const before = await readSettings();
    const { status, body: answer } = await app.test.patch(UPDATE, { ...body, invoiceFooter: 'Lost' });
    expect(status).toBe(400);
    expect(answer.error.code).toBe('invalid_input');
    expect(answer.error.details.map((issue: { path: string }) => issue.path).join()).toContain(path);
    expect(await readSettings()).toEqual(before);
  });

  it('is not refused for what an older version let in, as long as that stays as it is', async () => {
    const { live } = app;
    await live.patch(UPDATE, { graceDays: 7 });
    await app.service.db
      .updateTable('stores')
      .set({ settings: JSON.stringify({ redirectUrl: 'https:shop.example' }) })
      .where('workspaceId', '=', live.scope.workspaceId)
      .where('testMode', '=', false)
      .execute();
    const { body } = await live.patch(UPDATE, { graceDays: 3 });
    expect(body.data.settings).toMatchObject({ graceDays: 3, redirectUrl: 'https:shop.example' });
    const other = await live.patch(UPDATE, { redirectUrl: 'https:other.example' });
    expect(other.body.error.details).toMatchObject([{ path: 'redirectUrl' }]);
    expect((await live.patch(UPDATE, { redirectUrl: null, graceDays: 7 })).status).toBe(200);
  });

  it('needs the secret key, as reading them does', async () => {
    await expectRefusal(app.test.get('/v0/settings', { keys: 'public' }), 401, 'secret_key_required');
    await expectRefusal(app.test.patch(UPDATE, {}, { keys: 'public' }), 401, 'secret_key_required');
    await expectRefusal(app.test.get('/v0/settings', { keys: 'none' }), 401, 'unauthorized');
  });
});

describe('a setting', () => {
  const total = async () =>
    (await (await openPage(app, `/checkout/${offerId}`)).quote()).body.data.quote.total;

  it('counts from the next request on', async () => {
    expect(await total()).toBe(2379);
    await change({ pricesIncludeTax: true });
    expect(await total()).toBe(1999);
    await change({ pricesIncludeTax: false, taxCollection: 'off' });
    expect(await total()).toBe(1999);
    await change({ taxCollection: 'registered', registrations: [{ country: 'FR' }] });
    expect(await total()).toBe(1999);
    await change({ registrations: [{ country: 'EU' }] });
    expect(await total()).toBe(2379);
    await change({ taxCollection: 'everywhere', registrations: [] });
  });

  it('authorizedDomains lets those sites frame the checkout, and nobody else', async () => {
    const policy = async () => {
      const { pagePath } = await openPage(app, `/checkout/${offerId}`);
      const page = await app.app.inject({ method: 'GET', url: pagePath });
      return String(page.headers['content-security-policy']).split('; ').at(-1);
    };
    // A page on the developer's own machine may frame what is sold in test mode.
    const own = 'http://localhost:* https://localhost:* http://127.0.0.1:* https://127.0.0.1:*';
    await change({ authorizedDomains: [] });
    expect(await policy()).toBe(`frame-ancestors ${own}`);
    await change({ authorizedDomains: ['https://shop.example', '*.shop.example:8443'] });
    expect(await policy()).toBe(`frame-ancestors https://shop.example *.shop.example:8443 ${own}`);
  });

  it('taxNumberCheck vies waives no tax while nobody can be asked', async () => {
    const company = { type: 'company', companyName: 'ACME', countryCode: 'FR', taxNumber: 'FR40303265045' };
    const taxOf = async () =>
      (await buy(app.test, { offersIds: [offerId], billingDetails: company })).body.data.order.tax;
    expect(await taxOf()).toBe(0);
    await change({ taxNumberCheck: 'vies' });
    expect(await taxOf()).toBe(400);
    await change({ taxNumberCheck: 'format' });
  });

  it('invoiceLogo is a picture of this store', async () => {
    const png = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
      'base64',
    );
    const upload = async (store = app.test) => {
      const headers = { 'content-type': 'image/png', 'x-file-name': 'logo.png' };
      return (await store.request('POST', '/v0/files/upload', { body: png, headers })).body.data.file.url;
    };
    const url = await upload();
    expect(await change({ invoiceLogo: url })).toMatchObject({ invoiceLogo: url });
    const foreign = await upload(app.other);
    await expectRefusal(app.test.patch(UPDATE, { invoiceLogo: foreign }), 400, 'invalid_input');
    expect(await change({ invoiceLogo: null })).toMatchObject({ invoiceLogo: null });
  });

  it('redirectUrl sends a buyer on with the parameters that were chosen', async () => {
    const productId = await makeProduct(app.test, { internalId: 'rocket-1' });
    const own = await makeOffer(app.test, { productId });
    const pay = async () => {
      const { body } = await (await openPage(app, `/checkout/${own}`)).submit();
      const { redirectUrl, orderId } = body.data.checkout.receipt;
      return { url: redirectUrl === null ? null : new URL(redirectUrl), orderId };
    };
    expect((await pay()).url).toBeNull();
    const { redirectParameters } = SETTINGS_DEFAULTS;
    await change({ redirectUrl: 'https://shop.example/thanks?from=cf', redirectParameters });
    const { url, orderId } = await pay();
    expect(Object.fromEntries(url?.searchParams ?? [])).toEqual({
      'svc-order-number': expect.any(String),
      'svc-timestamp': expect.any(String),
      'svc-signature': expect.stringMatching(/^[0-9a-f]{64}$/),
      from: 'cf',
      'svc-order-id': orderId,
      'svc-user-email': 'ada@example.com',
      'svc-product-internal-id': 'rocket-1',
    });
    await change({
      redirectParameters: ['svc-product-internal-id'],
      redirectFixedParameters: { campaign: 'a b', 'svc-product-internal-id': 'faked' },
    });
    expect((await pay()).url?.search).toMatch(
      /^\?from=cf&campaign=a\+b&svc-product-internal-id=rocket-1&svc-order-number=/,
    );
  });
});
