/** Products with their pictures, what a buyer pays for them, and their way into the live store. */
import { randomUUID } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeAccount } from '../support/browser.ts';
import { makeOffer, makeProduct } from '../support/make-catalogue.ts';
import { button, heading, signIn } from './support/member.ts';
import { openShop, type Shop } from './support/shop.ts';

const EMAIL = 'ada@first.example';

let shop: Shop;
let base: string;
beforeAll(async () => {
  shop = await openShop();
  await makeAccount(shop.app, { email: EMAIL, name: 'Ada' });
  base = `${shop.origin}/dashboard/${shop.store.scope.workspaceId}/test`;
});
afterAll(() => shop?.close());

test('pictures are added, put in order and taken away, and the price is what a buyer of a country pays', async () => {
  const id = await makeProduct(shop.store, { name: 'Lantern' });
  await makeOffer(shop.store, { productId: id, name: 'One', price: 1000, taxBehavior: 'exclusive' });
  const read = async () => (await shop.store.get(`/v0/products/${id}`)).body.data.product;
  const { page, leave } = await signIn(shop, EMAIL);
  await page.goto(`${base}/catalogue/products/${id}`);
  await heading(page, 'Lantern').waitFor();
  const files = ['red', 'green'].map((name, index) => ({
    name: `${name} ü.png`,
    mimeType: 'image/png',
    buffer: makePng(index === 0 ? [255, 0, 0] : [0, 255, 0]),
  }));
  await page.locator('input[type="file"]').setInputFiles(files);
  await page.getByRole('img', { name: 'Picture 2' }).waitFor();
  const [first, second] = await page
    .getByRole('img', { name: /^Picture/ })
    .evaluateAll((pictures) => pictures.map((one) => one.getAttribute('src')));
  await button(page, 'Move picture 1 back').click();
  await expect.poll(async () => (await read()).cover).toBe(second);
  expect((await read()).gallery.map(({ value }: { value: string }) => value)).toEqual([first]);
  await button(page, 'Remove picture 2').click();
  await expect.poll(async () => (await read()).gallery).toEqual([]);

  const priceIn = async (countryCode: string) => {
    const offerId = (await read()).offers[0].id;
    const { body } = await shop.store.post('/v0/tax/calculate', { offerId, customer: { countryCode } });
    return (body.data.tax.total / 100).toFixed(2);
  };
  await page.getByText(new RegExp(`Buyer in DE pays .*${await priceIn('DE')}`)).waitFor();
  await page.getByRole('combobox', { name: 'Buyer in' }).selectOption('FR');
  await page.getByText(new RegExp(`Buyer in FR pays .*${await priceIn('FR')}`)).waitFor();
  await leave();
});

test('of a picture that is gone the address stands, not the sign of a broken one', async () => {
  const goneAt = (name: string) => `${shop.origin}/files/${randomUUID()}/${name}.png`;
  const [cover, other] = [goneAt('cover'), goneAt('other')];
  const gallery = [{ value: other, blurHash: null }];
  const id = await makeProduct(shop.store, { name: 'Faded', cover, gallery });
  const { page, leave } = await signIn(shop, EMAIL);
  await page.goto(`${base}/catalogue/products/${id}`);
  await heading(page, 'Faded').waitFor();
  await button(page, 'Remove picture 2').waitFor();
  // In the list of facts, and in the one of pictures.
  await expect.poll(() => page.getByText(cover).count()).toBe(2);
  await page.getByText(other).waitFor();
  expect(await page.locator('main img').count()).toBe(0);
  await leave();
});

test('a product is made anew in live with its offers and pictures, then what needs its offers', async () => {
  const id = await makeProduct(shop.store, { name: 'Bell' });
  const offerId = await makeOffer(shop.store, { productId: id, name: 'Bell, one', price: 500 });
  const { page, leave } = await signIn(shop, EMAIL);
  await page.goto(`${base}/catalogue/products/${id}`);
  await heading(page, 'Bell').waitFor();
  await page
    .locator('input[type="file"]')
    .setInputFiles([{ name: 'bell.png', mimeType: 'image/png', buffer: makePng([0, 0, 255]) }]);
  await page.getByRole('img', { name: 'Picture 1' }).waitFor();

  const { checkoutElement } = (
    await shop.store.post('/v0/elements/checkout/create', { name: 'Bells', offersIds: [offerId] })
  ).body.data;
  const copyCheckout = async () => {
    await page.goto(`${base}/catalogue/checkouts/${checkoutElement.id}`);
    await button(page, 'Copy to live').click();
    const dialog = page.getByRole('dialog', { name: 'Copy to live' });
    await button(dialog, 'Copy to live').click();
    return dialog;
  };
  await (await copyCheckout()).getByText('not in live yet: Bell, one').waitFor();

  await page.goto(`${base}/catalogue/products/${id}`);
  await button(page, 'Copy to live').click();
  await button(page.getByRole('dialog', { name: 'Copy to live' }), 'Copy to live').click();
  const done = page.getByRole('dialog', { name: 'Copied to live' });
  await done.getByText('Bell, one').waitFor();
  await done.getByRole('link', { name: 'Show it in live' }).click();
  await heading(page, 'Bell').waitFor();
  expect(page.url()).toContain('/live/catalogue/products/');

  const live = (await shop.app.live.get('/v0/products/list')).body.data.products;
  expect(live.map(({ name }: { name: string }) => name)).toEqual(['Bell']);
  expect(live[0].id).not.toBe(id);
  const whole = (await shop.app.live.get(`/v0/products/${live[0].id}`)).body.data.product;
  expect(whole.offers).toMatchObject([{ name: 'Bell, one', price: 500 }]);
  const picture = await page.request.get(whole.cover);
  expect(picture.headers()['content-type']).toBe('image/png');
  expect(whole.cover).not.toBe((await shop.store.get(`/v0/products/${id}`)).body.data.product.cover);

  await copyCheckout();
  await page.getByRole('dialog', { name: 'Copied to live' }).getByText('Bells').waitFor();
  const elements = (await shop.app.live.get('/v0/elements/checkout/list')).body.data.checkoutElements;
  expect(elements).toMatchObject([{ name: 'Bells', offers: [{ id: whole.offers[0].id }] }]);
  await leave();
});

test('a discount, a checkout and a custom field are made like another one, over the form that makes them', async () => {
  const offerId = await makeOffer(shop.store, { name: 'Drum, one', price: 700 });
  const post = async (path: string, body: unknown) => {
    const answer = await shop.store.post(path, body);
    expect(answer.status, answer.text).toBe(200);
  };
  await post('/v0/discounts/create', {
    ...{
      type: 'code',
      discountCode: 'DRUM5',
      name: 'Drums',
      amountType: 'fixed',
      amount: 500,
      currency: 'USD',
    },
    ...{ includesAllOffers: false, includedOffers: [offerId], timezone: 'Asia/Tokyo', limitPerUser: 2 },
    validUntil: Date.UTC(2031, 2, 1, 12),
  });
  await post('/v0/elements/checkout/create', { name: 'Drums', offersIds: [offerId] });
  await post('/v0/custom-fields/create', {
    key: 'size',
    label: 'Size',
    type: 'dropdown',
    options: ['S', 'L'],
  });
  const { page, leave } = await signIn(shop, EMAIL);
  const duplicate = async (path: string, name: string) => {
    await page.goto(`${base}/catalogue/${path}`);
    await button(page, `Actions for ${name}`).click();
    await page.getByRole('menuitem', { name: 'Duplicate' }).click();
    return page.getByRole('dialog', { name: 'Duplicate' });
  };
  const listed = async (path: string, inside: string) => (await shop.store.get(path)).body.data[inside];

  const discount = await duplicate('discounts', 'DRUM5');
  await page.getByText('until Mar 1, 2031').waitFor();
  expect(await discount.getByRole('textbox', { name: 'Amount' }).inputValue()).toBe('5.00');
  await discount.getByRole('textbox', { name: 'Discount code' }).fill('DRUM6');
  await button(discount, 'Create discount').click();
  await discount.waitFor({ state: 'detached' });
  const [made] = (await listed('/v0/discounts/list', 'discounts')).filter(
    (one: { discountCode: string }) => one.discountCode === 'DRUM6',
  );
  expect(made).toMatchObject({
    ...{ name: 'Drums', type: 'code', amountType: 'fixed', amount: 500, currency: 'USD', limitPerUser: 2 },
    ...{ includesAllOffers: false, includedOffers: [offerId], timezone: 'Asia/Tokyo' },
  });

  const field = await duplicate('custom-fields', 'Size');
  await field.getByRole('textbox', { name: 'Key' }).fill('size2');
  await button(field, 'Create custom field').click();
  await field.waitFor({ state: 'detached' });
  const fields = await listed('/v0/custom-fields/list', 'customFields');
  expect(fields.find(({ key }: { key: string }) => key === 'size2')).toMatchObject({
    ...{ label: 'Size', type: 'dropdown', options: ['S', 'L'] },
  });

  const checkout = await duplicate('checkouts', 'Drums');
  await checkout.getByRole('textbox', { name: 'Name' }).fill('More drums');
  await button(checkout, 'Create checkout').click();
  await heading(page, 'More drums').waitFor();
  const elements = await listed('/v0/elements/checkout/list', 'checkoutElements');
  expect(elements.find(({ name }: { name: string }) => name === 'More drums')).toMatchObject({
    offers: [{ id: offerId }],
  });
  await leave();
});

test('a fixed discount is an amount as one writes it, and one in percent percent, made and edited alike', async () => {
  await makeOffer(shop.store, { name: 'Flute, one', price: 900 });
  const { page, leave } = await signIn(shop, EMAIL);
  const made = async () =>
    (await shop.store.get('/v0/discounts/list')).body.data.discounts.find(
      (one: { discountCode: string }) => one.discountCode === 'FLUTE',
    );
  const send = async (dialog: Locator, name: string) => {
    await button(dialog, name).click();
    await dialog.waitFor({ state: 'detached' });
  };
  await page.goto(`${base}/catalogue/discounts`);
  await button(page, 'Create discount').first().click();
  const form = page.getByRole('dialog', { name: 'Create discount' });
  await form.getByRole('textbox', { name: 'Discount code' }).fill('FLUTE');
  await form.getByRole('combobox', { name: 'Amount type' }).selectOption('fixed');
  await form.getByRole('textbox', { name: 'Amount' }).fill('7.50');
  await send(form, 'Create discount');
  expect(await made()).toMatchObject({ amountType: 'fixed', amount: 750, currency: 'EUR' });
  const row = page.getByRole('row').filter({ hasText: 'FLUTE' });
  await row.getByText('€7.50', { exact: true }).waitFor();

  const edit = async (shown: string, work: (dialog: Locator, amount: Locator) => Promise<unknown>) => {
    await button(page, 'Actions for FLUTE').click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit discount' });
    await work(dialog, dialog.getByRole('textbox', { name: 'Amount' }));
    await send(dialog, 'Save');
    // The next edit begins with the row as it is by then.
    await row.getByText(shown, { exact: true }).waitFor();
  };
  const turn = (dialog: Locator, type: string) =>
    dialog.getByRole('combobox', { name: 'Amount type' }).selectOption(type);
  await edit('€8.00', async (dialog, amount) => {
    expect(await amount.inputValue()).toBe('7.50');
    await amount.fill('8');
    await dialog.getByRole('combobox', { name: 'Duration' }).selectOption('repeating');
    await dialog.getByRole('textbox', { name: 'Duration intervals' }).fill('3');
  });
  expect(await made()).toMatchObject({ amountType: 'fixed', amount: 800, durationIntervals: 3 });
  // The figure stays and means something else; what is asked no longer goes with what asked for it.
  await edit('8%', async (dialog) => {
    await turn(dialog, 'percentage');
    await dialog.getByRole('combobox', { name: 'Duration' }).selectOption('once');
  });
  expect(await made()).toMatchObject({ amountType: 'percentage', amount: 8, durationIntervals: null });
  await edit('€8.00', (dialog) => turn(dialog, 'fixed'));
  expect(await made()).toMatchObject({ amountType: 'fixed', amount: 800 });

  await page.goto(`${base}/orders?valueFrom=750`);
  await button(page, 'Value from: €7.50').click();
  const filter = page.getByRole('dialog', { name: 'Value from' });
  const value = filter.getByRole('textbox', { name: 'Value from' });
  expect(await value.inputValue()).toBe('7.50');
  await value.fill('much');
  await button(filter, 'Apply').click();
  await filter.getByText('This is no amount of EUR').waitFor();
  await value.fill('1,234.50');
  await button(filter, 'Apply').click();
  await page.waitForURL(/valueFrom=123450/);
  await leave();
});

/** One pixel of a colour. */
function makePng(colour: readonly [number, number, number]): Buffer {
  const head = Buffer.from('89504e470d0a1a0a', 'hex');
  const size = Buffer.from('0000000100000001' + '0802000000', 'hex');
  const data = deflateSync(Buffer.from([0, ...colour]));
  return Buffer.concat([
    head,
    toChunk('IHDR', size),
    toChunk('IDAT', data),
    toChunk('IEND', Buffer.alloc(0)),
  ]);
}

function toChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}

function crc32(bytes: Buffer): number {
  let sum = 0xffffffff;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit += 1) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
  }
  return (sum ^ 0xffffffff) >>> 0;
}

test('offers are found by words, those that are ticked stay, and what is archived says so', async () => {
  const productId = await makeProduct(shop.store, { name: 'Box' });
  const offerId = await makeOffer(shop.store, { productId, name: 'Old box' });
  for (let one = 0; one < 101; one += 1)
    await makeOffer(shop.store, { productId, name: `Box ${one}`, price: 100 + one });
  const { body } = await shop.store.post('/v0/custom-fields/create', {
    key: 'q',
    label: 'Size',
    type: 'text',
  });
  await shop.store.patch(`/v0/custom-fields/${body.data.customField.id}/archive`);
  const { page, leave } = await signIn(shop, EMAIL);
  await page.goto(`${base}/catalogue/checkouts`);
  await button(page, 'Create checkout').click();
  const form = page.getByRole('dialog', { name: 'Create checkout' });
  const search = form.getByRole('searchbox', { name: 'Search offers' });
  const old = form.getByRole('checkbox', { name: /^Old box/ });
  await form.getByRole('checkbox', { name: /^Box 100 / }).waitFor();
  expect(await old.count()).toBe(0);
  await search.fill('old box');
  await search.press('Enter');
  await old.check();
  await search.fill('nothing is called so');
  await form.getByText('No offer is called so.').waitFor();
  expect(await old.isChecked()).toBe(true);
  await form.getByRole('textbox', { name: 'Name' }).fill('Boxes');
  await button(form, 'Create checkout').click();
  await heading(page, 'Boxes').waitFor();
  const elements = (await shop.store.get('/v0/elements/checkout/list')).body.data.checkoutElements;
  expect(elements.find(({ name }: { name: string }) => name === 'Boxes').offers).toMatchObject([
    { id: offerId },
  ]);
  // A link that leads nowhere is not handed out.
  await button(page, 'Copy link').waitFor();
  const { id } = elements.find(({ name }: { name: string }) => name === 'Boxes');
  await shop.store.patch(`/v0/elements/checkout/${id}/archive`);
  await page.reload();
  await button(page, 'Unarchive').click();
  expect(await button(page, /^(Copy link|Copy code|Edit)$/).count()).toBe(0);
  await button(page.getByRole('dialog'), 'Unarchive').click();
  await button(page, 'Copy link').waitFor();
  await page.goto(`${base}/catalogue/custom-fields?withArchived=true&term=q`);
  await page.getByRole('row', { name: /Size/ }).getByText('Archived').waitFor();
  await leave();
});
