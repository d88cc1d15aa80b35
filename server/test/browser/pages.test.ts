/** How the pages look to every buyer: small screens, dark rooms, assistive tools, other languages, dead links. */
import { gzipSync } from 'node:zlib';
import type { Page, Response } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeOffer, makePlanOffer } from '../support/make-catalogue.ts';
import { findViolations, keepGrave } from './support/axe.ts';
import { type Buyer, type BuyerOptions, DESKTOP, PHONE, SMALL_PHONE } from './support/browser.ts';
import {
  CARDS,
  choice,
  field,
  fillIn,
  pay,
  payButton,
  settlePrice,
  thanks,
  unfold,
} from './support/checkout.ts';
import { openShop, type Shop } from './support/shop.ts';

let shop: Shop;
let offerId: string;
let trialId: string;
beforeAll(async () => {
  shop = await openShop();
  await shop.changeSettings({ seller: { name: 'Nebula Games', email: 'help@nebula.example' } });
  offerId = await makeOffer(shop.store, {
    name: 'Nebula Drift',
    originalPrice: 3499,
    mutableQuantity: true,
    warningMessage: 'Needs a gamepad.',
    cover: 'https://elsewhere.example/cover.png',
  });
  trialId = await makePlanOffer(shop.store, { trialInterval: 'day', trialIntervalCount: 14 });
  const keys = Array.from({ length: 20 }, (_, index) => `NEBULA-DRIFT-LICENCE-KEY-${index}`);
  await shop.store.post(`/v0/offers/${offerId}/keys/add`, { productKeys: keys });
});
afterAll(() => shop?.close());

/** Runs as a buyer of a kind; whatever the pages did wrong fails the test. */
async function asBuyer(
  options: Omit<BuyerOptions, 'origin'>,
  work: (page: Page, buyer: Buyer) => Promise<void>,
) {
  const buyer = await shop.openBuyer(options);
  await work(await buyer.newTab(), buyer);
  expect(buyer.problems).toEqual([]);
  await buyer.context.close();
}

/** Goes through every page that a buyer can see, and has each looked at once it stands. */
async function visitAll(page: Page, look: (name: string) => Promise<void>): Promise<void> {
  await page.goto(`${shop.origin}/checkout/${offerId}`);
  await look('checkout');
  await payButton(page).click();
  await page.getByRole('alert').waitFor();
  await choice(page, 'Country').selectOption('US');
  await page.getByRole('checkbox').check();
  await unfold(page);
  await field(page, 'Discount code').fill('NOPE');
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.getByText('This discount code does not exist.').waitFor();
  await page.getByText('Cards to test with').click();
  await look('checkout with errors');
  await page.goto(`${shop.origin}/checkout/${offerId}`);
  await fillIn(page, { card: CARDS.authenticates });
  await pay(page);
  await page.getByRole('button', { name: 'Complete authentication' }).waitFor();
  await look('authenticate');
  await page.getByRole('button', { name: 'Complete authentication' }).click();
  await thanks(page).waitFor();
  await look('receipt');
  await page.goto(`${shop.origin}/checkout/${trialId}`);
  await fillIn(page, { card: CARDS.unknownFirst });
  await settlePrice(page);
  await look('trial');
  await page.goto(`${shop.origin}/checkout/${offerId}`);
  await fillIn(page, { card: CARDS.unknownFirst });
  await pay(page);
  await page.getByRole('heading', { name: 'Your bank has not answered yet' }).waitFor();
  await look('waiting');
  await page.goto(`${shop.origin}/checkout/nothing`);
  await page.getByRole('heading', { level: 1, name: 'This link leads nowhere' }).waitFor();
  await look('message');
}

describe.each([
  ['a desktop, light', { viewport: DESKTOP, colorScheme: 'light' }],
  ['a desktop, dark', { viewport: DESKTOP, colorScheme: 'dark' }],
  ['a phone, light', { viewport: PHONE, colorScheme: 'light' }],
  ['a phone, dark', { viewport: PHONE, colorScheme: 'dark' }],
] as const)('on %s', (_name, options) => {
  it('every page is free of serious and critical axe findings', { timeout: 180_000 }, () =>
    asBuyer(options, (page) =>
      visitAll(page, async (name) => {
        expect([name, keepGrave(await findViolations(page))]).toEqual([name, []]);
      }),
    ),
  );
});

describe('on a screen of 320 px', () => {
  it('no page scrolls sideways', { timeout: 180_000 }, () =>
    asBuyer({ viewport: SMALL_PHONE }, (page) =>
      visitAll(page, async (name) => {
        const width = await page.evaluate<number>('document.documentElement.scrollWidth');
        expect([name, width]).toEqual([name, SMALL_PHONE.width]);
      }),
    ),
  );
});

describe('the policy of a page', () => {
  it('lets nothing run or load but our own files, and lets no site frame it', async () => {
    const { headers } = await shop.store.get('/checkout/nothing');
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;",
    );
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|https:|\*/);
  });

  it('comes to less than 60 KB gzipped, scripts, styles and texts together', () =>
    asBuyer({}, async (page) => {
      const assets: Response[] = [];
      page.on('response', (response) => {
        if (response.url().includes('/assets/')) assets.push(response);
      });
      await page.goto(`${shop.origin}/checkout/${offerId}`);
      await payButton(page).waitFor();
      await page.waitForLoadState('networkidle');
      // Read only now: a body asked for while the page closes is refused to nobody who would hear it.
      const bodies = await Promise.all(assets.map((response) => response.body()));
      const sizes = bodies.map((body) => gzipSync(body).length);
      expect(sizes.length).toBeGreaterThan(3);
      expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(60 * 1024);
    }));
});

describe('the language of a page', () => {
  it('is German for a German browser, down to refusals, and the receipt', () =>
    asBuyer({ locale: 'de-DE' }, async (page) => {
      await page.goto(`${shop.origin}/checkout/${offerId}`);
      expect(await page.locator('html').getAttribute('lang')).toBe('de');
      await field(page, 'E-Mail').fill('ada@example.com');
      await choice(page, 'Land').selectOption('DE');
      await field(page, 'Kartennummer').fill(CARDS.declined);
      await field(page, 'Gültig bis').fill('12/35');
      await field(page, 'Prüfziffer').fill('123');
      await settlePrice(page);
      const button = page.getByRole('button', { name: /bezahlen/ });
      await button.click();
      await page.getByRole('alert').getByText('Die Karte wurde abgelehnt.').waitFor();
      await field(page, 'Kartennummer').fill(CARDS.visa);
      await button.click();
      await page.getByRole('heading', { level: 1, name: 'Vielen Dank' }).waitFor();
      await page.goto(`${shop.origin}/checkout/nothing`);
      await page.getByRole('heading', { level: 1, name: 'Dieser Link führt ins Leere' }).waitFor();
    }));

  it('is English for a browser whose language we do not have', () =>
    asBuyer({ locale: 'sv-SE' }, async (page) => {
      await page.goto(`${shop.origin}/checkout/${offerId}`);
      expect(await page.locator('html').getAttribute('lang')).toBe('en');
      await payButton(page).waitFor();
    }));
});

describe('a link behind which nothing can be bought', () => {
  const see = (path: string, heading: string, text: string) =>
    asBuyer({}, async (page) => {
      await page.goto(shop.origin + path);
      await page.getByRole('heading', { level: 1, name: heading }).waitFor();
      await page.getByText(text).waitFor();
      expect(await payButton(page).count()).toBe(0);
    });

  it.each([
    '/checkout/nothing',
    '/checkout/00000000-0000-7000-8000-000000000000',
    '/checkout-element/00000000-0000-7000-8000-000000000000',
    '/checkout/nothing/checkout/00000000-0000-7000-8000-000000000000',
    '/pay/nothing',
  ])('says that %s leads nowhere', (path) => see(path, 'This link leads nowhere', 'go back to the shop'));

  it('says that its keys are sold out', async () => {
    const soldOut = await makeOffer(shop.store);
    await shop.store.post(`/v0/offers/${soldOut}/keys/add`, { productKeys: ['LAST-ONE'] });
    await shop.store.post('/v0/test-purchases/create', {
      offersIds: [soldOut],
      userEmail: 'last@example.com',
      billingDetails: { countryCode: 'DE' },
    });
    await see(`/checkout/${soldOut}`, 'This purchase is not possible right now', 'This is sold out.');
  });

  it('says that its offer is not sold any more', async () => {
    const archived = await makeOffer(shop.store);
    await shop.store.patch(`/v0/offers/${archived}/archive`);
    await see(`/checkout/${archived}`, 'This checkout is not available', 'This is not for sale any more.');
  });

  it('says that a session of yesterday has expired', () =>
    asBuyer({}, async (page) => {
      const quoted = page.waitForResponse((response) => response.url().endsWith('/quote'));
      await page.goto(`${shop.origin}/checkout/${trialId}`);
      // A glance makes no session: what was typed does.
      await fillIn(page, {});
      await quoted;
      await shop.moveClock(25 * 3_600_000);
      await page.reload();
      await page.getByRole('heading', { level: 1, name: 'This checkout has expired' }).waitFor();
      await shop.moveClock(-25 * 3_600_000);
    }));

  it('says that a live shop takes no payments yet', async () => {
    const live = await makeOffer(shop.app.live);
    await see(`/checkout/${live}`, 'This purchase is not possible right now', 'has not set up payments yet');
  });
});

describe('the last place of a limited offer', () => {
  it('stays the buyer’s whose card was declined', () =>
    asBuyer({}, async (page) => {
      const limited = await makeOffer(shop.store, { limit: 1 });
      await page.goto(`${shop.origin}/checkout/${limited}`);
      await fillIn(page, { card: CARDS.declined });
      await pay(page);
      await page.getByRole('alert').waitFor();
      await page.reload();
      await fillIn(page);
      await pay(page);
      await thanks(page).waitFor();
    }));
});

it('the price of before is that of as many as are bought', async () => {
  await asBuyer({}, async (page) => {
    await page.goto(`${shop.origin}/checkout/${offerId}?svc-quantity=2`);
    await settlePrice(page);
    expect(await page.locator('.line-price s').innerText()).toContain('69.98');
  });
});

it('what is wrong is seen, also where the key was pressed in that very field', async () => {
  await asBuyer({ viewport: { width: 375, height: 700 } }, async (page) => {
    await page.goto(`${shop.origin}/checkout/${offerId}`);
    await settlePrice(page);
    await field(page, 'Email').press('Enter');
    await page.getByRole('alert').waitFor();
    await expect
      .poll(() =>
        page.evaluate(
          '(({ top, bottom }) => top > 0 && bottom < innerHeight)(document.activeElement.getBoundingClientRect())',
        ),
      )
      .toBe(true);
    expect(await page.evaluate('document.activeElement.name')).toBe('email');
  });
});
