import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { buy } from '../../test/support/buying.ts';
import { createTestApp, type TestApp } from '../../test/support/harness.ts';
import { makeOffer, makeProduct } from '../../test/support/make-catalogue.ts';
import { type PortalBrowser, signIn } from '../../test/support/portal.ts';

let app: TestApp;
let browser: PortalBrowser;
const EMAIL = 'ada@example.com';
const CARD_DISPUTED = '4000000000000259';
const codeOf = (answer: { status: number; body: { error?: { code: string } } }) =>
  `${answer.status} ${answer.body.error?.code}`;

beforeAll(async () => {
  app = await createTestApp();
  await app.test.post('/v0/users/create', { email: EMAIL });
  browser = await signIn(app, EMAIL);
});
afterAll(() => app.close());

async function buyKey(key: string, fields: Record<string, unknown> = {}) {
  const offerId = await makeOffer(app.test);
  await app.test.post(`/v0/offers/${offerId}/keys/add`, { keys: [key] });
  return (await buy(app.test, { offersIds: [offerId], userEmail: EMAIL, ...fields })).body.data;
}

/** What is bought with a file, and the text of the file. */
async function buyFile(fields: Record<string, unknown> = {}) {
  const { body } = await app.test.request('POST', '/v0/files/upload', {
    body: 'the whole text of the file',
    headers: { 'content-type': 'application/zip', 'x-file-name': 'game.zip', 'x-file-purpose': 'download' },
  });
  const offerId = await makeOffer(app.test, { downloadFileId: body.data.file.id, ...fields });
  return (await buy(app.test, { offersIds: [offerId], userEmail: EMAIL })).body.data;
}

const itemsOf = async () => (await browser.get('/library/list?take=100')).body.data.items;
const itemOf = async (orderNumber: string) =>
  (await itemsOf()).find((item: { orderNumber: string }) => item.orderNumber === orderNumber);

describe('GET /v0/portal/orders', () => {
  test('S13 tells an order to the unit as the merchant knows it, and leads to the same document', async () => {
    const { order } = await buyKey('RECEIPT-KEY-1');
    const own = (await browser.get(`/orders/${order.number}`)).body.data;
    const { data } = (await app.test.get(`/v0/orders/${order.number}`)).body;
    const { fee: _fee, ...expected } = data.order;
    expect(own.order).toEqual(expected);
    expect(own.items.map(({ total, tax }: { total: number; tax: number }) => [total, tax])).toEqual(
      data.items.map(({ total, tax }: { total: number; tax: number }) => [total, tax]),
    );
    expect(JSON.stringify(own)).not.toMatch(/internalId|ipAddress|"fee"|RECEIPT-KEY-1/);
    expect(own.withdrawalOpen).toBe(own.withdrawableUntil !== null);
    expect(own.payments[0].invoiceUrl).toBe(data.payments[0].invoiceUrl);
    const { documents } = (await browser.get('/documents/list')).body.data;
    const document = documents.find((one: { orderNumber: string }) => one.orderNumber === order.number);
    expect(document).toMatchObject({ kind: 'invoice', value: order.value, url: data.payments[0].invoiceUrl });
    const listed = (await browser.get('/orders/list')).body.data.orders;
    expect(listed.map(({ number }: { number: string }) => number)).toContain(order.number);
  });
});

describe('GET /v0/portal/library/list', () => {
  test('names the product beside a name that leaves it out', async () => {
    const productId = await makeProduct(app.test, { type: 'SoftwareKey', name: 'Quasar' });
    const noteOf = async (name: string) => {
      const offerId = await makeOffer(app.test, { productId, name });
      const { order } = (await buy(app.test, { offersIds: [offerId], userEmail: EMAIL })).body.data;
      const { name: shown, note } = await itemOf(order.number);
      return [shown, note];
    };
    expect(await noteOf('Single seat')).toEqual(['Single seat', 'Quasar']);
    expect(await noteOf('Quasar, one seat')).toEqual(['Quasar, one seat', null]);
    const { orders } = (await browser.get('/orders/list')).body.data;
    const told = orders.map(({ itemNames, itemNotes }: Record<string, string[]>) => [itemNames, itemNotes]);
    expect(told.slice(0, 2)).toEqual([
      [['Quasar, one seat'], [null]],
      [['Single seat'], ['Quasar']],
    ]);
  });
});

describe('POST /v0/portal/library/{itemId}/reveal', () => {
  test('S14 shows a key with an audit row, and none that is withheld or given back', async () => {
    const { order } = await buyKey('SHOW-ME-THE-KEY');
    const item = await itemOf(order.number);
    expect(item).toMatchObject({ status: 'active', keys: [{ key: '••••-KEY' }] });
    const { keys } = (await browser.post(`/library/${item.id}/reveal`)).body.data;
    expect(keys[0].key).toBe('SHOW-ME-THE-KEY');
    const rows = await app.service.db
      .selectFrom('auditLog')
      .selectAll()
      .where('operation', '=', 'revealPortalKeys')
      .execute();
    expect(rows).toMatchObject([{ actor: expect.stringMatching(/^user:/), objectId: item.id }]);
    expect(JSON.stringify(rows)).not.toContain('SHOW-ME-THE-KEY');

    await app.test.patch(`/v0/orders/${order.number}/cancel`);
    expect(await itemOf(order.number)).toMatchObject({ status: 'revoked', keys: [] });
    expect(codeOf(await browser.post(`/library/${item.id}/reveal`))).toBe('403 access_ended');

    const disputed = await buyKey('FROZEN-KEY-123', { card: CARD_DISPUTED });
    await app.service.clock.advance(app.test.scope, Date.now() + 3 * 86_400_000);
    const frozen = await itemOf(disputed.order.number);
    expect(frozen).toMatchObject({ status: 'frozen', keys: [] });
    expect(codeOf(await browser.post(`/library/${frozen.id}/reveal`))).toBe('403 access_ended');
  });
});

describe('POST /v0/portal/library/{itemId}/download', () => {
  const open = async (itemId: string, ranges: string[] = ['bytes=0-3', 'bytes=4-9']) => {
    const { body } = await browser.post(`/library/${itemId}/download`);
    const { pathname } = new URL(body.data.download.url);
    for (const range of ranges)
      expect((await app.app.inject({ url: pathname, headers: { range } })).statusCode).toBe(206);
  };

  test('S15 counts a link once, with all its ranges, and is over with the limit until it is reset', async () => {
    const { order } = await buyFile({ downloadLimit: 2 });
    const item = await itemOf(order.number);
    expect(item.download).toMatchObject({ fileName: 'game.zip', used: 0, limit: 2, open: true });
    await open(item.id);
    await open(item.id);
    expect((await itemOf(order.number)).download).toMatchObject({ used: 2, open: false });
    expect(codeOf(await browser.post(`/library/${item.id}/download`))).toBe('409 download_limit_reached');
    await app.test.post(`/v0/orders/${order.number}/items/${item.id}/reset-downloads`);
    await open(item.id);
    await open(item.id);
    expect(codeOf(await browser.post(`/library/${item.id}/download`))).toBe('409 download_limit_reached');
  });

  it('S15 is told of with its order to whoever has the secret key, and what a reset leaves of it', async () => {
    const { order } = await buyFile({ downloadLimit: 2, downloadDays: 3 });
    const item = await itemOf(order.number);
    await open(item.id);
    const path = `/v0/orders/${order.number}`;
    const until = (await app.test.get(path)).body.data.order.paidAt + 3 * 86_400_000;
    const told = { fileName: 'game.zip', size: item.download.size, limit: 2, until };
    expect((await app.test.get(path)).body.data.items[0].download).toEqual({ ...told, used: 1 });
    expect((await app.test.get(path, { keys: 'public' })).body.data.items[0].download).toBeNull();
    const reset = await app.test.post(`${path}/items/${item.id}/reset-downloads`);
    expect(reset.body.data.item.download).toEqual({ ...told, used: 0 });
    const { order: keyed } = await buyKey('A-KEY-WITHOUT-A-FILE');
    expect((await app.test.get(`/v0/orders/${keyed.number}`)).body.data.items[0].download).toBeNull();
  });

  it('refuses an item of another order', async () => {
    const { order } = await buyFile();
    const item = await itemOf(order.number);
    const { order: other } = await buyKey('ANOTHER-KEY-99');
    const path = `/v0/orders/${other.number}/items/${item.id}/reset-downloads`;
    expect(codeOf(await app.test.post(path))).toBe('404 not_found');
  });
});
