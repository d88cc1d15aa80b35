/** The checkout in a shop's page: the script's files, the overlay, and who may show it. */
import { createHash } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { fillIn, orderNumberOf, pay } from './support/checkout.ts';
import { openCheckout, openSellingSite } from './support/selling-site.ts';
import { listOrders } from './support/shop.ts';
import { checkoutIn, ISOLATED, isLoaded, strictPolicy, toldOn, waitForEvent } from './support/shop-page.ts';

const SCRIPT_BYTES_MAX = 5_000;
const at = openSellingSite({ 'cross-origin-resource-policy': 'same-origin' });
let page: Page;
beforeEach(async () => {
  page = await at.openTab();
});

describe('the script', () => {
  it('S34 is small, open to every page, compressed, and named with its bytes', async () => {
    const current = await fetch(`${at.shop.origin}/embed/v1.js`);
    const bytes = Buffer.from(await current.arrayBuffer());
    expect(gzipSync(bytes, { level: 9 }).length).toBeLessThanOrEqual(SCRIPT_BYTES_MAX);
    expect(bytes.toString()).not.toMatch(/\beval\b|innerHTML|new Function/);
    expect(Object.fromEntries(current.headers)).toMatchObject({
      'content-type': expect.stringContaining('javascript'),
      'cache-control': 'public, max-age=3600',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
    });
    const described = await fetch(`${at.shop.origin}/embed/v1.json`);
    const { version, url, integrity } = (await described.json()) as Record<string, string>;
    expect(url).toBe(`${at.shop.origin}/embed/v${version}.js`);
    expect(integrity).toBe(`sha384-${createHash('sha384').update(bytes).digest('base64')}`);
    const exact = await fetch(String(url));
    expect(exact.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(Buffer.from(await exact.arrayBuffer())).toEqual(bytes);
    expect(await (await fetch(`${at.shop.origin}/embed.js`)).text()).toBe(bytes.toString());
    for (const name of ['v1.9.9.js', 'v1.js.gz', 'v2.js', '..%2fmanifest.json']) {
      expect([name, (await fetch(`${at.shop.origin}/embed/${name}`)).status]).toEqual([name, 404]);
    }
    const zipped = await at.shop.app.app.inject({
      url: '/embed/v1.js',
      headers: { 'accept-encoding': 'gzip' },
    });
    expect(zipped.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(zipped.rawPayload)).toEqual(bytes);
  });

  it('S34 runs where the page asks for its very bytes, and not where they differ', async () => {
    const { url, integrity } = (await (await fetch(`${at.shop.origin}/embed/v1.json`)).json()) as Record<
      string,
      string
    >;
    const tag = (hash: string) => `<script src="${url}" integrity="${hash}" crossorigin></script>`;
    await page.goto(at.site.show('/sri', `<!doctype html>${tag(integrity ?? '')}`));
    await isLoaded(page);
    await page.goto(at.site.show('/sri-wrong', `<!doctype html>${tag(`sha384-${'A'.repeat(64)}`)}`));
    expect(await page.evaluate('typeof window.Counterfoil')).toBe('undefined');
  });
});

describe('the overlay', () => {
  it.each([
    ['a strict policy', {}],
    ['a strict policy and isolation', ISOLATED],
  ])('S35 buys in a page with %s and breaks none of it', async (_name, isolation) => {
    const headers = { 'content-security-policy': strictPolicy(at.shop.origin), ...isolation };
    const email = `csp-${Object.keys(isolation).length}@example.com`;
    await openCheckout(page, at.show(at.buyLink(), { headers }));
    if (Object.keys(isolation).length > 0) expect(await page.evaluate('crossOriginIsolated')).toBe(true);
    const checkout = checkoutIn(page);
    await fillIn(checkout, { email });
    await pay(checkout);
    const number = await orderNumberOf(checkout);
    const [order] = await listOrders(at.shop, email);
    expect(await waitForEvent(page, 'complete')).toEqual({
      orderId: order?.id,
      orderNumber: number,
      reference: null,
      status: 'paid',
    });
    const told = await toldOn(page);
    expect(told.map(([type]) => type)).toEqual(expect.arrayContaining(['loaded', 'change', 'submit']));
    expect(told.filter(([type]) => type === 'change').at(-1)?.[1]).toEqual({
      total: 5831,
      dueNow: 5831,
      currency: 'EUR',
      currencyDecimals: 2,
      quantity: 1,
    });
    expect(JSON.stringify(told)).not.toContain(email);
    const { body } = await at.shop.store.get('/v0/events/list', { query: { type: 'order_paid' } });
    const events: Array<{ data: { order?: { id: string } } }> = body.data?.events ?? [];
    expect(events.some(({ data }) => data.order?.id === order?.id)).toBe(true);
    expect(await page.evaluate('window.violations')).toEqual([]);
  });
});
