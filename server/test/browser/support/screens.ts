/** Every screen of the dashboard, as somebody finds it who follows all links; and a store in which none is empty. */
import type { Page, Request } from 'playwright-core';
import { expect } from 'vitest';
import { DISPUTED } from '../../support/cards.ts';
import { DAY_MS } from '../../support/clock.ts';
import type { Answer } from '../../support/harness.ts';
import type { Receiver } from '../../support/receiver.ts';
import type { Shop } from './shop.ts';

/** What the store's things are called, by what they are. */
export type Names = (what: string) => string;

export interface Filled {
  /** Paid, by card, of one item. */
  orderNumber: string;
  subscriptionId: string;
  offerId: string;
  /** Two plans of one product, the second of which costs more. */
  plans: readonly [string, string];
}

/** What a shop with a webhook on this machine is opened with. */
export const LOOPBACK = { EGRESS_ALLOW_CIDRS: '127.0.0.0/8' };

/** One of everything that has a row somewhere. */
export async function fillStore(
  shop: Shop,
  receiver: Receiver,
  names: Names = (what) => `A ${what}`,
): Promise<Filled> {
  const { store } = shop;
  const make = async (path: string, body: unknown): Promise<Answer['body']> => {
    const answer = await store.post(path, body);
    expect([path, answer.status, answer.body.error ?? null]).toEqual([path, 200, null]);
    return answer.body.data;
  };
  const product = async (what: string, type: string) =>
    (await make('/v0/products/create', { type, name: names(what), description: names('description') }))
      .product.id;
  const offer = async (productId: string, what: string, fields: Record<string, unknown>) =>
    (await make('/v0/offers/create', { productId, name: names(what), currency: 'EUR', ...fields })).offer.id;
  const offerId = await offer(await product('game', 'Game'), 'offer', { price: 1_999 });
  const club = await product('club', 'Subscription');
  const monthly = { recurringInterval: 'month', recurringIntervalCount: 1 };
  const plans = [
    await offer(club, 'small plan', { price: 1_000, ...monthly }),
    await offer(club, 'large plan', { price: 2_500, ...monthly }),
  ] as const;
  await make('/v0/discounts/create', {
    name: names('discount'),
    type: 'code',
    discountCode: 'SPRING',
    amountType: 'percentage',
    amount: 10,
  });
  await make('/v0/elements/checkout/create', { offersIds: [offerId], name: names('checkout') });
  await make('/v0/custom-fields/create', {
    key: 'nick',
    label: names('field'),
    type: 'text',
    required: false,
  });
  await make('/v0/webhooks/create', {
    url: receiver.url,
    events: ['payment_success'],
    description: names('webhook'),
  });
  const billingDetails = { countryCode: 'DE', firstName: names('first name'), lastName: names('last name') };
  const buy = (offersId: string, userEmail: string, more: Record<string, unknown> = {}) =>
    make('/v0/test-purchases/create', { offersIds: [offersId], userEmail, billingDetails, ...more });
  await buy(offerId, 'disputes@example.com', { card: DISPUTED });
  await shop.moveClock(2 * DAY_MS);
  await shop.app.wired.worker.runDue();
  const refunded = (await buy(offerId, 'refunds@example.com')).order;
  await make(`/v0/orders/${refunded.id}/refunds`, { amount: 500, reason: 'other', note: names('note') });
  const subscriptionId = (await buy(plans[0], 'member@example.com')).order.subscriptionId;
  const { order } = await buy(offerId, 'buys@example.com');
  await make('/v0/notes/create', { object: 'order', objectId: order.id, text: names('note') });
  await shop.app.wired.worker.runDue();
  return { orderNumber: order.number, subscriptionId, offerId, plans };
}

/** Moves on within the page, as a link does: nothing is loaded anew. */
export async function goTo(page: Page, address: string): Promise<void> {
  watchRequests(page);
  await page.evaluate(`history.pushState(null, '', ${JSON.stringify(address)})`);
  await settle(page);
}

/** What each page has asked for and not got yet, from the first look on. */
const asked = new WeakMap<Page, Set<Request>>();

export function watchRequests(page: Page): Set<Request> {
  const known = asked.get(page);
  if (known) return known;
  const open = new Set<Request>();
  page.on('request', (request) => open.add(request));
  page.on('requestfinished', (request) => open.delete(request));
  page.on('requestfailed', (request) => open.delete(request));
  asked.set(page, open);
  return open;
}

const BUSY = '[aria-busy="true"], [data-stale="true"], .skeleton';
const IS_DRAWN = `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(
  document.querySelector('h1') !== null && document.querySelector('${BUSY}') === null))))`;

/** Waits until the screen is drawn, and nothing is asked for any more. */
export async function settle(page: Page): Promise<void> {
  const open = watchRequests(page);
  for (;;) {
    // Most often it is: one question is cheaper than each wait.
    const isDrawn = await page.evaluate<boolean>(IS_DRAWN);
    if (isDrawn && open.size === 0) return;
    await page.locator('h1').first().waitFor();
    await page.locator(BUSY).first().waitFor({ state: 'detached' });
  }
}

const hrefsOf = (page: Page, selector: string): Promise<string[]> =>
  page.evaluate(
    `[...document.querySelectorAll(${JSON.stringify(selector)})].map((link) => link.getAttribute('href'))`,
  );

/** Addresses that no link of the navigation leads to. */
const ACCOUNT = ['/account/profile', '/account/security', '/account/sessions'];
/** Which not everybody may see, or nobody. */
const OTHERS = ['/installation', '/catalogue/nowhere/at/all', '/orders/NOSUCHNUMBER'];

interface Visit {
  look?: (screen: string) => Promise<void>;
  /** Whether to go to `OTHERS`, too. */
  isWhole?: boolean;
}

/**
 * Follows the navigation, and from each list the link of its first row; `base` is the store's address. Each row's
 * screen comes with its other tabs. Goes to each screen once, and looks at it while it is there.
 */
export async function visitScreens(
  page: Page,
  base: string,
  { look = async () => {}, isWhole = true }: Visit = {},
): Promise<string[]> {
  const visited = new Set<string>();
  const visit = async (screen: string): Promise<boolean> => {
    if (visited.has(screen)) return false;
    visited.add(screen);
    await goTo(page, screen);
    await look(screen);
    return true;
  };
  const rows = new Set<string>();
  const visitList = async (list: string) => {
    const [row] = (await visit(list)) ? await hrefsOf(page, '.list-table .row-link') : [];
    if (row) rows.add(row);
  };
  for (const section of await hrefsOf(page, '#navigation .nav-section > a')) {
    await visitList(section);
    for (const place of await hrefsOf(page, '#navigation .nav-section li a')) await visitList(place);
  }
  for (const row of rows) {
    await visit(row);
    const tabs: string[] = await page.evaluate(
      `[...document.querySelectorAll('[role="tab"]')].map((tab) => tab.id.replace('tab-', ''))`,
    );
    for (const tab of tabs.filter((name) => name !== 'overview')) await visit(`${row}?tab=${tab}`);
  }
  for (const path of [...ACCOUNT, ...(isWhole ? OTHERS : [])]) await visit(base + path);
  return [...visited];
}
