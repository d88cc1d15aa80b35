/** What is handed out, as a merchant looks after it: files, their downloads, keys that nobody has bought. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeAccount } from '../support/browser.ts';
import { makeOffer, makeProduct } from '../support/make-catalogue.ts';
import { button, type SignedIn, signIn } from './support/member.ts';
import { openShop, type Shop } from './support/shop.ts';

const EMAIL = 'ada@first.example';
let shop: Shop;
let ada: SignedIn;
let base: string;
beforeAll(async () => {
  shop = await openShop();
  await makeAccount(shop.app, { email: EMAIL, name: 'Ada' });
  ada = await signIn(shop, EMAIL);
  base = `${shop.origin}/dashboard/${shop.store.scope.workspaceId}/test`;
});
afterAll(() => shop?.close());

/** Opens the dialog of a name and confirms it by the button of the same name. */
async function confirm(name: string): Promise<void> {
  await button(ada.page, name).click();
  const dialog = ada.page.getByRole('dialog', { name, exact: true });
  await button(dialog, name).click();
  await dialog.waitFor({ state: 'detached' });
}

test('keys that nobody has bought are taken off the shelf by a dialog that says how many', async () => {
  const productId = await makeProduct(shop.store, { type: 'SoftwareKey', name: 'Quasar' });
  const offerId = await makeOffer(shop.store, { productId, name: 'One seat' });
  await shop.store.post(`/v0/offers/${offerId}/keys/add`, { keys: ['KEY-1', 'KEY-2', 'KEY-3'] });
  const billingDetails = { countryCode: 'DE' };
  const order = { offersIds: [offerId], userEmail: 'buyer@example.com', billingDetails };
  expect((await shop.store.post('/v0/test-purchases/create', order)).status).toBe(200);
  await ada.page.goto(`${base}/catalogue/products/${productId}`);
  await confirm('Remove unsold keys');
  await ada.page.getByText('2 keys removed.').waitFor();
  const { body } = await shop.store.get(`/v0/offers/${offerId}/keys/list`);
  expect(body.data.keys.map(({ status }: { status: string }) => status)).toEqual(['sold']);
});

test('a file has a size in words, and a bought one is let to be downloaded anew from its order', async () => {
  const { body } = await shop.store.request('POST', '/v0/files/upload', {
    body: 'x'.repeat(2_400),
    headers: { 'content-type': 'application/zip', 'x-file-name': 'game.zip', 'x-file-purpose': 'download' },
  });
  await ada.page.goto(`${base}/catalogue/files`);
  await ada.page.getByRole('cell', { name: '2.4 kB', exact: true }).waitFor();
  const offerId = await makeOffer(shop.store, { downloadFileId: body.data.file.id, downloadLimit: 1 });
  const billingDetails = { countryCode: 'DE' };
  const wanted = { offersIds: [offerId], userEmail: 'buyer@example.com', billingDetails };
  const { order } = (await shop.store.post('/v0/test-purchases/create', wanted)).body.data;
  const { db } = shop.app.service;
  const countOf = async () =>
    (await db.selectFrom('orderItems').select('downloads').where('orderId', '=', order.id).execute())[0];
  await db.updateTable('orderItems').set({ downloads: 1 }).where('orderId', '=', order.id).execute();
  await ada.page.goto(`${base}/orders/${order.number}`);
  await confirm('Reset downloads');
  expect(await countOf()).toEqual({ downloads: 0 });
  await ada.leave();
});
