/** What is handed out, as a merchant looks after it: files, their downloads, keys that nobody has bought. */
import sharp from 'sharp';
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

test('D34 what keys are refused for stands at their field, which has the focus', async () => {
  const productId = await makeProduct(shop.store, { type: 'SoftwareKey', name: 'Pulsar' });
  await makeOffer(shop.store, { productId, name: 'Many seats' });
  await ada.page.goto(`${base}/catalogue/products/${productId}`);
  await button(ada.page, 'Add keys').click();
  const adding = ada.page.getByRole('dialog', { name: 'Add keys', exact: true });
  const keys = adding.getByRole('textbox', { name: 'Keys' });
  await keys.fill('X'.repeat(10_001));
  await adding.getByRole('button', { name: 'Check' }).click();
  await adding.locator('.field-error').waitFor();
  expect(await keys.getAttribute('aria-invalid')).toBe('true');
  expect(await keys.evaluate((one) => one === one.ownerDocument.activeElement)).toBe(true);
  expect(await adding.getByRole('alert').count()).toBe(0);
});

test('D34 an offer is given away for nothing, and is asked of what goes with its product alone', async () => {
  const productId = await makeProduct(shop.store, { type: 'Game', name: 'Free Comet' });
  await ada.page.goto(`${base}/catalogue/products/${productId}`);
  await button(ada.page, 'Create offer').click();
  const making = ada.page.getByRole('dialog', { name: 'Create offer', exact: true });
  await making.getByRole('textbox', { name: 'Price', exact: true }).fill('0');
  await button(making, 'Create offer').click();
  const free = making.getByRole('checkbox', { name: 'Free product' });
  await making.locator('.field-error').waitFor();
  expect(await free.evaluate((one) => one === one.ownerDocument.activeElement)).toBe(true);
  expect(await making.getByText('Recurring interval').count()).toBe(0);
  await free.check();
  await button(making, 'Create offer').click();
  await making.waitFor({ state: 'detached' });
  const { body } = await shop.store.get(`/v0/products/${productId}`);
  expect(body.data.product.offers).toMatchObject([{ price: 0, freeProduct: true }]);
  const offers = ada.page.getByRole('list').filter({ has: button(ada.page, 'Add keys') });
  await button(offers, 'Edit').click();
  const editing = ada.page.getByRole('dialog', { name: 'Edit offer', exact: true });
  await editing.getByRole('checkbox', { name: 'Free product' }).waitFor();
  expect(await editing.getByText('Recurring interval').count()).toBe(0);
});

test('D34 a checkout without an offer is refused at its offers, which have the focus', async () => {
  await ada.page.goto(`${base}/catalogue/checkouts`);
  await button(ada.page, 'Create checkout').first().click();
  const making = ada.page.getByRole('dialog', { name: 'Create checkout', exact: true });
  await button(making, 'Create checkout').click();
  await making.locator('fieldset .field-error').waitFor();
  const focused = await making.evaluate(
    (one) => one.ownerDocument.activeElement?.closest('fieldset')?.dataset.field,
  );
  expect(focused).toBe('offersIds');
});

test('an offer without a name is called by its product where offers are chosen', async () => {
  const productId = await makeProduct(shop.store, { type: 'Game', name: 'Nameless Moon' });
  const offer = { productId, price: 4200, currency: 'EUR' };
  expect((await shop.store.post('/v0/offers/create', offer)).status).toBe(200);
  await ada.page.goto(`${base}/orders`);
  await button(ada.page, 'Make test purchase').first().click();
  const buying = ada.page.getByRole('dialog', { name: 'Make test purchase', exact: true });
  await buying.getByRole('checkbox', { name: 'Nameless Moon · €42.00' }).waitFor();
});

test('the address of a picture is had from the files, for the settings that ask for it', async () => {
  const { body } = await shop.store.request('POST', '/v0/files/upload', {
    body: await sharp({ create: { width: 4, height: 4, channels: 3, background: 'red' } })
      .png()
      .toBuffer(),
    headers: { 'content-type': 'image/png', 'x-file-name': 'logo.png', 'x-file-purpose': 'picture' },
  });
  await ada.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await ada.page.goto(`${base}/catalogue/files`);
  await button(ada.page, 'Actions for logo.png').click();
  await ada.page.getByRole('menuitem', { name: 'Copy link' }).click();
  await expect
    .poll(() => ada.page.evaluate<string>('navigator.clipboard.readText()'))
    .toBe(body.data.file.url);
  await ada.page.goto(`${base}/settings/branding`);
  await ada.page.getByRole('textbox', { name: 'Logo' }).fill(body.data.file.url);
  await button(ada.page, 'Save').click();
  await expect
    .poll(async () => (await shop.store.get('/v0/settings')).body.data.settings.branding.logo)
    .toBe(body.data.file.url);
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
  await ada.page.getByText('1 of 1 downloads').waitFor();
  await confirm('Reset downloads');
  expect(await countOf()).toEqual({ downloads: 0 });
  await ada.page.getByText('0 of 1 downloads').waitFor();
});

test('S15 a file that is sold with a key is let to be downloaded anew, too, and a key alone is not', async () => {
  const { body } = await shop.store.request('POST', '/v0/files/upload', {
    body: 'x',
    headers: { 'content-type': 'application/zip', 'x-file-name': 'setup.zip', 'x-file-purpose': 'download' },
  });
  const buyKeyed = async (fields: Record<string, unknown>, key: string) => {
    const offerId = await makeOffer(shop.store, fields);
    await shop.store.post(`/v0/offers/${offerId}/keys/add`, { keys: [key] });
    const wanted = {
      offersIds: [offerId],
      userEmail: 'keyed@example.com',
      billingDetails: { countryCode: 'DE' },
    };
    return (await shop.store.post('/v0/test-purchases/create', wanted)).body.data.order.number;
  };
  const both = await buyKeyed({ downloadFileId: body.data.file.id, downloadLimit: 3 }, 'KEY-WITH-FILE-1');
  await ada.page.goto(`${base}/orders/${both}`);
  await ada.page.getByText('setup.zip').waitFor();
  await confirm('Reset downloads');
  await ada.page.goto(`${base}/orders/${await buyKeyed({}, 'KEY-ALONE-0001')}`);
  await button(ada.page, 'Reveal keys').waitFor();
  expect(await button(ada.page, 'Reset downloads').count()).toBe(0);
});

test('an e-mail is corrected from its order, whose letters then go out again', async () => {
  const billingDetails = { countryCode: 'DE' };
  const wanted = { offersIds: [await makeOffer(shop.store)], userEmail: 'wrogn@example.com', billingDetails };
  const { order } = (await shop.store.post('/v0/test-purchases/create', wanted)).body.data;
  await shop.app.wired.worker.runDue();
  const recipients = async () => {
    const { body } = await shop.store.get('/v0/mails/list', { query: { orderId: order.id } });
    return body.data.mails.map(({ kind, to }: { kind: string; to: string }) => `${kind} ${to}`);
  };
  expect(await recipients()).toEqual(['receipt wrogn@example.com']);
  await ada.page.goto(`${base}/orders/${order.number}`);
  await button(ada.page, 'Correct e-mail').click();
  const dialog = ada.page.getByRole('dialog', { name: 'Correct e-mail' });
  await dialog.getByText('Now: wrogn@example.com').waitFor();
  await dialog.getByRole('textbox', { name: 'Email' }).fill('wrong@example.com');
  await button(dialog, 'Correct e-mail').click();
  await dialog.waitFor({ state: 'detached' });
  await ada.page.getByText('The letters of this order are on their way again.').waitFor();
  await ada.page.getByRole('link', { name: 'wrong@example.com' }).waitFor();
  expect(await recipients()).toEqual(['receipt wrong@example.com', 'receipt wrogn@example.com']);
});

test('an order that was called off keeps its money until it is refunded, and nothing is offered beyond that', async () => {
  const billingDetails = { countryCode: 'DE' };
  const buyAt = async (price: number) => {
    const offerId = await makeOffer(shop.store, price === 0 ? { price, freeProduct: true } : { price });
    const wanted = { offersIds: [offerId], userEmail: 'off@example.com', billingDetails };
    return (await shop.store.post('/v0/test-purchases/create', wanted)).body.data.order.number;
  };
  const number = await buyAt(1_999);
  await ada.page.goto(`${base}/orders/${number}`);
  await confirm('Cancel order');
  await button(ada.page, 'Refund').click();
  const dialog = ada.page.getByRole('dialog', { name: `Refund order ${number}` });
  await button(dialog, /^Refund [0-9.]+ EUR$/).click();
  await dialog.waitFor({ state: 'detached' });
  await button(ada.page, 'Refund').waitFor({ state: 'detached' });
  const free = await buyAt(0);
  await ada.page.goto(`${base}/orders/${free}`);
  await button(ada.page, 'Cancel order').waitFor();
  expect(await button(ada.page, 'Refund').count()).toBe(0);
  // In the list nobody knows yet what is left.
  await ada.page.goto(`${base}/orders?number=${free}`);
  await button(ada.page, `Actions for ${free}`).click();
  await ada.page.getByRole('menuitem', { name: 'Refund' }).click();
  await ada.page.getByText('Nothing is left that could go back.').waitFor();
});

test('an offer and a plan are taken off the shelf, and back', async () => {
  const productId = await makeProduct(shop.store, { type: 'SoftwareKey', name: 'Pulsar' });
  const offerId = await makeOffer(shop.store, { productId, name: 'One seat' });
  const isArchived = async () =>
    (await shop.store.get(`/v0/offers/${offerId}`)).body.data.offer.archivedAt !== null;
  await ada.page.goto(`${base}/catalogue/products/${productId}`);
  const offers = ada.page.getByRole('region', { name: 'Offers', exact: true });
  await button(offers, 'Archive').click();
  await button(ada.page.getByRole('dialog', { name: 'Archive offer' }), 'Archive').click();
  const archived = ada.page.getByRole('region', { name: 'Archived offers' });
  await archived.getByText('One seat').waitFor();
  expect(await isArchived()).toBe(true);
  await button(archived, 'Unarchive').click();
  await button(ada.page.getByRole('dialog', { name: 'Unarchive' }), 'Unarchive').click();
  await archived.waitFor({ state: 'detached' });
  expect(await isArchived()).toBe(false);

  const club = await makeProduct(shop.store, { type: 'Subscription', name: 'Club' });
  await shop.store.post(`/v0/products/${club}/plans/add`, { name: 'Tema' });
  await ada.page.goto(`${base}/catalogue/products/${club}`);
  const plans = ada.page.getByRole('region', { name: 'Plans' });
  await button(plans, 'Edit').click();
  const edit = ada.page.getByRole('dialog', { name: 'Edit plan' });
  await edit.getByRole('textbox', { name: 'Name' }).fill('Team');
  await button(edit, 'Save').click();
  await plans.getByText('Team', { exact: true }).waitFor();
  await button(plans, 'Archive').click();
  await button(ada.page.getByRole('dialog', { name: 'Archive plan' }), 'Archive').click();
  await plans.getByText('Team', { exact: true }).waitFor({ state: 'detached' });
  await button(ada.page, 'Undo').click();
  await plans.getByText('Team', { exact: true }).waitFor();
  await ada.leave();
});
