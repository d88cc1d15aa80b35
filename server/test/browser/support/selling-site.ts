/** A shop with one offer, and a site of its own from which it sells: for the tests of one file. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { makeOffer } from '../../support/make-catalogue.ts';
import { openShop, type Shop } from './shop.ts';
import { EVENTS_SCRIPT, isLoaded, openSite, type ShopSite, toShopPage, waitForEvent } from './shop-page.ts';

interface Opened {
  shop: Shop;
  site: ShopSite;
  offerId: string;
  checkoutUrl: string;
}

export interface SellingSite extends Opened {
  buyLink(attributes?: string, text?: string): string;
  /** Puts what stands in `body` on the site, and answers its address. */
  show(body: string, options?: { path?: string; headers?: Record<string, string> }): string;
  /** A tab of a buyer who was never here. */
  openTab(): Promise<Page>;
}

/** Opened before the file's first test and closed after its last; `eventsHeaders` go with the site's own script. */
export function openSellingSite(eventsHeaders: Record<string, string> = {}): SellingSite {
  const opened = {} as Opened;
  beforeAll(async () => {
    opened.shop = await openShop();
    opened.site = await openSite();
    opened.site.show('/events.js', EVENTS_SCRIPT, eventsHeaders);
    opened.offerId = await makeOffer(opened.shop.store, { name: 'Rocket', price: 4900 });
    opened.checkoutUrl = `${opened.shop.origin}/checkout/${opened.offerId}`;
  });
  afterAll(async () => {
    await opened.site?.close();
    await opened.shop?.close();
  });
  return Object.assign(opened, {
    buyLink: (attributes = 'data-svc-mode="overlay"', text = 'Buy') =>
      `<a id="buy" href="${opened.checkoutUrl}" ${attributes}>${text}</a>`,
    show: (body: string, { path = '/', headers = {} } = {}) =>
      opened.site.show(path, toShopPage({ payOrigin: opened.shop.origin, body }), headers),
    openTab: async () => (await opened.shop.openBuyer()).newTab(),
  });
}

/** Presses the page's link, where it has one, and waits for the checkout. */
export async function openCheckout(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await isLoaded(page);
  const link = page.locator('#buy');
  if ((await link.count()) > 0) await link.click();
  await waitForEvent(page, 'loaded');
}
