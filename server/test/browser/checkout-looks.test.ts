/** What the checkout shows and where: on a desk, in a hand, when something is wrong, and when all is done. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeOffer, makeProduct } from '../support/make-catalogue.ts';
import { type BuyerOptions, PHONE, SMALL_PHONE } from './support/browser.ts';
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
beforeAll(async () => {
  shop = await openShop();
  await shop.changeSettings({ branding: { websiteUrl: 'https://nebula.example/games' } });
  offerId = await makeOffer(shop.store, { name: 'Nebula Drift', price: 1_000, mutableQuantity: true });
});
afterAll(() => shop?.close());

async function asBuyer(options: Omit<BuyerOptions, 'origin'>, work: (page: Page) => Promise<void>) {
  const buyer = await shop.openBuyer(options);
  await work(await buyer.newTab());
  expect(buyer.problems).toEqual([]);
  await buyer.context.close();
}

const open = (page: Page) => page.goto(`${shop.origin}/checkout/${offerId}`);

async function prepare(body: Record<string, unknown>): Promise<{ id: string; url: string }> {
  const answer = await shop.store.post('/v0/checkout-sessions/create', { offersIds: [offerId], ...body });
  expect([answer.status, answer.body.error ?? null]).toEqual([200, null]);
  return answer.body.data.checkoutSession;
}

async function makePlan(): Promise<string> {
  const { body } = await shop.store.post('/v0/products/create', {
    type: 'Subscription',
    name: 'Cloud',
    plans: [{ name: 'Pro', features: [{ value: '10 servers' }, { value: '100 GB' }] }],
    offers: [
      {
        ...{ variantIdx: 0, name: 'Cloud Pro', price: 2_900, currency: 'EUR' },
        ...{ recurringInterval: 'month', recurringIntervalCount: 1 },
      },
    ],
  });
  return body.data.product.offers[0].id;
}

describe('the summary', () => {
  it('is headed by the product, and lists what a plan holds', () =>
    asBuyer({}, async (page) => {
      await page.goto(`${shop.origin}/checkout/${await makePlan()}`);
      await page.getByRole('heading', { level: 1, name: 'Cloud Pro', exact: true }).waitFor();
      await page.getByRole('listitem').filter({ hasText: '10 servers' }).waitFor();
      expect(await page.locator('.monogram:not(.seller-mark)').count()).toBe(0);
    }));

  it('names the product of an offer that is called by its interval, up to the receipt', () =>
    asBuyer({}, async (page) => {
      const productId = await makeProduct(shop.store, { name: 'Cloud' });
      const monthly = await makeOffer(shop.store, { productId, name: 'Monthly', price: 1_000 });
      await page.goto(`${shop.origin}/checkout/${monthly}`);
      const headline = page.locator('.headline');
      await headline.getByRole('heading', { level: 1, name: 'Monthly' }).waitFor();
      await headline.getByText('Cloud', { exact: true }).waitFor();
      await fillIn(page);
      await pay(page);
      await thanks(page).waitFor();
      await page.getByRole('list', { name: 'Your purchase' }).getByText('Cloud', { exact: true }).waitFor();
    }));

  it('keeps an amount of millions within a small phone', () =>
    asBuyer({ viewport: SMALL_PHONE, locale: 'de-DE' }, async (page) => {
      const dear = await makeOffer(shop.store, { price: 1_234_567_890 });
      await page.goto(`${shop.origin}/checkout/${dear}`);
      await page.getByRole('button', { name: /^Ihre Bestellung/ }).waitFor();
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(SMALL_PHONE.width);
    }));

  it('keeps an amount of millions in one line beside the form', () =>
    asBuyer({}, async (page) => {
      const dear = await makeOffer(shop.store, { price: 123_456_789_000 });
      await page.goto(`${shop.origin}/checkout/${dear}`);
      await page.locator('.headline-amount').waitFor();
      const lines = await page.evaluate<number>(
        `(() => { const one = document.querySelector('.headline-amount');
          return one.offsetHeight / Number.parseFloat(getComputedStyle(one).fontSize); })()`,
      );
      expect(lines).toBeLessThan(2);
    }));

  it('is a line with the total on a phone, that opens, and leaves the first screen to the form', () =>
    asBuyer({ viewport: PHONE }, async (page) => {
      await open(page);
      await fillIn(page);
      await settlePrice(page);
      const line = page.getByRole('button', { name: 'Your order €11.90' });
      const subtotal = page.getByText('Subtotal');
      expect(await subtotal.isVisible()).toBe(false);
      const box = await field(page, 'Email').boundingBox();
      expect((box?.y ?? Number.NaN) + (box?.height ?? Number.NaN)).toBeLessThanOrEqual(PHONE.height);
      await line.click();
      await subtotal.waitFor();
      await page.getByRole('spinbutton', { name: 'Quantity' }).fill('2');
      await page.getByRole('button', { name: 'Your order €23.80' }).click();
      expect(await subtotal.isVisible()).toBe(false);
    }));

  it('opens the field for a code by a press on a phone, and shows it at once elsewhere', () =>
    asBuyer({ viewport: PHONE }, async (page) => {
      await open(page);
      const code = field(page, 'Discount code');
      expect(await code.isVisible()).toBe(false);
      await page.getByRole('button', { name: 'Add discount code' }).click();
      await code.waitFor();
      await page.locator('input[name=discountCode]:focus').waitFor();
      await page.setViewportSize({ width: 1280, height: 900 });
      await page.reload();
      await code.waitFor();
    }));

  it('opens by itself for a quantity that is wrong', () =>
    asBuyer({ viewport: PHONE }, async (page) => {
      await open(page);
      await fillIn(page, { email: 'many@example.com' });
      await unfold(page);
      const quantity = page.getByRole('spinbutton', { name: 'Quantity' });
      await quantity.fill('999999999');
      await page.locator('.stepper input[aria-invalid="true"]').waitFor();
      await expect.poll(() => quantity.isVisible()).toBe(true);
    }));
});

it('shows where one is without colours of its own, in a text, in a choice and at the button', () =>
  asBuyer({}, async (page) => {
    await page.emulateMedia({ forcedColors: 'active' });
    await open(page);
    for (const place of [field(page, 'Email'), choice(page, 'Country'), payButton(page)]) {
      await place.focus();
      const edge = '(({ outlineStyle, outlineWidth }) => [outlineStyle, outlineWidth])';
      expect(await page.evaluate(`${edge}(getComputedStyle(document.activeElement))`)).toEqual([
        'solid',
        '3px',
      ]);
    }
  }));

describe('the quantity', () => {
  it('is stepped and typed, never below one, and the price follows', () =>
    asBuyer({}, async (page) => {
      await open(page);
      await fillIn(page, { email: 'steps@example.com' });
      const [fewer, more] = ['One fewer', 'One more'].map((name) => page.getByRole('button', { name }));
      expect(await fewer?.getAttribute('aria-disabled')).toBe('true');
      await more?.click();
      await more?.click();
      await page.getByRole('button', { name: 'Pay €35.70' }).waitFor();
      await fewer?.click();
      await page.getByRole('button', { name: 'Pay €23.80' }).waitFor();
      await page.getByRole('spinbutton', { name: 'Quantity' }).fill('4');
      await page.getByRole('button', { name: 'Pay €47.60' }).waitFor();
      await settlePrice(page);
      await page.getByRole('button', { name: 'Pay €47.60' }).click();
      await thanks(page).waitFor();
      await page.getByText('4 × Nebula Drift').waitFor();
    }));
});

describe('what the seller has set', () => {
  it('S44 stands and cannot be changed: address, country, quantity, code', () =>
    asBuyer({}, async (page) => {
      await shop.store.post('/v0/discounts/create', {
        ...{ name: 'Friends', type: 'code', discountCode: 'FRIENDS', amountType: 'percentage', amount: 10 },
        includedOffers: [offerId],
      });
      const { url } = await prepare({
        ...{ email: 'locked@example.com', quantities: { [offerId]: 2 }, discountCode: 'FRIENDS' },
        billingDetails: { countryCode: 'FR' },
        lock: ['email', 'country', 'quantity', 'discountCode'],
      });
      await page.goto(url);
      const email = field(page, 'Email');
      await email.waitFor();
      expect(await email.getAttribute('readonly')).not.toBeNull();
      expect(await email.inputValue()).toBe('locked@example.com');
      const country = choice(page, 'Country');
      expect([await country.isDisabled(), await country.inputValue()]).toEqual([true, 'FR']);
      expect(await page.getByRole('spinbutton').count()).toBe(0);
      expect(await field(page, 'Discount code').count()).toBe(0);
      await page.getByText('FRIENDS applied').waitFor();
      expect(await page.getByRole('button', { name: /^Remove code/ }).count()).toBe(0);
      await page.getByRole('button', { name: 'Pay €21.60' }).waitFor();
    }));
});

describe('the way back to the shop', () => {
  it('is where the seller’s session says, else the shop’s website', () =>
    asBuyer({}, async (page) => {
      const { url } = await prepare({ cancelUrl: 'https://nebula.example/cart' });
      await page.goto(url);
      const own = page.getByRole('link', { name: 'Back to nebula.example' });
      await own.waitFor();
      expect(await own.getAttribute('href')).toBe('https://nebula.example/cart');
      await open(page);
      expect(await own.getAttribute('href')).toBe('https://nebula.example/games');
    }));

  it('is offered where a checkout has expired', () =>
    asBuyer({}, async (page) => {
      const { id, url } = await prepare({ cancelUrl: 'https://nebula.example/cart' });
      await shop.store.patch(`/v0/checkout-sessions/${id}/expire`, {});
      await page.goto(url);
      await page.getByRole('heading', { level: 1, name: 'This checkout has expired' }).waitFor();
      const link = page.getByRole('link', { name: 'Back to nebula.example' });
      expect(await link.getAttribute('href')).toBe('https://nebula.example/cart');
    }));

  it('is offered by a link that leads nowhere, to whoever came from somewhere', () =>
    asBuyer({}, async (page) => {
      await open(page);
      await page.evaluate("location.assign('/checkout/nothing')");
      await page.getByRole('heading', { level: 1, name: 'This link leads nowhere' }).waitFor();
      await page.getByRole('link', { name: 'Go back' }).click();
      await page.getByRole('heading', { level: 1, name: 'Nebula Drift' }).waitFor();
    }));
});

describe('what is wrong', () => {
  it('with the host of an address is asked about once the field is left, and mended by a press', () =>
    asBuyer({}, async (page) => {
      await open(page);
      const email = field(page, 'Email');
      const asked = page.getByRole('button', { name: 'Did you mean ada@gmail.com?' });
      await email.fill('ada@gmial.com');
      expect(await asked.count()).toBe(0);
      await email.press('Tab');
      await asked.click();
      expect(await email.inputValue()).toBe('ada@gmail.com');
      await asked.waitFor({ state: 'detached' });
    }));

  it('is said beside the button until the last field is mended', () =>
    asBuyer({}, async (page) => {
      await open(page);
      await fillIn(page, { email: '' });
      await choice(page, 'Country').selectOption('US');
      await settlePrice(page);
      await payButton(page).click();
      const notice = page.getByText('Please check the marked fields.');
      await notice.waitFor();
      for (const one of await page.locator('[aria-invalid="true"]').all())
        await expect.poll(() => one.isVisible()).toBe(true);
      await field(page, 'Email').fill('ada@example.com');
      await expect.poll(() => notice.isVisible()).toBe(true);
      await choice(page, 'State').selectOption('WA');
      await field(page, 'Postal code').fill('98101');
      await notice.waitFor({ state: 'detached' });
      await expect.poll(() => page.locator('[aria-invalid="true"]').count()).toBe(0);
    }));

  it('with a card that is declined is marked at the card', () =>
    asBuyer({}, async (page) => {
      await open(page);
      await fillIn(page, { card: CARDS.declined, email: 'declined@example.com' });
      await pay(page);
      await page.getByRole('alert').waitFor();
      const card = field(page, 'Card number');
      await expect.poll(() => card.getAttribute('aria-invalid')).toBe('true');
      // The button that was pressed had the focus, and lost it while the charge ran.
      await card.and(page.locator(':focus')).waitFor();
      await card.fill(CARDS.visa);
      await expect.poll(() => card.getAttribute('aria-invalid')).toBeNull();
    }));
});

describe('when it is paid, or nearly', () => {
  it('the receipt has the checkout’s own lines and the way to manage the purchase', () =>
    asBuyer({}, async (page) => {
      await open(page);
      await fillIn(page, { email: 'receipt@example.com' });
      await pay(page);
      await thanks(page).waitFor();
      const rows: string[] = await page.locator('.totals > div').allInnerTexts();
      expect(rows.map((row) => row.replace(/\s+/g, ' '))).toEqual([
        'Subtotal €10.00',
        'VAT 19% €1.90',
        'Total paid €11.90',
      ]);
      await page.getByRole('link', { name: 'Manage this purchase' }).waitFor();
    }));

  it('a payment that waits shows its order’s number, on a ticket no taller than what it says', () =>
    asBuyer({}, async (page) => {
      await open(page);
      await fillIn(page, { card: CARDS.unknownFirst, email: 'waits@example.com' });
      await pay(page);
      await page.getByText(/^Your order number is [A-Z0-9]{12}\. .*waits@example\.com\.$/).waitFor();
      const [ticket, stub] = await Promise.all(
        ['.ticket', '.stub'].map((part) => page.locator(part).boundingBox()),
      );
      expect((ticket?.height ?? 0) - (stub?.height ?? 0)).toBeLessThanOrEqual(2);
    }));
});

describe('what is pressed with a finger', () => {
  it('is at least 44 px high', async () => {
    const context = await shop.browser.newContext({ viewport: PHONE, hasTouch: true, isMobile: true });
    const page = await context.newPage();
    await open(page);
    await payButton(page).waitFor();
    await unfold(page);
    const low: string[] = await page.evaluate(`
      [...document.querySelectorAll('button, a, input:not([type=checkbox]), select, label.check, summary')]
        .filter((one) => one.getClientRects().length > 0 && one.getBoundingClientRect().height < 43.5)
        .map((one) => one.outerHTML)`);
    expect(low).toEqual([]);
    await context.close();
  });
});

describe('the words in an empty field', () => {
  it.each(['light', 'dark'] as const)('can be read (%s)', (colorScheme) =>
    asBuyer({ colorScheme }, async (page) => {
      await open(page);
      await field(page, 'Card number').waitFor();
      const contrast: number = await page.evaluate(`(() => {
        const input = document.querySelector('input[name=cardNumber]');
        const parse = (color) => color.match(/[\\d.]+/g).map(Number);
        const light = ([r, g, b]) => [r, g, b]
          .map((part) => part / 255)
          .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
          .reduce((sum, part, index) => sum + part * [0.2126, 0.7152, 0.0722][index], 0);
        const words = getComputedStyle(input, '::placeholder');
        const [ink, ground] = [light(parse(words.color)), light(parse(getComputedStyle(input).backgroundColor))];
        const ratio = (Math.max(ink, ground) + 0.05) / (Math.min(ink, ground) + 0.05);
        return Number(words.opacity) === 1 ? ratio : 0;
      })()`);
      expect(contrast).toBeGreaterThanOrEqual(4.5);
    }),
  );
});
