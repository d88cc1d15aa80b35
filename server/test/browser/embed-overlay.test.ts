/** The checkout over a shop's page: closing, keys, history, forged messages, and browsers that keep nothing. */
import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { makeOffer } from '../support/make-catalogue.ts';
import { CARDS, choice, field, fillIn, pay, payButton, settlePrice, thanks } from './support/checkout.ts';
import { openCheckout, openSellingSite } from './support/selling-site.ts';
import { listOrders } from './support/shop.ts';
import { checkoutIn, frameIn, isLoaded, toldOn, waitForEvent } from './support/shop-page.ts';

const at = openSellingSite();
let page: Page;
beforeEach(async () => {
  page = await at.openTab();
});

const closed = () => expect.poll(() => page.locator('iframe').count()).toBe(0);
const ofType = async (type: string) =>
  (await toldOn(page)).filter(([told]) => told === type).map(([, d]) => d);
const openOverlay = (body = at.buyLink()) => openCheckout(page, at.show(body));

describe('opening', () => {
  it('S40 is no higher than its window, and its end is reached by the wheel', async () => {
    await page.setViewportSize({ width: 1000, height: 560 });
    await openOverlay();
    await settlePrice(checkoutIn(page));
    expect(
      await page.evaluate(`{
        const dialog = document.querySelector('dialog');
        dialog.scrollHeight === dialog.clientHeight;
      }`),
    ).toBe(true);
    const frame = await frameIn(page);
    await page.mouse.move(500, 300);
    await page.mouse.wheel(0, 5_000);
    const isAtEnd = 'scrollY > 0 && scrollY + innerHeight >= document.documentElement.scrollHeight - 1';
    await expect.poll(() => frame.evaluate(isAtEnd)).toBe(true);
    expect(await page.evaluate('document.querySelector("dialog").scrollTop')).toBe(0);
  });

  it('S36 shows a link to the checkout in its place where the page is not listed', async () => {
    const liveOffer = await makeOffer(at.shop.app.live, { name: 'Rocket' });
    const lines: string[] = [];
    page.on('console', (line) => line.text().startsWith('Counterfoil') && lines.push(line.text()));
    const url = `${at.shop.origin}/checkout/${liveOffer}`;
    await page.goto(
      at.show(`<a id="buy" href="${url}" data-svc-mode="overlay">Buy</a>`, { path: '/unlisted' }),
    );
    await isLoaded(page);
    await page.locator('#buy').click();
    const link = page.getByRole('link', { name: 'Open checkout' });
    await link.waitFor();
    expect(await link.getAttribute('href')).toBe(url);
    expect(await ofType('error')).toEqual([{ code: 'not_allowed' }]);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('authorizedDomains');
    expect(lines[0]).toContain(at.site.origin);
    expect(await page.locator('iframe').count()).toBe(0);
  });

  it('S42 takes a press on what is within a link, on what came later, and one before the script', async () => {
    await page.goto(at.show(at.buyLink('data-svc-mode="overlay"', '<b><i id="inner">Buy</i></b>')));
    await isLoaded(page);
    await page.locator('#inner').click();
    await waitForEvent(page, 'loaded');
    await page.getByRole('button', { name: 'Close checkout' }).click();
    await closed();
    await page.evaluate(`{
      const button = document.createElement('button');
      button.setAttribute('data-svc-checkout-url', '${at.checkoutUrl}');
      button.textContent = 'Later';
      document.body.append(button);
    }`);
    await page.getByRole('button', { name: 'Later' }).click();
    await checkoutIn(page).getByRole('heading', { level: 1 }).waitFor();
    await expect.poll(() => page.locator('iframe').count()).toBe(1);
    const bare = at.site.show('/bare', `<!doctype html>${at.buyLink()}`);
    await page.goto(bare);
    await page.locator('#buy').click();
    await page.waitForURL(/\/checkout\/.+\/checkout\//);
  });

  it('S42 leaves a middle click and one with a key to the browser', async () => {
    await page.goto(at.show(at.buyLink()));
    await isLoaded(page);
    for (const how of [{ button: 'middle' }, { modifiers: ['ControlOrMeta'] }] as const) {
      const [opened] = await Promise.all([
        page.context().waitForEvent('page'),
        page.locator('#buy').click(how as never),
      ]);
      await opened.waitForURL(/\/checkout\//);
      await opened.close();
    }
    expect(await page.locator('iframe').count()).toBe(0);
  });

  it('brings along what the page knows of the buyer', async () => {
    const attributes =
      'data-svc-mode="overlay" data-svc-billing-email="known@example.com" data-svc-billing-country="FR" ' +
      'data-svc-language="de" data-svc-theme="dark"';
    await openOverlay(at.buyLink(attributes));
    const checkout = checkoutIn(page);
    await checkout.locator('html[lang="de"]').waitFor();
    expect(await checkout.locator('input[name="email"]').inputValue()).toBe('known@example.com');
    expect(await checkout.locator('select').first().inputValue()).toBe('FR');
    const frame = await frameIn(page);
    expect(await frame.evaluate('getComputedStyle(document.documentElement).colorScheme')).toBe('dark');
  });
});

describe('closing', () => {
  it('S40 moves the focus in and back, by the keyboard alone', async () => {
    await page.goto(at.show(`<div id="space"></div>${at.buyLink()}`));
    await isLoaded(page);
    await page.evaluate('document.getElementById("space").style.height = "3000px"');
    await page.locator('#buy').focus();
    const scrolled = await page.evaluate('scrollY');
    for (const from of ['frame', 'page']) {
      await page.keyboard.press('Enter');
      await page.getByRole('dialog', { name: 'Checkout' }).waitFor();
      const frame = await frameIn(page);
      await expect.poll(() => frame.evaluate('document.activeElement?.tagName')).toBe('H1');
      if (from === 'page') await page.getByRole('button', { name: 'Close checkout' }).focus();
      await page.keyboard.press('Escape');
      await closed();
      expect(await page.evaluate('document.activeElement.id')).toBe('buy');
      expect(await page.evaluate('scrollY')).toBe(scrolled);
    }
    expect(await ofType('close')).toEqual([{ reason: 'user' }, { reason: 'user' }]);
  });

  it('S40 never lets Tab into the page behind', async () => {
    await openOverlay();
    const seen = new Set<string>();
    for (let presses = 0; presses < 40; presses += 1) {
      await page.keyboard.press('Tab');
      seen.add(String(await page.evaluate('document.activeElement?.tagName')));
    }
    expect([...seen].filter((name) => !['IFRAME', 'BUTTON', 'BODY'].includes(name))).toEqual([]);
    expect(seen.has('IFRAME')).toBe(true);
  });

  it('S41 is closed by Back, at the same address, and Forward opens nothing', async () => {
    await openOverlay();
    const address = page.url();
    await page.goBack();
    await closed();
    expect(page.url()).toBe(address);
    expect(await ofType('close')).toEqual([{ reason: 'navigation' }]);
    await page.goForward();
    expect(page.url()).toBe(address);
    expect(await page.locator('iframe').count()).toBe(0);
  });

  it('S41 refuses an address that is missing, instead of a page of the shop that is called undefined', async () => {
    await page.goto(at.show(at.buyLink()));
    await isLoaded(page);
    for (const given of [
      '{}',
      '{ checkoutUrl: "" }',
      '{ checkoutUrl: null }',
      '{ checkoutUrl: "data:text/html,x" }',
    ]) {
      const open = `(() => { try { Counterfoil.Checkout.open(${given}) } catch (error) { return error.message } })()`;
      expect(await page.evaluate(open), given).toBe('Counterfoil: checkoutUrl is no web address');
    }
    expect(await page.locator('iframe').count()).toBe(0);
  });

  it('S41 leaves nothing behind, however often it is opened', async () => {
    await page.goto(at.show(at.buyLink()));
    await isLoaded(page);
    const count = () =>
      page.evaluate(
        '[document.querySelectorAll("*").length, document.adoptedStyleSheets.length, document.documentElement.getAttribute("style")]',
      );
    const before = await count();
    const session = await page.context().newCDPSession(page);
    const listeners = async () => {
      const { result } = await session.send('Runtime.evaluate', { expression: 'window' });
      const found = await session.send('DOMDebugger.getEventListeners', {
        objectId: String(result.objectId),
      });
      return found.listeners.length;
    };
    const listenersBefore = await listeners();
    for (let times = 0; times < 50; times += 1) {
      await page.evaluate(`Counterfoil.Checkout.open({ checkoutUrl: '${at.checkoutUrl}' }).destroy()`);
    }
    await page.locator('#buy').click();
    await checkoutIn(page).getByRole('heading', { level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Close checkout' }).click();
    await closed();
    expect(await count()).toEqual(before);
    await expect.poll(listeners).toBe(listenersBefore);
    expect(await page.evaluate('history.length')).toBeLessThan(6);
  });

  it('S43 is refused in words while a charge is made', async () => {
    await openOverlay();
    const checkout = checkoutIn(page);
    await fillIn(checkout, { email: 'busy@example.com' });
    await settlePrice(checkout);
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/submit', async (route) => {
      await held;
      await route.continue();
    });
    await payButton(checkout).click();
    await waitForEvent(page, 'submit');
    await page.getByRole('button', { name: 'Close checkout' }).click();
    await checkout.getByRole('status').filter({ hasText: 'Your payment is being made' }).waitFor();
    await page.goBack();
    await expect.poll(() => page.locator('iframe').count()).toBe(1);
    release();
    await thanks(checkout).waitFor();
    await page.getByRole('button', { name: 'Close checkout' }).click();
    await closed();
    expect(await ofType('close')).toEqual([{ reason: 'complete' }]);
  });
});

describe('messages', () => {
  it('S37 takes none that are forged', async () => {
    const forger = at.site.show(
      '/forger',
      `<!doctype html><script>
        for (const type of ['hello', 'complete', 'close', 'escape', 'height'])
          parent.postMessage({ source: 'counterfoil', v: 1, type, data: { height: 9, orderId: 'x' } }, '*');
      </script>`,
    );
    await openOverlay();
    const before = await toldOn(page);
    await page.evaluate(`{
      for (const type of ['hello', 'complete', 'escape', 'leave']) {
        const data = { height: 9, orderId: 'x', path: '//evil.example' };
        window.postMessage({ source: 'counterfoil', v: 1, type, data }, '*');
      }
      const frame = document.createElement('iframe');
      frame.src = '${forger}';
      frame.id = 'forger';
      document.body.append(frame);
    }`);
    await page.frameLocator('#forger').locator('html').waitFor({ state: 'attached' });
    const frame = await frameIn(page);
    // The frame takes no second port, from whomever.
    await page.evaluate(`{
      const { port2 } = new MessageChannel();
      const init = { source: 'counterfoil', v: 1, type: 'init', data: { theme: 'dark' } };
      document.querySelector('iframe[title="Checkout"]').contentWindow.postMessage(init, '*', [port2]);
    }`);
    await frame.evaluate('new Promise((resolve) => setTimeout(resolve))');
    expect(await frame.evaluate('document.documentElement.style.colorScheme')).toBe('');
    expect(await toldOn(page)).toEqual(before);
    await expect.poll(() => page.getByRole('dialog').count()).toBe(1);
  });
});

describe('what is kept', () => {
  it('S39 buys where the browser keeps nothing for frames, and sets no cookie', async () => {
    await page.context().addInitScript(`if (window.parent !== window) {
      const refuse = () => {
        throw new DOMException('refused', 'SecurityError');
      };
      for (const name of ['localStorage', 'sessionStorage', 'indexedDB', 'caches'])
        Object.defineProperty(window, name, { get: refuse });
      Object.defineProperty(document, 'cookie', { get: refuse, set: refuse });
    }`);
    await openOverlay();
    const checkout = checkoutIn(page);
    await fillIn(checkout, { email: 'kept@example.com' });
    await pay(checkout);
    await thanks(checkout).waitFor();
    const cookies = await page.context().cookies();
    expect(cookies).toEqual([]);
  });

  it('S43 holds all that was typed when it is opened again, and makes one order', async () => {
    await openOverlay();
    const checkout = checkoutIn(page);
    await fillIn(checkout, { email: 'again@example.com', card: CARDS.visa });
    await settlePrice(checkout);
    await page.route('**/submit', (route) => route.abort());
    await payButton(checkout).click();
    await checkout.getByRole('alert').waitFor();
    await page.getByRole('button', { name: 'Close checkout' }).click();
    await closed();
    await page.unroute('**/submit');
    await page.locator('#buy').click();
    await field(checkout, 'Email').waitFor();
    expect(await field(checkout, 'Email').inputValue()).toBe('again@example.com');
    expect(await choice(checkout, 'Country').inputValue()).toBe('DE');
    expect(await field(checkout, 'Card number').inputValue()).toBe('');
    await fillIn(checkout, { email: 'again@example.com' });
    await pay(checkout);
    await thanks(checkout).waitFor();
    expect(await listOrders(at.shop, 'again@example.com')).toHaveLength(1);
    // What is bought is bought: the next press begins anew.
    await page.getByRole('button', { name: 'Close checkout' }).click();
    await closed();
    await page.locator('#buy').click();
    await field(checkout, 'Email').waitFor();
    expect(await field(checkout, 'Email').inputValue()).toBe('');
  });
});
