/** What the dashboard's screens take in Chromium, of the store that the bench has filled; and what they leave behind. */
import { chromium } from 'playwright-core';

const DESK = { width: 1280, height: 800 };
const PATIENCE_MS = 60_000;
/** Runs in every page before its own scripts. Times are ms since the navigation. */
const WATCH = `
  window.seen = { lcp: 0, cls: 0 };
  const watch = (type, take) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true });
  watch('largest-contentful-paint', (entry) => { seen.lcp = entry.startTime; });
  watch('layout-shift', (entry) => { if (!entry.hadRecentInput) seen.cls += entry.value; });
`;
const PLACES = ['Orders', 'Customers', 'Subscriptions', 'Home'];

/** `size`: `{loads, navigations}`. */
export async function printScreens({ origin, workspaceId, owner, size }) {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu'],
  });
  try {
    const base = `${origin}/dashboard/${workspaceId}/test`;
    const storageState = await signIn(browser, { origin, owner });
    const open = async () => {
      const context = await browser.newContext({ viewport: DESK, storageState });
      context.setDefaultTimeout(PATIENCE_MS);
      await context.addInitScript(WATCH);
      return context.newPage();
    };
    console.log(
      `the dashboard's screens, ${size.loads} first loads each; medians, with the worst in brackets`,
    );
    for (const [name, path] of [
      ['Home', ''],
      ['orders', '/orders'],
    ]) {
      const loads = [];
      for (let count = 0; count < size.loads; count += 1) loads.push(await load(open, `${base}${path}`));
      print(
        `LCP of ${name}, ms`,
        loads.map(({ lcp }) => lcp),
        1_000,
      );
      print(
        `CLS of ${name}, thousandths`,
        loads.map(({ cls }) => cls * 1000),
        50,
      );
    }
    const filters = [];
    for (let count = 0; count < size.loads; count += 1) filters.push(await filter(open, `${base}/orders`));
    print('a filter of orders, until it is painted, ms', filters, 400);
    await printHeap(open, { base, navigations: size.navigations });
  } finally {
    await browser.close();
  }
}

async function signIn(browser, { origin, owner }) {
  const context = await browser.newContext({ viewport: DESK });
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  await page.goto(`${origin}/dashboard`);
  await page.locator('input[name="email"]').fill(owner.email);
  await page.locator('input[name="password"]').fill(owner.password);
  await page.keyboard.press('Enter');
  await page.locator('#navigation').waitFor({ state: 'attached' });
  const state = await context.storageState();
  await context.close();
  return state;
}

/** Of a browser that was never here. */
async function load(open, url) {
  const page = await open();
  await page.goto(url);
  await page.locator('#navigation').waitFor({ state: 'attached' });
  await page.waitForLoadState('networkidle');
  const seen = await page.evaluate('seen');
  await page.context().close();
  return seen;
}

/** From the press on "Apply" to the frame behind the answer. */
async function filter(open, url) {
  const page = await open();
  await page.goto(url);
  await page.waitForLoadState('networkidle');
  await page.getByRole('button', { name: 'Add filter', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Status', exact: true }).click();
  const asked = page.getByRole('dialog', { name: 'Status', exact: true });
  await asked.getByRole('checkbox', { name: 'Paid', exact: true }).check();
  const answered = page.waitForResponse((response) => response.url().includes('statuses=PAID'));
  const startedMs = performance.now();
  await asked.getByRole('button', { name: 'Apply', exact: true }).click();
  await answered;
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  const tookMs = performance.now() - startedMs;
  await page.context().close();
  return tookMs;
}

async function printHeap(open, { base, navigations }) {
  const page = await open();
  await page.goto(base);
  const wire = await page.context().newCDPSession(page);
  await wire.send('HeapProfiler.enable');
  const readMb = async () => {
    await wire.send('HeapProfiler.collectGarbage');
    const { usedSize } = await wire.send('Runtime.getHeapUsage');
    return usedSize / 1_000_000;
  };
  const walk = async (count) => {
    for (let step = 0; step < count; step += 1) {
      const name = PLACES[step % PLACES.length];
      await page.locator('#navigation').getByRole('link', { name, exact: true }).click();
      await page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
    }
  };
  await walk(PLACES.length * 2);
  const before = await readMb();
  await walk(navigations);
  const after = await readMb();
  await page.context().close();
  printLine(`heap after ${navigations} navigations, MB`, after.toFixed(1), 60);
  printLine('and its growth, MB', (after - before).toFixed(1), 10);
}

function print(name, values, budget) {
  const sorted = values.toSorted((a, b) => a - b);
  const show = (value) => value.toFixed(value < 10 ? 1 : 0);
  const figures = `${show(sorted[Math.floor(sorted.length / 2)])} (${show(sorted.at(-1))})`;
  printLine(name, figures, budget);
}

function printLine(name, figures, budget) {
  console.log(`  ${name.padEnd(52)}${figures.padStart(12)}   budget ${budget}`);
}
