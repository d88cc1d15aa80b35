/** A buyer who leaves: asked whether to be reminded, led back by a mail, and led on from a session that has ended. */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { advance, DAY_MS, MINUTE_MS } from '../support/clock.ts';
import { makeOffer } from '../support/make-catalogue.ts';
import { findViolations } from './support/axe.ts';
import type { Buyer } from './support/browser.ts';
import { choice, field, fillIn, payButton, settlePrice } from './support/checkout.ts';
import { openShop, type Shop } from './support/shop.ts';

const EMAIL = 'ada@example.com';

let shop: Shop;
let offerId: string;
let buyer: Buyer;
let page: Page;
beforeAll(async () => {
  shop = await openShop();
  offerId = await makeOffer(shop.store, { name: 'Rocket', price: 4900 });
  await shop.changeSettings({ checkout: { reminder: 'ask' } });
});
afterAll(() => shop?.close());
beforeEach(async () => {
  buyer = await shop.openBuyer();
  page = await buyer.newTab();
  await page.goto(`${shop.origin}/checkout/${offerId}`);
});
afterEach(async () => {
  expect(buyer.problems).toEqual([]);
  await buyer.context.close();
});

const reminderOf = async (email: string): Promise<string> => {
  const query = { recipient: email, kinds: 'checkout_reminder' };
  return (await shop.store.get('/v0/mails/list', { query })).body.data.mails[0]?.text ?? '';
};

const linkIn = (text: string, part: string) => new RegExp(`https?://\\S*${part}\\S*`).exec(text)?.[0] ?? '';

describe('a buyer who does not finish', () => {
  it('S46 is reminded where they ask for it, and goes on with all that they typed', async () => {
    const box = page.getByRole('checkbox', { name: 'Remind me if I do not finish' });
    expect(await box.isChecked()).toBe(false);
    await choice(page, 'Country').selectOption('DE');
    await settlePrice(page);
    const told = page.waitForResponse((answer) => {
      const body = answer.request().postData() ?? '';
      return answer.url().endsWith('/quote') && body.includes(EMAIL) && body.includes('"remind":true');
    });
    await field(page, 'Email').fill(EMAIL);
    await box.check();
    expect((await told).status()).toBe(200);
    await advance(shop.app, shop.store.scope, 61 * MINUTE_MS);
    const mail = await reminderOf(EMAIL);
    const back = await buyer.newTab();
    await back.goto(linkIn(mail, 'svc-resume'));
    await field(back, 'Email').waitFor();
    expect(await field(back, 'Email').inputValue()).toBe(EMAIL);
    expect(await choice(back, 'Country').inputValue()).toBe('DE');
    await page.goto(linkIn(mail, '/reminders/stop/'));
    expect(await findViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Stop reminders' }).click();
    await page.getByRole('heading', { level: 1, name: 'You get no more reminders' }).waitFor();
  });

  it('S49 starts again where the session has ended, with the form as it was', async () => {
    await field(page, 'Email').fill(EMAIL);
    await choice(page, 'Country').selectOption('FR');
    await settlePrice(page);
    // Its address is clean once the server keeps what was typed.
    await page.waitForURL((url) => url.search === '');
    await advance(shop.app, shop.store.scope, DAY_MS + MINUTE_MS);
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'This checkout has expired' }).waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.getByRole('link', { name: 'Start again' }).click();
    await field(page, 'Email').waitFor();
    expect(await field(page, 'Email').inputValue()).toBe(EMAIL);
    expect(await choice(page, 'Country').inputValue()).toBe('FR');
  });

  it('S49 is led on where the session ends under the open page, with the form as it was', async () => {
    await fillIn(page, { email: EMAIL, country: 'FR' });
    await settlePrice(page);
    await page.waitForURL((url) => url.search === '');
    await advance(shop.app, shop.store.scope, DAY_MS + MINUTE_MS);
    await payButton(page).click();
    await page.getByRole('heading', { level: 1, name: 'This checkout has expired' }).waitFor();
    await page.getByRole('link', { name: 'Start again' }).click();
    await field(page, 'Email').waitFor();
    expect(await field(page, 'Email').inputValue()).toBe(EMAIL);
    expect(await choice(page, 'Country').inputValue()).toBe('FR');
  });
});
