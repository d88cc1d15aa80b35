/** The buyers' portal in Chromium: the way in, what is owned, and how a subscription ends and goes on. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { buy } from '../support/buying.ts';
import { makeOffer, makePlanOffer, makeProduct } from '../support/make-catalogue.ts';
import { portalOf, readCode, readMails } from '../support/portal.ts';
import { findViolations } from './support/axe.ts';
import { type BuyerOptions, DESKTOP, SMALL_PHONE } from './support/browser.ts';
import { settle } from './support/screens.ts';
import { openShop, type Shop } from './support/shop.ts';

const EMAIL = 'ada@example.com';

let shop: Shop;
let base: string;
let [order, subscription] = ['', ''];
beforeAll(async () => {
  shop = await openShop();
  await shop.changeSettings({
    seller: { name: 'Nebula Games', email: 'help@nebula.example' },
    branding: { termsUrl: 'https://nebula.example/terms', privacyUrl: 'https://nebula.example/privacy' },
  });
  const { store } = await portalOf(shop.app, shop.store);
  base = `${shop.origin}/portal/${store}/test`;
  const offerId = await makeOffer(shop.store, { name: 'Starfield' });
  await shop.store.post(`/v0/offers/${offerId}/keys/add`, { keys: ['STAR-FIELD-1234'] });
  order = (await buy(shop.store, { offersIds: [offerId], userEmail: EMAIL })).body.data.order.number;
  const planId = await makePlanOffer(shop.store, { price: 900 });
  subscription = (await buy(shop.store, { offersIds: [planId], userEmail: EMAIL })).body.data.order.number;
});
afterAll(() => shop?.close());

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** Opens a page of the portal; whatever it did wrong fails the test. */
async function atPortal(
  options: Omit<BuyerOptions, 'origin'>,
  work: (page: Page) => Promise<void>,
  path = '',
): Promise<void> {
  const buyer = await shop.openBuyer(options);
  const page = await buyer.newTab();
  await page.goto(base + path);
  await work(page);
  // A refusal that a screen puts into words is no fault of the page.
  expect(buyer.problems.filter((problem) => !/\b40[139]\b/.test(problem))).toEqual([]);
  await buyer.context.close();
}

async function signIn(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'Email' }).fill(EMAIL);
  await button(page, 'Continue').click();
  await page.getByRole('textbox', { name: 'Code' }).waitFor();
  const { code } = await readCode(shop.app, EMAIL, shop.store);
  await page.getByRole('textbox', { name: 'Code' }).fill(code);
  await button(page, 'Sign in').click();
}

async function countEndings(): Promise<number> {
  const mails = await readMails(shop.app, EMAIL, shop.store);
  return mails.filter(({ kind }) => kind === 'subscription_ending').length;
}

describe('the door', () => {
  test('S01 asks a stranger for an address, with both legal links, and loads nothing from elsewhere', () =>
    atPortal({}, async (page) => {
      await heading(page, 'Sign in').waitFor();
      await page.getByRole('textbox', { name: 'Email' }).waitFor();
      await button(page, 'Continue').waitFor();
      await page.getByRole('link', { name: 'Terms' }).waitFor();
      await page.getByRole('link', { name: 'Privacy' }).waitFor();
      expect(await findViolations(page)).toEqual([]);
      const answer = await page.request.get(base);
      expect(answer.headers()['content-security-policy']).toContain("frame-ancestors 'none'");
      expect(answer.headers()['cache-control']).toBe('no-store');
      expect(answer.headers()['x-robots-tag']).toBe('noindex');
    }));

  test('S03 lets in by the code, and says once it is used that it is not valid any more', () =>
    atPortal({}, async (page) => {
      await signIn(page);
      await heading(page, 'Overview').waitFor();
      await page.getByRole('link', { name: 'Account' }).click();
      await button(page, 'Sign out').click();
      await heading(page, 'Sign in').waitFor();
      await page.getByRole('textbox', { name: 'Email' }).fill(EMAIL);
      await button(page, 'Continue').click();
      await page.getByRole('textbox', { name: 'Code' }).fill('00000000');
      await button(page, 'Sign in').click();
      const alert = page.getByRole('alert');
      await alert.waitFor();
      await expect.poll(() => alert.innerText()).toContain('This code is not valid any more');
    }));

  test('S04 names whom the link of a mail lets in, and sends a new code by a press', () =>
    atPortal({}, async (page) => {
      await page.getByRole('textbox', { name: 'Email' }).fill('foo');
      await button(page, 'Continue').click();
      await page.getByText('This is not an email address.').waitFor();
      await page.getByRole('textbox', { name: 'Email' }).fill(EMAIL);
      await button(page, 'Continue').click();
      await page.getByRole('textbox', { name: 'Code' }).waitFor();
      const countCodes = async () =>
        (await readMails(shop.app, EMAIL, shop.store)).filter(({ kind }) => kind === 'magic_link').length;
      const before = await countCodes();
      const sent = page.waitForResponse((answer) => answer.url().endsWith('/sign-in/request'));
      await button(page, 'Send a new code').click();
      await sent;
      await page.getByRole('textbox', { name: 'Code' }).waitFor();
      expect(await countCodes()).toBe(before + 1);
      const { link } = await readCode(shop.app, EMAIL, shop.store);
      await page.goto(`${base}/sign-in/${link}`);
      await button(page, 'Sign in as a…a@example.com').waitFor();
      expect(await findViolations(page)).toEqual([]);
      await button(page, 'Sign in as a…a@example.com').click();
      await heading(page, 'Overview').waitFor();
      await page
        .getByText(/Next payment €\d/)
        .first()
        .waitFor();
    }));

  test('S08 opens by the merchant’s link once; used it leads to the door', async () => {
    const { body } = await shop.store.post('/v0/portal-sessions/create', { email: EMAIL, flow: 'library' });
    const { url } = body.data.portalSession;
    const path = new URL(url).pathname.slice(new URL(base).pathname.length);
    await atPortal({}, (page) => heading(page, 'Library').waitFor(), path);
    await atPortal({}, (page) => heading(page, 'Sign in').waitFor(), path);
  });

  test('S09 shows a task alone, which ends at the shop', async () => {
    const returnUrl = `${base}/withdraw`;
    const { body } = await shop.store.post('/v0/portal-sessions/create', {
      email: EMAIL,
      ...{ flow: 'subscription_cancel', subscriptionId: subscription, afterFlow: 'return', returnUrl },
    });
    const path = new URL(body.data.portalSession.url).pathname.slice(new URL(base).pathname.length);
    await atPortal(
      {},
      async (page) => {
        await heading(page, 'Cancel subscription').waitFor();
        expect(await page.getByRole('navigation', { name: 'Account' }).count()).toBe(0);
        await page.reload();
        await button(page, 'Cancel subscription').click();
        await page.waitForURL(returnUrl);
        await heading(page, 'Withdraw from contract').waitFor();
      },
      path,
    );
    await shop.store.patch(`/v0/subscriptions/${subscription}/update`, { cancelAtIntervalEnd: false });
  });

  test('S11 “Manage this purchase” ends at the door, with the address filled in', async () => {
    const receipt = (await readMails(shop.app, EMAIL, shop.store)).find(({ text }) =>
      text.includes(`/orders/${order}#`),
    );
    const path = new RegExp(`/orders/${order}#\\S+`).exec(receipt?.text ?? '')?.[0] ?? '';
    await atPortal(
      {},
      async (page) => {
        await heading(page, 'Sign in').waitFor();
        expect(await page.getByRole('textbox', { name: 'Email' }).inputValue()).toBe(EMAIL);
        await signIn(page);
        await heading(page, `Order ${order}`).waitFor();
      },
      path,
    );
  });
});

describe('two tabs', () => {
  test('S10 what one buyer typed is never kept for another who has signed in beside it', async () => {
    const other = 'grace@example.com';
    const { user } = (await shop.store.post('/v0/users/create', { email: other })).body.data;
    const { body } = await shop.store.post('/v0/portal-sessions/create', { email: other });
    const cityOf = async (id: string) =>
      (await shop.store.get(`/v0/users/${id}`)).body.data.user.details?.city ?? null;
    await atPortal(
      {},
      async (page) => {
        await signIn(page);
        await heading(page, 'Billing details').waitFor();
        await page.getByRole('textbox', { name: 'City' }).fill('Turin');
        const beside = await page.context().newPage();
        const { pathname } = new URL(body.data.portalSession.url);
        await beside.goto(shop.origin + pathname);
        await heading(beside, 'Overview').waitFor();
        await button(page, 'Save changes').click();
        await heading(page, 'Sign in').waitFor();
        expect(await cityOf(user.id)).toBeNull();
        // As whoever it is shown to it goes on.
        expect(await page.getByRole('textbox', { name: 'Email' }).inputValue()).toBe(EMAIL);
        await signIn(page);
        await page.getByText('Saved.').waitFor();
        expect(await cityOf(user.id)).toBeNull();
        const [own] = (await shop.store.get('/v0/users/list', { query: { email: EMAIL } })).body.data.users;
        expect(await cityOf(own.id)).toBe('Turin');
        // The tab beside it shows somebody who is not in any more.
        await beside.getByRole('link', { name: 'Orders' }).click();
        await heading(beside, 'Sign in').waitFor();
      },
      '/details',
    );
  });
});

describe('the account', () => {
  test('S24 takes another address by the code of its mailbox', () =>
    atPortal(
      {},
      async (page) => {
        await signIn(page);
        await heading(page, 'Account').waitFor();
        await page.getByRole('textbox', { name: 'Email', exact: true }).fill('ada@new.example');
        await button(page, 'Change email').click();
        await page.getByRole('textbox', { name: 'Code from the new mailbox' }).waitFor();
        const { text } = (await readMails(shop.app, 'ada@new.example', shop.store))[0] ?? { text: '' };
        const code = /\b(\d{8})\b/.exec(text)?.[1] ?? '';
        await page.getByRole('textbox', { name: 'Code from the new mailbox' }).fill(code);
        await button(page, 'Use this address').click();
        await page.getByText('ada@new.example').waitFor();
        const note = (await readMails(shop.app, EMAIL, shop.store)).find(
          ({ kind }) => kind === 'email_change_note',
        );
        const link = /\S+\/account\/not-me\/[\w.-]+/.exec(note?.text ?? '')?.[0] ?? '';
        await page.goto(new URL(link).pathname.replace(/^/, shop.origin));
        await button(page, 'This was not me').click();
        await heading(page, 'Your address is yours again').waitFor();
        expect(await findViolations(page)).toEqual([]);
      },
      '/account',
    ));

  test('S25 hands out a copy, and is deleted by two presses that say what stays', () =>
    atPortal(
      {},
      async (page) => {
        await signIn(page);
        await heading(page, 'Account').waitFor();
        await button(page, 'Export my data').click();
        await page.getByText('Your file is being written.').waitFor();
        await readMails(shop.app, EMAIL, shop.store);
        const download = page.waitForEvent('download');
        await page.getByRole('link', { name: 'Download my data' }).click();
        expect((await download).suggestedFilename()).toBe('my-data.json');
        await button(page, 'Delete my account').click();
        await page.getByText('Kept, because the law asks for it').waitFor();
        await button(page, 'Delete my account').click();
        const alert = page.getByRole('alert');
        await alert.waitFor();
        await expect.poll(() => alert.innerText()).toContain('A subscription is still running.');
      },
      '/account',
    ));
});

describe('what is owned', () => {
  it.each([
    ['1280 px, light', DESKTOP, 'light'],
    ['320 px, dark', SMALL_PHONE, 'dark'],
    ['320 px, light', SMALL_PHONE, 'light'],
    ['1280 px, dark', DESKTOP, 'dark'],
  ] as const)('is shown on every screen without a fault: %s', (_, size, colorScheme) =>
    atPortal({ viewport: size, colorScheme }, async (page) => {
      await signIn(page);
      await heading(page, 'Overview').waitFor();
      // What else than its colours could be wrong with a screen is so in both.
      const looked = colorScheme === 'light' ? {} : { rules: ['color-contrast'] };
      for (const [path, title] of [
        ['', 'Overview'],
        ['/orders', 'Orders'],
        [`/orders/${order}`, `Order ${order}`],
        ['/documents', 'Invoices'],
        ['/library', 'Library'],
        [`/subscriptions/${subscription}`, 'Club'],
        [`/subscriptions/${subscription}/cancel`, 'Cancel subscription'],
        ['/payment-methods', 'Payment methods'],
        ['/details', 'Billing details'],
        ['/account', 'Account'],
        ['/withdraw', 'Withdraw from contract'],
        ['/cancel-contract', 'Cancel contract'],
      ]) {
        await page.goto(base + path);
        await heading(page, title ?? '').waitFor();
        await settle(page);
        const violations = await findViolations(page, looked);
        const width = await page.evaluate<number>('document.documentElement.scrollWidth');
        expect({ path, violations, width }).toEqual({ path, violations: [], width: size.width });
      }
    }),
  );

  test('S13 says of a payment how it stands and by what it was paid, each once', () =>
    atPortal(
      {},
      async (page) => {
        await signIn(page);
        await heading(page, `Order ${order}`).waitFor();
        await page
          .getByText(`${order} · Paid · Visa ending in 4242`, { exact: true })
          .waitFor({ timeout: 10_000 });
      },
      `/orders/${order}`,
    ));

  test('S14 shows a key by a press', () =>
    atPortal(
      {},
      async (page) => {
        await signIn(page);
        await heading(page, 'Library').waitFor();
        await button(page, 'Show key').click();
        await page.getByText('STAR-FIELD-1234').waitFor();
        await button(page, 'Copy key').waitFor();
      },
      '/library',
    ));
});

describe('a subscription', () => {
  test('S20 is cancelled by two presses without a reason, and kept by one', () =>
    atPortal(
      {},
      async (page) => {
        await signIn(page);
        const before = await countEndings();
        await heading(page, 'Club').waitFor();
        await page.getByRole('region', { name: 'Next payment' }).waitFor();
        await page.getByRole('link', { name: 'Cancel subscription' }).click();
        await page.getByRole('radiogroup', { name: 'Reason' }).waitFor();
        await button(page, 'Cancel subscription').click();
        await button(page, 'Keep subscription').click();
        await page.getByRole('link', { name: 'Cancel subscription' }).waitFor();
        expect(await countEndings()).toBe(before + 1);
      },
      `/subscriptions/${subscription}`,
    ));

  test('S16 takes the plan that the shop has chosen, and a quantity where plans cannot be changed', async () => {
    const productId = await makeProduct(shop.store, { type: 'Subscription', name: 'Studio' });
    const monthly = { productId, recurringInterval: 'month', recurringIntervalCount: 1 };
    const basic = await makeOffer(shop.store, { ...monthly, name: 'Basic', price: 1000 });
    const pro = await makeOffer(shop.store, { ...monthly, name: 'Pro', price: 3000 });
    const bought = await buy(shop.store, { offersIds: [basic], userEmail: EMAIL });
    const path = `/subscriptions/${bought.body.data.order.number}`;
    const { body } = await shop.store.post('/v0/portal-sessions/create', {
      ...{ email: EMAIL, flow: 'subscription_change', offerId: pro, language: 'de' },
      subscriptionId: bought.body.data.order.number,
    });
    const { pathname, search } = new URL(body.data.portalSession.url);
    await atPortal(
      {},
      async (page) => {
        await heading(page, 'Tarif wechseln').waitFor();
        expect(await page.getByRole('radio', { name: /^Pro/ }).isChecked()).toBe(true);
        await page.getByText(/^Nicht genutzte Zeit von Basic, .+ \(gewechselt zu Pro\)$/).waitFor();
        await page.getByRole('button', { name: /zahlen und Tarif wechseln/ }).click();
        await heading(page, 'Studio').waitFor();
        await page.getByRole('definition').filter({ hasText: /^Pro$/ }).waitFor();
        await shop.changeSettings({ portal: { planChange: 'off', quantityChange: true } });
        await page.goto(`${base}${path}/change?svc-language=en`);
        await page.getByRole('spinbutton', { name: 'Quantity' }).fill('2');
        await page.getByRole('region', { name: 'What you pay' }).waitFor();
        expect(await findViolations(page)).toEqual([]);
        await page.getByRole('button', { name: /^Pay €.* and change plan$/ }).click();
        await page.getByText('€60.00 every month').waitFor();
        await page.getByText('Pro × 2', { exact: true }).waitFor();
      },
      (pathname + search).slice(new URL(base).pathname.length),
    );
    await shop.changeSettings({ portal: { planChange: 'product', quantityChange: false } });
  });
});

test('S48 on a small phone a plan’s name keeps its words whole beside a long price', async () => {
  const productId = await makeProduct(shop.store, { type: 'Subscription', name: 'Contour Cloud' });
  const plan = (name: string, price: number) => makePlanOffer(shop.store, { productId, name, price });
  const planId = await plan('Contour Cloud Studio', 1_234_500);
  await plan('Contour Cloud Enterprise', 9_876_500);
  await buy(shop.store, { offersIds: [planId], userEmail: EMAIL });
  await atPortal({ viewport: SMALL_PHONE }, async (page) => {
    await signIn(page);
    await heading(page, 'Overview').waitFor();
    await page.locator('select[name="language"]').selectOption('fr');
    const row = page.getByRole('link', { name: /^Contour Cloud Studio.*chaque mois/ });
    await row.waitFor();
    const width = await row
      .locator('.portal-row-name')
      .evaluate((name) => name.getBoundingClientRect().width);
    expect(width).toBeGreaterThanOrEqual(96);
    await row.click();
    // French has a space before its colon.
    await page.getByText('Carte : Visa').waitFor();
    await page.getByRole('link', { name: 'Autre formule' }).click();
    await page.getByRole('radio', { name: /^Contour Cloud Enterprise/ }).waitFor();
    const overhang = 'document.documentElement.scrollWidth - innerWidth';
    expect(await page.evaluate<number>(overhang)).toBeLessThanOrEqual(0);
  });
});
