/** A shop's own page on another origin, with a policy as strict as a shop's can be, that opens the checkout. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Frame, FrameLocator, Page } from 'playwright-core';
import { expect } from 'vitest';

export interface ShopSite {
  origin: string;
  /** What is answered under a path from now on. */
  show(path: string, body: string, headers?: Record<string, string>): string;
  close(): Promise<void>;
}

/** `host` is another of the machine's own addresses, so that the site is another one than the service's. */
export async function openSite(host = '127.0.0.2'): Promise<ShopSite> {
  const pages = new Map<string, { body: string; headers: Record<string, string> }>();
  const server: Server = createServer((request, response) => {
    const page = pages.get((request.url ?? '').split('?')[0] ?? '');
    const type = request.url?.endsWith('.js') ? 'text/javascript' : 'text/html; charset=utf-8';
    response.writeHead(page ? 200 : 404, { 'content-type': type, ...page?.headers });
    response.end(page?.body ?? '');
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const origin = `http://${host}:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    show(path, body, headers = {}) {
      pages.set(path, { body, headers });
      return origin + path;
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** What `guides` ask of a shop that has a policy, and the strictest of what they allow beside it. */
export const strictPolicy = (payOrigin: string) =>
  `default-src 'none'; script-src ${payOrigin}/embed/ 'self'; frame-src ${payOrigin}; style-src 'none'; ` +
  "require-trusted-types-for 'script'; trusted-types 'none'; base-uri 'none'";

export const ISOLATED = {
  'cross-origin-embedder-policy': 'require-corp',
  'cross-origin-opener-policy': 'same-origin',
};

interface PageParts {
  payOrigin: string;
  body: string;
  script?: string;
  /** A script of the shop's own. */
  own?: string;
}

/** A page of some length, which loads the script and writes down every event. */
export function toShopPage({ payOrigin, body, script = '/embed/v1.js', own }: PageParts): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Shop</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<script src="/events.js"></script><script src="${payOrigin}${script}" async></script></head>
<body><h1>Shop</h1><p><a href="#before">Before</a></p>${body}
${own ? `<script src="${own}"></script>` : ''}<div id="tall"></div><p><a href="#after">After</a></p></body></html>`;
}

export const EVENTS_SCRIPT = `
window.told = [];
window.violations = [];
for (const type of ['loaded', 'change', 'submit', 'decline', 'complete', 'close', 'error']) {
  document.addEventListener('counterfoil:checkout:' + type, ({ detail }) => told.push([type, detail]));
}
document.addEventListener('securitypolicyviolation', (event) => violations.push(event.violatedDirective + ' ' + event.blockedURI));
`;

export type Told = Array<[string, Record<string, unknown> | null]>;

export const toldOn = (page: Page): Promise<Told> => page.evaluate('window.told') as Promise<Told>;

export async function waitForEvent(page: Page, type: string): Promise<Record<string, unknown> | null> {
  await until(page, `window.told.some(([type]) => type === '${type}')`);
  const found = (await toldOn(page)).find(([told]) => told === type);
  return found?.[1] ?? null;
}

/** Asks again until it is so: a page with a strict policy may not be waited in by a script of its own. */
export async function until(page: Page, condition: string): Promise<void> {
  await expect.poll(() => page.evaluate(condition), { timeout: 60_000, interval: 50 }).toBe(true);
}

export const isLoaded = (page: Page): Promise<void> => until(page, 'window.Counterfoil !== undefined');

export const checkoutIn = (page: Page): FrameLocator => page.frameLocator('iframe[title="Checkout"]');

/** The frame's own document. */
export async function frameIn(page: Page): Promise<Frame> {
  const element = await page.locator('iframe[title="Checkout"]').elementHandle();
  const frame = await element?.contentFrame();
  if (!frame) throw new Error('the page has no frame with a checkout');
  return frame;
}
