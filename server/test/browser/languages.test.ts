/** The pages in every language: nothing missing, nothing cut, and mirrored where a script runs the other way. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LANGUAGES } from '../../src/domain/languages.ts';
import { buy } from '../support/buying.ts';
import { makeOffer, makePlanOffer } from '../support/make-catalogue.ts';
import { DESKTOP, SMALL_PHONE } from './support/browser.ts';
import { openShop, type Shop } from './support/shop.ts';

let shop: Shop;
let page: Page;
let paths: string[];
/** With words where others have a sum. */
let trialPath: string;
beforeAll(async () => {
  shop = await openShop();
  const offerId = await makeOffer(shop.store, { mutableQuantity: true });
  const { portalSlug } = await shop.app.service.db
    .selectFrom('workspaces')
    .select('portalSlug')
    .where('id', '=', shop.store.scope.workspaceId)
    .executeTakeFirstOrThrow();
  trialPath = `/checkout/${await makePlanOffer(shop.store, { trialInterval: 'day', trialIntervalCount: 14 })}`;
  paths = [`/checkout/${offerId}`, `/portal/${portalSlug}/test`, `/portal/${portalSlug}/test/withdraw`];
  page = await (await shop.openBuyer({ viewport: SMALL_PHONE })).newTab();
});
afterAll(() => shop?.close());

async function open(path: string, language: string): Promise<string> {
  await page.goto(`${shop.origin}${path}?svc-language=${language}`);
  await page.locator('select[name="language"]').waitFor();
  return page.locator('body').innerText();
}

/** How far the page can be scrolled sideways. */
const measureOverflow = (): Promise<number> =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');

/** `en-XA`: every text grows by two fifths. */
const growTexts = (): Promise<void> =>
  page.evaluate(`(() => {
    const walker = document.createTreeWalker(document.getElementById('app'), NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const text = node.textContent;
      if (!text.trim() || node.parentElement.closest('select')) continue;
      node.textContent = text + ' ẋẋẋẋ'.repeat(Math.ceil((text.length * 0.4) / 5));
    }
  })()`);

/** How far the first label in sight stands from the left, and how far from the right once the page is mirrored. */
const mirror = (): Promise<[number, number]> =>
  page.evaluate(`(() => {
    const labels = [...document.querySelectorAll('.field label')];
    // Some lie folded on a phone.
    const label = labels.find((one) => one.getClientRects().length > 0);
    const box = () => label.getBoundingClientRect();
    const { left } = box();
    document.documentElement.dir = 'rtl';
    return [left, document.documentElement.clientWidth - box().right];
  })()`);

describe('S48 pages', () => {
  it.each(LANGUAGES)('in %s lack no text and do not scroll sideways on a small phone', async (language) => {
    for (const path of [...paths, trialPath]) {
      const text = await open(path, language);
      expect([path, await page.locator('html').getAttribute('lang')]).toEqual([path, language]);
      expect(text).not.toMatch(/\{\w+\}|undefined|\b[a-z]+\.[a-z]+[A-Z.]\w*/);
      expect([path, await measureOverflow()]).toEqual([path, 0]);
    }
  });

  it('have room for texts that are two fifths longer (en-XA) at 320 px', async () => {
    for (const path of paths) {
      await open(path, 'en');
      await growTexts();
      expect([path, await measureOverflow()]).toEqual([path, 0]);
    }
  });

  it('are mirrored where text runs from right to left (ar-XB)', async () => {
    for (const viewport of [SMALL_PHONE, DESKTOP]) {
      await page.setViewportSize(viewport);
      for (const path of paths) {
        await open(path, 'en');
        const [before, after] = await mirror();
        expect(await measureOverflow()).toBe(0);
        expect([path, Math.abs(before - after)]).toEqual([path, expect.closeTo(0, 0)]);
      }
    }
    await page.setViewportSize(SMALL_PHONE);
  });
});

describe('the choice of a language', () => {
  it('changes the page in place and keeps what was typed', async () => {
    await open(paths[0] ?? '', 'en');
    await page.getByRole('textbox', { name: 'Email' }).fill('ada@example.com');
    await page.getByRole('combobox', { name: 'Language' }).selectOption('fr');
    const email = page.getByRole('textbox', { name: 'E-mail' });
    await email.waitFor();
    expect(await email.inputValue()).toBe('ada@example.com');
    expect(new URL(page.url()).searchParams.get('svc-language')).toBe('fr');
    await expect.poll(() => page.title()).toMatch(/^Paiement · /);
    await page.reload();
    await page.getByRole('combobox', { name: 'Langue' }).waitFor();
  });

  it('asks for the family’s name first in Japanese, as the portal does', async () => {
    await shop.changeSettings({ checkout: { buyerName: 'required' } });
    const order = () =>
      page
        .locator('[autocomplete="family-name"], [autocomplete="given-name"]')
        .evaluateAll((inputs) => inputs.map((input) => input.getAttribute('name')));
    await open(paths[0] ?? '', 'ja');
    expect(await order()).toEqual(['lastName', 'firstName']);
    await page.locator('select[name="language"]').selectOption('en');
    await page.getByRole('textbox', { name: 'First name' }).waitFor();
    expect(await order()).toEqual(['firstName', 'lastName']);
  });
});

describe('S50 what a page weighs on the wire', () => {
  it.each([
    ['checkout', 0, 45_000],
    ['portal', 1, 60_000],
  ])('%s', async (_name, place, limit) => {
    const tab = await (await shop.openBuyer({ locale: 'pl-PL' })).newTab();
    const wire = await tab.context().newCDPSession(tab);
    let bytes = 0;
    const counted = new Set<string>();
    wire.on('Network.responseReceived', ({ requestId, type }) => {
      if (type === 'Document' || type === 'Stylesheet' || type === 'Script') counted.add(requestId);
    });
    // Bodies: headers are the server's, whatever the page is.
    wire.on('Network.dataReceived', ({ requestId, encodedDataLength }) => {
      if (counted.has(requestId)) bytes += encodedDataLength;
    });
    await wire.send('Network.enable');
    await tab.goto(shop.origin + paths[place]);
    await tab.locator('select[name="language"]').waitFor();
    await tab.waitForLoadState('networkidle');
    expect(bytes).toBeGreaterThan(10_000);
    expect(bytes).toBeLessThanOrEqual(limit);
    await tab.context().close();
  });
});

describe('S50 text of twice the size', () => {
  it('stays within a phone, and leaves the shop its name in words', async () => {
    await page.setViewportSize({ width: 375, height: 812 });
    for (const path of [...paths, `${paths[1]}/cancel-contract`]) {
      await open(path, 'de');
      await page.evaluate(`(() => {
        const sheet = new CSSStyleSheet();
        sheet.replaceSync('html { font-size: 200% }');
        document.adoptedStyleSheets = [sheet];
      })()`);
      const name = await page
        .locator('.seller-name')
        .first()
        .evaluate((one) => one.getBoundingClientRect().width);
      expect([path, await measureOverflow()]).toEqual([path, 0]);
      expect(name).toBeGreaterThanOrEqual(100);
    }
    await page.setViewportSize(SMALL_PHONE);
  });
});

describe('S50 a name without a break', () => {
  it('keeps within a small phone wherever a buyer meets what they bought', async () => {
    const name = 'Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen';
    const email = 'long@example.com';
    const two = [await makeOffer(shop.store, { name }), await makeOffer(shop.store)];
    const { body: bought } = await buy(shop.store, { offersIds: two, userEmail: email });
    const { body } = await shop.store.post('/v0/portal-sessions/create', { email });
    const tab = await (await shop.openBuyer({ viewport: SMALL_PHONE })).newTab();
    await tab.goto(body.data.portalSession.url);
    const screens = ['', '/orders', `/orders/${bought.data.order.number}`, '/library', '/withdraw'];
    for (const screen of screens) {
      await tab.getByText(name).first().waitFor();
      const sideways = 'document.documentElement.scrollWidth - innerWidth';
      expect([screen, await tab.evaluate(sideways)]).toEqual([screen, 0]);
      const next = screens[screens.indexOf(screen) + 1];
      if (next !== undefined) await tab.goto(shop.origin + paths[1] + next);
    }
    await tab.context().close();
  });
});

describe('S50 forced colours', () => {
  it('leave every button an edge, and what is reached a thick one', async () => {
    await page.emulateMedia({ forcedColors: 'active' });
    await open(paths[0] ?? '', 'en');
    const widths: string[] = await page.evaluate(
      "[...document.querySelectorAll('button')].map((one) => getComputedStyle(one).borderTopWidth)",
    );
    expect(widths.length).toBeGreaterThan(1);
    expect(widths.filter((width) => Number.parseFloat(width) < 1)).toEqual([]);
    const pay = page.getByRole('button', { name: /^Pay/ });
    await page.keyboard.press('Tab');
    await pay.focus();
    expect(await page.evaluate('getComputedStyle(document.activeElement).outlineWidth')).toBe('3px');
    await page.emulateMedia({ forcedColors: 'none' });
  });
});
