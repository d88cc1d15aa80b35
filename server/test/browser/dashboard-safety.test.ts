/** The dashboard runs nothing that it was told, asks nobody else, stands still while it loads, and leaves nothing behind. */
import { isDeepStrictEqual } from 'node:util';
import type { CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeAccount } from '../support/browser.ts';
import { createReceiver, type Receiver } from '../support/receiver.ts';
import { signIn } from './support/member.ts';
import { fillStore, goTo, LOOPBACK, settle, visitScreens } from './support/screens.ts';
import { SCRIPT_NAMES } from './support/script-names.ts';
import { openShop, type Shop } from './support/shop.ts';

const EMAIL = 'ada@first.example';
const CLS_MAX = 0.05;

let shop: Shop;
let receiver: Receiver;
let base: string;
/** What each thing of the store is called: something that would run if it were not text. */
const names = new Map<string, string>();
const nameOf = (what: string): string => {
  const name = names.get(what) ?? SCRIPT_NAMES[names.size] ?? '';
  names.set(what, name);
  return name;
};

beforeAll(async () => {
  [shop, receiver] = await Promise.all([openShop(LOOPBACK), createReceiver()]);
  await makeAccount(shop.app, { email: EMAIL, name: SCRIPT_NAMES[9], installationAdmin: true });
  base = `/dashboard/${shop.store.scope.workspaceId}/test`;
  await fillStore(shop, receiver, nameOf);
});
afterAll(async () => {
  await shop?.close();
  await receiver?.close();
});

test('D47 names that are scripts are text on every screen, which asks nobody else and breaks no rule', {
  timeout: 600_000,
}, async () => {
  const { page, leave } = await signIn(shop, EMAIL);
  const dialogs: string[] = [];
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  let text = '';
  const look = async (screen: string) => {
    text += await page.evaluate<string>('document.body.textContent');
    expect([screen, await page.evaluate('window.hit ?? null'), dialogs]).toEqual([screen, null, []]);
  };
  await visitScreens(page, base, { look });
  const shown = ['game', 'club', 'offer', 'small plan', 'checkout', 'field', 'note'].map(nameOf);
  expect(shown.filter((name) => !text.includes(name))).toEqual([]);
  await leave();
});

test('D47 no other page may frame the dashboard', async () => {
  const { context, newTab } = await shop.openBuyer();
  const page = await newTab();
  const answer = await page.request.get(`${shop.origin}/dashboard`);
  expect(answer.headers()['content-security-policy']).toContain("frame-ancestors 'none'");
  await page.setContent(`<iframe src="${shop.origin}/dashboard"></iframe>`);
  await expect
    .poll(() => page.frames().map((frame) => frame.url()))
    .toContain('chrome-error://chromewebdata/');
  await context.close();
});

/** What moved without being asked to, as the browser adds it up. */
const SHIFTS = `new Promise((done) => {
  let sum = 0;
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) sum += entry.value;
  });
  observer.observe({ type: 'layout-shift', buffered: true });
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => done(sum), 0)));
})`;

test('D48 nothing moves while a screen loads', { timeout: 600_000 }, async () => {
  const { page, leave } = await signIn(shop, EMAIL);
  const moved: Array<[string, number]> = [];
  for (const path of ['', '/orders', '/subscriptions', '/finance/reports', '/settings/business']) {
    await page.goto(shop.origin + base + path);
    await settle(page);
    moved.push([path, await page.evaluate<number>(SHIFTS)]);
  }
  expect(moved.filter(([, shift]) => shift > CLS_MAX)).toEqual([]);
  await leave();
});

/** Timers that were set and have neither come nor been cleared. */
const COUNT_TIMERS = `(() => {
  const open = new Set();
  const { setTimeout: after, clearTimeout: forget, setInterval: every, clearInterval: stop } = window;
  window.setTimeout = (work, ms, ...rest) => {
    const id = after(() => { open.delete(id); work(...rest); }, ms);
    open.add(id);
    return id;
  };
  window.clearTimeout = (id) => { open.delete(id); forget(id); };
  window.setInterval = (...all) => { const id = every(...all); open.add(id); return id; };
  window.clearInterval = (id) => { open.delete(id); stop(id); };
  window.countTimers = () => open.size;
})()`;

interface Counts {
  /** Nodes that no page shows and our scripts still hold; what the browser keeps for itself is nobody's to let go. */
  detached: number;
  /** What the page shows. */
  elements: number;
  jsEventListeners: number;
  timers: number;
}

async function count(page: Page, cdp: CDPSession): Promise<Counts> {
  // What can go goes in more than one round.
  for (let round = 0; round < 3; round += 1) await cdp.send('HeapProfiler.collectGarbage');
  const { jsEventListeners } = await cdp.send('Memory.getDOMCounters');
  const { detachedNodes } = await cdp.send('DOM.getDetachedDomNodes');
  return {
    detached: detachedNodes.length,
    elements: await page.evaluate<number>('document.querySelectorAll("*").length'),
    jsEventListeners,
    timers: await page.evaluate<number>('countTimers()'),
  };
}

/** Once nothing comes any more: what a screen says of itself to those who listen stands there a moment after it. */
async function countSteady(page: Page, cdp: CDPSession): Promise<Counts> {
  let last = await count(page, cdp);
  const isSteady = async () => {
    const before = last;
    last = await count(page, cdp);
    return isDeepStrictEqual(before, last);
  };
  await expect.poll(isSteady, { interval: 500 }).toBe(true);
  return last;
}

test('D48 after 200 navigations nothing is held that was not after 20', { timeout: 900_000 }, async () => {
  const { page, leave } = await signIn(shop, EMAIL);
  await page.addInitScript(COUNT_TIMERS);
  await page.goto(shop.origin + base);
  await settle(page);
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('DOM.enable');
  const screens = (await visitScreens(page, base)).filter((screen) => !screen.includes('?')).slice(0, 19);
  const round = async () => {
    for (const screen of screens) await goTo(page, screen);
    await goTo(page, `${base}/orders`);
  };
  await round();
  const few = await countSteady(page, cdp);
  for (let more = 0; more < 9; more += 1) await round();
  // What the last screen is still busy with goes; what is held stays.
  const listMore = async () => {
    const many = await count(page, cdp);
    return (['detached', 'elements', 'jsEventListeners', 'timers'] as const)
      .filter((name) => many[name] > few[name])
      .map((name) => `${few[name]} ${name}, then ${many[name]}`);
  };
  await expect.poll(listMore).toEqual([]);
  // It would be seen: one that is held is told of.
  await page.evaluate('window.held = document.createElement("p")');
  expect((await count(page, cdp)).detached).toBeGreaterThan(few.detached);
  await leave();
});
