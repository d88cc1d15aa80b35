/** What was filled in, or is shown this once, is not lost by a key or a press beside the dialog. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeAccount } from '../support/browser.ts';
import { buy } from '../support/buying.ts';
import { makeOffer } from '../support/make-catalogue.ts';
import { findViolations } from './support/axe.ts';
import { PHONE } from './support/browser.ts';
import { button, signIn } from './support/member.ts';
import { openShop, type Shop } from './support/shop.ts';

const EMAIL = 'ada@first.example';

let shop: Shop;
let base = '';
let order = '';
beforeAll(async () => {
  shop = await openShop();
  await makeAccount(shop.app, { email: EMAIL, name: 'Ada' });
  base = `${shop.origin}/dashboard/${shop.store.scope.workspaceId}/test`;
  const offersIds = [await makeOffer(shop.store)];
  order = (await buy(shop.store, { offersIds, userEmail: 'buyer@example.com' })).body.data.order.number;
});
afterAll(() => shop?.close());

const PRODUCT = 'Create product';

for (const viewport of [undefined, PHONE]) {
  test(`Escape, a press beside and the cross ask before they drop what was typed, ${viewport ? 'on a phone' : 'on a desk'}`, async () => {
    const { page, leave } = await signIn(shop, EMAIL, viewport ? { viewport } : {});
    await page.goto(`${base}/catalogue/products`);
    const dialog = page.getByRole('dialog', { name: PRODUCT });
    await button(page, PRODUCT).click();
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });

    await button(page, PRODUCT).click();
    const name = dialog.getByRole('textbox', { name: 'Name', exact: true });
    await name.fill('Chess');
    await name.press('Escape');
    const question = dialog.getByRole('group', { name: 'What you filled in is not saved.' });
    await question.waitFor();
    expect(await findViolations(page)).toEqual([]);
    // The answer that loses nothing is the one at hand, and the focus is where it was before.
    await page.keyboard.press('Enter');
    await question.waitFor({ state: 'hidden' });
    await name.and(page.locator(':focus')).waitFor();
    expect(await name.inputValue()).toBe('Chess');

    await button(dialog, 'Close').click();
    await question.waitFor();
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'hidden' });
    await page.mouse.click(2, 2);
    await button(question, 'Go back').click();
    await page.keyboard.press('Escape');
    await button(question, 'Drop it').click();
    await dialog.waitFor({ state: 'hidden' });
    await leave();
  });
}

test('what was typed and taken away again, or sent, is not asked about', async () => {
  const { page, leave } = await signIn(shop, EMAIL);
  await page.goto(`${base}/orders`);
  await page.getByRole('link', { name: order }).first().waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('Space');
  const drawer = page.getByRole('dialog');
  await drawer.getByRole('tab', { name: 'Timeline' }).click();
  const note = drawer.getByRole('textbox', { name: 'Note' });
  await note.fill('Called back.');
  await page.keyboard.press('Escape');
  await button(drawer, 'Go back').click();
  await note.fill('');
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'hidden' });

  await page.goto(`${base}/orders/${order}`);
  await button(page, 'Refund').click();
  const refund = page.getByRole('dialog');
  await refund.getByRole('textbox', { name: 'Note' }).fill('Asked for');
  await button(refund, 'Keep').click();
  await refund.waitFor({ state: 'hidden' });
  await leave();
});

test('a secret that is shown once is left only by who says so', async () => {
  const { page, leave } = await signIn(shop, EMAIL);
  await page.goto(`${base}/developers/api-keys`);
  await button(page, 'Create key pair').first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Shop');
  await dialog.locator('button[type="submit"]').click();
  const stored = dialog.getByRole('checkbox', { name: 'I have stored the secret key' });
  await stored.waitFor();
  await page.keyboard.press('Escape');
  await dialog.getByRole('group', { name: /^This is shown once only/ }).waitFor();
  await button(dialog, 'Go back').click();
  await stored.check();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  await leave();
});

test('Escape leaves the dialog on top alone: what was typed below it stays', async () => {
  const { page, problems } = await signIn(shop, EMAIL);
  await page.goto(`${base}/catalogue/products`);
  await button(page, PRODUCT).click();
  const dialog = page.getByRole('dialog', { name: PRODUCT });
  const name = dialog.getByRole('textbox', { name: 'Name', exact: true });
  await name.fill('Chess');
  await page.context().clearCookies();
  await dialog.locator('button[type="submit"]').click();
  const signedOut = page.getByRole('dialog', { name: 'You have been signed out' });
  await signedOut.locator('input[type="password"]').press('Escape');
  await signedOut.waitFor({ state: 'hidden' });
  expect(await name.inputValue()).toBe('Chess');
  expect(await dialog.getByRole('group', { name: /not saved/ }).count()).toBe(0);
  expect(await name.isVisible()).toBe(true);
  expect(problems.filter((problem) => !/\b401\b/.test(problem))).toEqual([]);
  await page.context().close();
});
