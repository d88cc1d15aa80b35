/** Two members edit one object, each in a browser of their own. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeAccount } from '../support/browser.ts';
import { makeProduct } from '../support/make-catalogue.ts';
import { button, heading, type SignedIn, signIn } from './support/member.ts';
import { openShop, type Shop } from './support/shop.ts';

const ADA = { email: 'ada@first.example', name: 'Ada' };
const BOB = { email: 'bob@first.example', name: 'Bob' };

let shop: Shop;
let base: string;
let ada: SignedIn;
let bob: SignedIn;
beforeAll(async () => {
  shop = await openShop();
  await makeAccount(shop.app, ADA);
  await makeAccount(shop.app, BOB);
  base = `${shop.origin}/dashboard/${shop.store.scope.workspaceId}/test`;
  ada = await signIn(shop, ADA.email);
  bob = await signIn(shop, BOB.email);
});
afterAll(() => shop?.close());

/** Both have the form of one product open. */
async function editBoth() {
  const id = await makeProduct(shop.store, { name: 'Lantern' });
  const open = async (page: Page) => {
    await page.goto(`${base}/catalogue/products/${id}`);
    await heading(page, 'Lantern').waitFor();
    await button(page, 'Edit').first().click();
    return page.getByRole('dialog', { name: 'Edit product' });
  };
  const read = async () => (await shop.store.get(`/v0/products/${id}`)).body.data.product;
  return { id, read, ofAda: await open(ada.page), ofBob: await open(bob.page) };
}

const save = (dialog: Awaited<ReturnType<typeof editBoth>>['ofAda']) => button(dialog, 'Save').click();

test('D38 other fields of two merge, and the second is told who changed what', async () => {
  const { read, ofAda, ofBob } = await editBoth();
  await ofAda.getByRole('textbox', { name: 'Description' }).fill('By Ada');
  await save(ofAda);
  await ofAda.waitFor({ state: 'detached' });
  // Whoever has the form open hears of it before they save.
  await ofBob.getByText('Ada changed this.').waitFor();
  await ofBob.getByRole('textbox', { name: 'Internal id' }).fill('by-bob');
  await save(ofBob);
  await bob.page.getByText('Ada changed this meanwhile: Description.').waitFor();
  await ofBob.waitFor({ state: 'detached' });
  expect(await read()).toMatchObject({ description: 'By Ada', internalId: 'by-bob' });
});

test('D38 of the same field a person decides, with what both have written before them', async () => {
  const { read, ofAda, ofBob } = await editBoth();
  await ofAda.getByRole('textbox', { name: 'Name' }).fill('Lantern of Ada');
  await ofBob.getByRole('textbox', { name: 'Name' }).fill('Lantern of Bob');
  await ofBob.getByRole('textbox', { name: 'Internal id' }).fill('lantern');
  await save(ofAda);
  await ofAda.waitFor({ state: 'detached' });
  await save(ofBob);
  const asked = bob.page.getByRole('dialog', { name: 'Somebody else changed this' });
  await asked.getByText('Ada has saved').waitFor();
  const name = asked.getByRole('group', { name: 'Name' });
  await name.getByRole('radio', { name: 'Yours Lantern of Bob' }).waitFor();
  await expect.poll(() => asked.getByRole('group').count()).toBe(1);
  await name.getByRole('radio', { name: 'Theirs Lantern of Ada' }).check();
  await button(asked, 'Save').click();
  await ofBob.waitFor({ state: 'detached' });
  expect(await read()).toMatchObject({ name: 'Lantern of Ada', internalId: 'lantern' });
});
