/** The checkout in pages that are built otherwise than most: their own elements, routers, frames, sizes and directions. */
import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { makeOffer } from '../support/make-catalogue.ts';
import { field, fillIn, pay, settlePrice, thanks } from './support/checkout.ts';
import { openCheckout, openSellingSite } from './support/selling-site.ts';
import { checkoutIn, frameIn, isLoaded, toldOn, waitForEvent } from './support/shop-page.ts';

const at = openSellingSite();
let page: Page;
beforeEach(async () => {
  page = await at.openTab();
});

const openOverlay = (body: string) => openCheckout(page, at.show(body));
const countFrames = () => page.locator('iframe').count();
const container = (attributes = '') =>
  `<div data-svc-checkout-url="${at.checkoutUrl}" data-svc-mode="embed" ${attributes}></div>`;

it('S42 takes a press on what lies in the shadow of an element of the page’s own', async () => {
  await page.goto(at.show('<div id="host"></div>'));
  await isLoaded(page);
  await page.evaluate(`{
    const link = document.createElement('a');
    link.href = '${at.checkoutUrl}';
    link.setAttribute('data-svc-mode', 'overlay');
    const label = document.createElement('b');
    label.textContent = 'Buy within';
    link.append(label);
    document.getElementById('host').attachShadow({ mode: 'open' }).append(link);
  }`);
  await page.getByText('Buy within').click();
  await waitForEvent(page, 'loaded');
  expect(new URL(page.url()).origin).toBe(at.site.origin);
});

it('S41 lets go of a page whose body a router has replaced, and opens in the new one', async () => {
  await openOverlay(at.buyLink());
  await page.evaluate(`{
    const body = document.createElement('body');
    const link = document.getElementById('buy').cloneNode(true);
    body.append(link);
    document.body.replaceWith(body);
  }`);
  await expect.poll(countFrames).toBe(0);
  await expect
    .poll(async () => (await toldOn(page)).filter(([type]) => type === 'close'))
    .toEqual([['close', { reason: 'navigation' }]]);
  expect(
    await page.evaluate(
      '[getComputedStyle(document.documentElement).overflow, document.adoptedStyleSheets.length]',
    ),
  ).toEqual(['visible', 0]);
  await page.locator('#buy').click();
  await expect.poll(countFrames).toBe(1);
  await checkoutIn(page).getByRole('heading', { level: 1 }).waitFor();
});

it('S42 shows an embedded checkout again where the page has emptied its container', async () => {
  await openOverlay(container('id="shop"'));
  await page.evaluate('document.getElementById("shop").replaceChildren()');
  expect(await countFrames()).toBe(0);
  await page.evaluate('window.Counterfoil.ScanDOM()');
  await expect.poll(countFrames).toBe(1);
  await page.evaluate('window.Counterfoil.ScanDOM()');
  await field(checkoutIn(page), 'Email').waitFor();
  expect(await countFrames()).toBe(1);
});

it('is as large where the page makes a rem ten pixels', async () => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto(at.show(at.buyLink()));
  await isLoaded(page);
  await page.evaluate('document.documentElement.style.fontSize = "62.5%"');
  await page.locator('#buy').click();
  await waitForEvent(page, 'loaded');
  const sizeOf = (name: string) =>
    page.evaluate(`{
    const { width, height } = document.querySelector('${name}').getBoundingClientRect();
    [width, height];
  }`);
  expect(await sizeOf('dialog')).toEqual([1088, 752]);
  expect(await sizeOf('dialog > button')).toEqual([48, 48]);
});

it('minds no base of another site, and leaves the address alone', async () => {
  await openOverlay(`<base href="https://elsewhere.example/shop/">${at.buyLink()}`);
  const before = page.url();
  await page.goBack();
  await expect.poll(countFrames).toBe(0);
  expect(page.url()).toBe(before);
});

it('stays within a page that runs from right to left', async () => {
  await page.setViewportSize({ width: 900, height: 700 });
  await page.goto(at.show(`${at.buyLink()}${container()}`));
  await isLoaded(page);
  await page.evaluate('document.documentElement.dir = "rtl"');
  await waitForEvent(page, 'loaded');
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  await page.locator('#buy').click();
  await page.getByRole('dialog', { name: 'Checkout' }).waitFor();
  const { x = -1, width = 0 } = (await page.getByRole('dialog', { name: 'Checkout' }).boundingBox()) ?? {};
  expect([x >= 0, x + width <= 900]).toEqual([true, true]);
});

it('S38 shows a checkout each in two containers, which buy apart', async () => {
  await page.goto(at.show(`${container('id="one"')}${container('id="two" data-svc-reference="two"')}`));
  await isLoaded(page);
  await expect.poll(async () => (await toldOn(page)).filter(([type]) => type === 'loaded').length).toBe(2);
  const first = page.frameLocator('#one iframe');
  await fillIn(first, { email: 'two@example.com' });
  await pay(first);
  await thanks(first).waitFor();
  const second = page.frameLocator('#two iframe');
  await field(second, 'Email').waitFor();
  expect((await toldOn(page)).filter(([type]) => type === 'complete')).toHaveLength(1);
});

it('S38 has its height once a part of the page that was hidden is shown', async () => {
  await page.goto(at.show(`<div id="tab" hidden>${container('id="shop"')}</div>`));
  await isLoaded(page);
  await waitForEvent(page, 'loaded');
  await page.evaluate('document.getElementById("tab").hidden = false');
  const frame = await frameIn(page);
  await expect
    .poll(() =>
      frame.evaluate(
        'innerHeight - Math.ceil(document.getElementById("app").getBoundingClientRect().height)',
      ),
    )
    .toBe(0);
});

it.each([240, 280])('S38 is not wider than a container of %i px', async (width) => {
  await page.goto(at.show(`<div id="narrow">${container()}</div>`));
  await isLoaded(page);
  await page.evaluate(`document.getElementById('narrow').style.width = '${width}px'`);
  await settlePrice(checkoutIn(page));
  const frame = await frameIn(page);
  expect(await frame.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
});

describe('in a page that is in a frame itself', () => {
  const nest = (path: string) =>
    at.site.show(
      '/outer',
      `<!doctype html><title>Outer</title><iframe id="inner" src="${path}" width="900" height="700"></iframe>`,
    );

  it('opens over it', async () => {
    at.show(at.buyLink(), { path: '/inner' });
    await page.goto(nest('/inner'));
    const inner = page.frameLocator('#inner');
    await inner.locator('#buy').click();
    const checkout = inner.frameLocator('iframe[title="Checkout"]');
    await fillIn(checkout, { email: 'nested@example.com' });
    await pay(checkout);
    await thanks(checkout).waitFor();
  });

  it('S36 leads to the checkout beside it where that may not be shown', async () => {
    const liveOffer = await makeOffer(at.shop.app.live, { name: 'Rocket' });
    const url = `${at.shop.origin}/checkout/${liveOffer}`;
    at.show(`<a id="buy" href="${url}" data-svc-mode="overlay">Buy</a>`, { path: '/inner' });
    await page.goto(nest('/inner'));
    const inner = page.frameLocator('#inner');
    await inner.locator('#buy').click();
    const link = inner.getByRole('link', { name: 'Open checkout' });
    await link.waitFor();
    const [opened] = await Promise.all([page.context().waitForEvent('page'), link.click()]);
    await opened.waitForURL(/\/checkout\//);
  });

  it('S36 says so in the language that the page asks for', async () => {
    const liveOffer = await makeOffer(at.shop.app.live, { name: 'Rakete' });
    const url = `${at.shop.origin}/checkout/${liveOffer}`;
    const asked = 'data-svc-mode="overlay" data-svc-language="de"';
    await page.goto(at.show(`<a id="buy" href="${url}" ${asked}>Kaufen</a>`));
    await isLoaded(page);
    await page.locator('#buy').click();
    await page.getByRole('link', { name: 'Kasse öffnen' }).waitFor();
    await page.getByRole('button', { name: 'Kasse schließen' }).click();
    await expect.poll(() => page.locator('dialog').count()).toBe(0);
  });
});
