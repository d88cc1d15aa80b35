/** The checkout as a part of a shop's page: its height, the bank's page beside it, React, and narrowed sites. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import ts from 'typescript';
import { build } from 'vite';
import { beforeEach, describe, expect, it } from 'vitest';
import { makeOffer } from '../support/make-catalogue.ts';
import { CARDS, field, fillIn, pay, payButton, settlePrice, thanks } from './support/checkout.ts';
import { openCheckout, openSellingSite } from './support/selling-site.ts';
import { listOrders } from './support/shop.ts';
import { checkoutIn, frameIn, waitForEvent } from './support/shop-page.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const at = openSellingSite();
let page: Page;
beforeEach(async () => {
  page = await at.openTab();
});

const container = () =>
  `<div id="shop" data-svc-checkout-url="${at.checkoutUrl}" data-svc-mode="embed"></div>`;
const openIn = (body: string) => openCheckout(page, at.show(body));

describe('the container', () => {
  it.each([320, 700, 1200])('S38 is as high as what it holds, at %i px', async (width) => {
    await page.setViewportSize({ width, height: 700 });
    await openIn(container());
    const checkout = checkoutIn(page);
    const frame = await frameIn(page);
    const fits = async () => {
      await expect
        .poll(() =>
          frame.evaluate(
            'Math.ceil(document.getElementById("app").getBoundingClientRect().height) - innerHeight',
          ),
        )
        .toBe(0);
      expect(await frame.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
      expect(await frame.evaluate('document.documentElement.scrollHeight <= innerHeight')).toBe(true);
    };
    await field(checkout, 'Email').waitFor();
    await fits();
    await payButton(checkout).click();
    await checkout.getByText('Enter your email address.').waitFor();
    await fits();
    await checkout.getByRole('checkbox').check();
    await field(checkout, 'Company name').waitFor();
    await fits();
    await checkout.getByRole('checkbox').uncheck();
    await fillIn(checkout, { email: `w${width}@example.com` });
    await pay(checkout);
    await thanks(checkout).waitFor();
    await fits();
    const top = () => page.evaluate('document.querySelector("iframe").getBoundingClientRect().top');
    await expect.poll(top).toBeGreaterThan(-200);
  });

  it('S38 rests where nothing changes', async () => {
    await page.addInitScript(`{
      window.heights = 0;
      const { get, set } = Object.getOwnPropertyDescriptor(MessagePort.prototype, 'onmessage');
      Object.defineProperty(MessagePort.prototype, 'onmessage', {
        get,
        set(listener) {
          set.call(this, (event) => {
            if (event.data.type === 'height') window.heights += 1;
            listener(event);
          });
        },
      });
    }`);
    await openIn(container());
    await field(checkoutIn(page), 'Email').waitFor();
    const heights = () => page.evaluate('window.heights') as Promise<number>;
    await expect.poll(heights).toBeGreaterThan(0);
    const before = await heights();
    await page.evaluate('new Promise((resolve) => setTimeout(resolve, 5_000))');
    expect((await heights()) - before).toBeLessThanOrEqual(3);
  });

  it('S38 tells of no fault where the page took its container out, and shows it once it is put in again', async () => {
    await page.clock.install();
    await page.goto(at.show('<main></main>'));
    await page.waitForFunction('window.Counterfoil');
    await page.evaluate(`{
      window.faults = [];
      document.addEventListener('counterfoil:checkout:error', ({ detail }) => faults.push(detail.code));
      window.shop = document.createElement('div');
      document.querySelector('main').append(shop);
      window.checkout = Counterfoil.Checkout.mount(shop, { checkoutUrl: '${at.checkoutUrl}' });
      shop.remove();
    }`);
    await page.clock.fastForward(60_000);
    expect(await page.evaluate('[checkout.state, ...faults]')).toEqual(['loading']);
    await page.evaluate("document.querySelector('main').append(shop)");
    await field(checkoutIn(page), 'Email').waitFor();
    expect(await page.evaluate('checkout.ready.then(() => [checkout.state, ...faults])')).toEqual(['open']);
  });

  it('S39 buys where third-party cookies are blocked', async () => {
    const session = await page.context().newCDPSession(page);
    await session.send(
      'Network.setCookieControls' as never,
      {
        enableThirdPartyCookieRestriction: true,
        disableThirdPartyCookieMetadata: true,
        disableThirdPartyCookieHeuristics: true,
      } as never,
    );
    await openIn(container());
    await fillIn(checkoutIn(page), { email: 'third@example.com' });
    await pay(checkoutIn(page));
    await thanks(checkoutIn(page)).waitFor();
    expect(await waitForEvent(page, 'complete')).toMatchObject({ status: 'paid' });
  });
});

describe('the bank', () => {
  it('S43 opens in a window of its own, which closes, and the frame finds the result', async () => {
    await openIn(at.buyLink());
    const checkout = checkoutIn(page);
    await fillIn(checkout, { email: 'bank@example.com', card: CARDS.authenticates });
    await settlePrice(checkout);
    const [bank] = await Promise.all([page.waitForEvent('popup'), payButton(checkout).click()]);
    const gone = bank.waitForEvent('close');
    await bank.getByRole('button', { name: 'Complete authentication' }).click();
    await gone;
    await thanks(checkout).waitFor();
    expect(await waitForEvent(page, 'complete')).toMatchObject({ status: 'paid' });
    expect(await listOrders(at.shop, 'bank@example.com')).toMatchObject([{ status: 'PAID' }]);
  });

  it('S43 takes the whole page where no window opens, and leads back with the order', async () => {
    await page.context().addInitScript('window.open = () => null');
    await openIn(at.buyLink());
    const checkout = checkoutIn(page);
    await fillIn(checkout, { email: 'whole@example.com', card: CARDS.authenticates });
    await settlePrice(checkout);
    await payButton(checkout).click();
    await page.getByRole('button', { name: 'Complete authentication' }).click();
    await page.waitForURL((url) => url.origin === at.site.origin);
    const [order] = await listOrders(at.shop, 'whole@example.com');
    expect(new URL(page.url()).searchParams.get('svc-order-id')).toBe(order?.id);
    expect(order?.status).toBe('PAID');
    // The window is there again, and tells the page of it.
    expect(await waitForEvent(page, 'complete')).toMatchObject({ orderId: order?.id });
  });

  it('leads nobody to a page that is not listed', async () => {
    const answer = await fetch(`${at.checkoutUrl}?svc-return-url=https://evil.example/`, {
      redirect: 'follow',
    });
    const text = await answer.text();
    expect(text).not.toContain('"returnUrl":"https://evil.example');
  });
});

describe('who may show it', () => {
  it('is the setting, narrowed by the element, and pages of the own machine in test mode alone', async () => {
    const ask = async (url: string, origin: string) => {
      const answer = await fetch(`${url}?svc-frame=overlay&svc-origin=${encodeURIComponent(origin)}`);
      const policy = answer.headers.get('content-security-policy') ?? '';
      return {
        ancestors: /frame-ancestors (.*)$/.exec(policy)?.[1] ?? '',
        options: answer.headers.get('x-frame-options'),
        isolation: answer.headers.get('cross-origin-embedder-policy'),
        isTold: (await answer.text()).includes(`"origin":"${origin}"`),
      };
    };
    const live = at.shop.app.live;
    await live.patch('/v0/settings/update', { authorizedDomains: ['https://a.example', '*.b.example'] });
    const offersIds = [await makeOffer(live, { name: 'Rocket' })];
    const { body } = await live.post('/v0/elements/checkout/create', {
      offersIds,
      allowedOrigins: ['https://x.b.example'],
    });
    const element = `${at.shop.origin}/checkout-element/${body.data.checkoutElement.id}`;
    expect(await ask(`${at.shop.origin}/checkout/${offersIds[0]}`, 'https://a.example')).toEqual({
      ancestors: 'https://a.example *.b.example',
      options: null,
      isolation: 'require-corp',
      isTold: true,
    });
    expect(await ask(element, 'https://x.b.example')).toMatchObject({
      ancestors: 'https://x.b.example',
      isTold: true,
    });
    expect(await ask(element, 'https://a.example')).toMatchObject({ isTold: false });
    expect(await ask(element, at.site.origin)).toMatchObject({ isTold: false });
    expect((await ask(at.checkoutUrl, at.site.origin)).ancestors).toContain(at.site.origin);
  });
});

describe('the package', () => {
  it('S42 shows one frame in strict mode, and opens from a button', async () => {
    const source = `
      import { StrictMode, createElement as h } from 'react';
      import { createRoot } from 'react-dom/client';
      import { Checkout, CheckoutButton } from '@counterfoil/embed/react';
      const checkoutUrl = '${at.checkoutUrl}';
      const onComplete = (detail) => window.completed.push(detail);
      window.completed = [];
      createRoot(document.getElementById('root')).render(
        h(StrictMode, null,
          h(Checkout, { checkoutUrl, onComplete }),
          h(CheckoutButton, { checkoutUrl }, 'Buy now')));`;
    at.site.show('/app.js', await bundle(source));
    const body = '<div id="root"></div><script type="module" src="/app.js"></script>';
    await page.goto(
      at.site.show(
        '/react',
        `<!doctype html><meta charset="utf-8"><script src="/events.js"></script>${body}`,
      ),
    );
    await waitForEvent(page, 'loaded');
    await expect.poll(() => page.locator('iframe').count()).toBe(1);
    const checkout = checkoutIn(page);
    await fillIn(checkout, { email: 'react@example.com' });
    await pay(checkout);
    await thanks(checkout).waitFor();
    await expect.poll(() => page.evaluate('window.completed.length')).toBe(1);
    await page.getByRole('button', { name: 'Buy now' }).click();
    await page.getByRole('dialog', { name: 'Checkout' }).waitFor();
    await expect.poll(() => page.locator('dialog iframe').count()).toBe(1);
  });

  it('S42 is imported on a server, where it does nothing, and its sample has types', async () => {
    const built = pathToFileURL(join(ROOT, 'embed/dist/load-counterfoil.js')).href;
    const { loadCounterfoil } = await import(built);
    expect(await loadCounterfoil(at.shop.origin)).toBe(null);
    const sample = await readSample();
    expect(await listTypeErrors(sample)).toEqual([]);
    expect(await listTypeErrors(sample.replace('orderNumber', 'orderNunber'))).not.toEqual([]);
  });
});

/** The code of the guide for React. */
async function readSample(): Promise<string> {
  const guide = await readFile(join(ROOT, 'docs/guides/checkout-in-react.md'), 'utf8');
  const [, code = ''] = /```tsx[^\n]*\n([\s\S]*?)```/.exec(guide) ?? [];
  return code;
}

async function inFolder<T>(name: string, text: string, use: (file: string) => Promise<T>): Promise<T> {
  // Within the repository, so that its packages are found.
  const folder = await mkdtemp(join(ROOT, 'web/dist/.sample-'));
  try {
    await writeFile(join(folder, name), text);
    return await use(join(folder, name));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function bundle(source: string): Promise<string> {
  return inFolder('app.js', source, async (file) => {
    const built = await build({
      configFile: false,
      logLevel: 'error',
      root: ROOT,
      publicDir: false,
      define: { 'process.env.NODE_ENV': '"development"' },
      build: { write: false, minify: false, lib: { entry: file, formats: ['es'] } },
    });
    // One output of one chunk, as it was asked for.
    const [first] = [built].flat() as unknown as Array<{ output: Array<{ code: string }> }>;
    return first?.output[0]?.code ?? '';
  });
}

function listTypeErrors(source: string): Promise<string[]> {
  return inFolder('sample.tsx', source, async (file) => {
    const program = ts.createProgram([file], {
      strict: true,
      noEmit: true,
      jsx: ts.JsxEmit.ReactJSX,
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      target: ts.ScriptTarget.ES2022,
      skipLibCheck: false,
      types: [],
    });
    return ts
      .getPreEmitDiagnostics(program)
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
  });
}
