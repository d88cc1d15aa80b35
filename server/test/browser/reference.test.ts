/** The reference of the API at /docs: rendered from our own description, and by nobody else's service. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openShop, type Shop } from './support/shop.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(async () => {
  await shop.close();
});

it('shows the operations, asks no other host for anything and offers no services of one', async () => {
  const page = await shop.browser.newPage();
  const foreign: string[] = [];
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    if (origin !== shop.origin && protocol.startsWith('http')) foreign.push(request.url());
  });
  await page.goto(`${shop.origin}/docs`, { waitUntil: 'commit' });
  // The reference draws the whole API in one script: on a busy machine that takes its time.
  await page
    .getByText('List products, newest first')
    .first()
    .waitFor({ state: 'attached', timeout: 150_000 });
  expect(foreign).toEqual([]);
  for (const offer of ['Ask AI', 'Generate MCP', 'Deploy']) {
    expect(await page.getByText(offer).count()).toBe(0);
  }
  await page.close();
});
