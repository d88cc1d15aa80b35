/**
 * `npm run bench:pages [-- --short]`: how fast the checkout stands and answers in Chromium, of the demo shop: as it comes
 * from this machine, and over a slow 4G line with a quarter of the CPU. Each page load is a browser's first one. Then what the
 * buyers' portal answers in, beside the merchant's requests.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { chromium } from 'playwright-core';
import { createApi } from './api.mjs';
import { startService, stop } from './children.mjs';
import { printPortal } from './portal.mjs';
import { isShort, runBench } from './run-bench.mjs';
import { createStore } from './store.mjs';

const ROUNDS = isShort ? 1 : 9;
const PATIENCE_MS = 60_000;
const SLOW_4G = { latency: 150, throughputBitsPerSecond: 1_600_000, cpuDivisor: 4 };
const PHONE = { width: 375, height: 740 };
/** An interaction that is answered within a frame is not reported below this. */
const EVENT_FLOOR_MS = 16;

/** Runs in every page before its own scripts, and keeps what the browser tells. Times are ms since the navigation. */
const WATCH = `
  window.seen = { lcp: 0, cls: 0, inp: 0, usable: 0 };
  const watch = (type, take, options) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true, ...options });
  watch('largest-contentful-paint', (entry) => { seen.lcp = entry.startTime; });
  watch('layout-shift', (entry) => { if (!entry.hadRecentInput) seen.cls += entry.value; });
  watch('event', (entry) => { if (entry.interactionId) seen.inp = Math.max(seen.inp, entry.duration); },
    { durationThreshold: ${EVENT_FLOOR_MS} });
  const look = () => {
    if (document.querySelector('.submit button:not(:disabled)')) seen.usable = performance.now();
    else requestAnimationFrame(look);
  };
  look();
`;

await runBench(main);

async function main(dataDir) {
  const store = await createStore();
  const service = await startService({ databaseUrl: store.url, dataDir, env: { SEED_DEMO: 'true' } });
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu'],
  });
  try {
    const { test } = JSON.parse(readFileSync(path.join(dataDir, 'credentials.json'), 'utf8'));
    const page = `${service.origin}/checkout/${await findOffer(service.origin, test)}`;
    // The first answer of a process is no buyer's usual one.
    await load(browser, page, null);
    const [here, slow, bought] = [[], [], []];
    for (let round = 0; round < ROUNDS; round++) {
      here.push(await load(browser, page, null));
      slow.push(await load(browser, page, SLOW_4G));
      bought.push(await buy(browser, page, `buyer${round}@example.com`));
    }
    console.log(`the checkout on a phone, ${ROUNDS} first loads each; medians, with the worst in brackets`);
    print('LCP from this machine, ms', here, ({ lcp }) => lcp, 500);
    print('LCP on slow 4G, ms', slow, ({ lcp }) => lcp, 1_500);
    print('button usable on slow 4G, ms', slow, ({ usable }) => usable, 1_800);
    print(`INP over a purchase, ms (below ${EVENT_FLOOR_MS} is 0)`, bought, ({ inp }) => inp, 100);
    print('CLS over a purchase, thousandths', bought, ({ cls }) => cls * 1000, 10);
    await printPortal({ origin: service.origin, keys: test, rounds: isShort ? 2 : 40 });
  } finally {
    await browser.close();
    await stop(service.child);
  }
}

async function findOffer(origin, keys) {
  const { offers } = await createApi(origin, keys)('GET', '/v0/offers/list');
  const offer = offers.find(({ name }) => name === 'Nebula Drift');
  if (!offer) throw new Error('the demo shop has no game');
  return offer.id;
}

/** A browser that was never here; `line` null = nothing between it and this machine. */
async function open(browser, url, line) {
  const context = await browser.newContext({
    ...{ viewport: PHONE, timezoneId: 'Europe/Berlin', locale: 'en-US' },
    // What is asked of the page from here is evaluated in it.
    bypassCSP: true,
  });
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  await page.addInitScript(WATCH);
  if (line) {
    const wire = await context.newCDPSession(page);
    const throughput = line.throughputBitsPerSecond / 8;
    await wire.send('Network.enable');
    await wire.send('Network.emulateNetworkConditions', {
      ...{ offline: false, latency: line.latency },
      ...{ downloadThroughput: throughput, uploadThroughput: throughput },
    });
    await wire.send('Emulation.setCPUThrottlingRate', { rate: line.cpuDivisor });
  }
  await page.goto(url);
  await page.waitForFunction('seen.usable > 0 && seen.lcp > 0');
  return page;
}

async function load(browser, url, line) {
  const page = await open(browser, url, line);
  await page.waitForLoadState('networkidle');
  return close(page);
}

async function buy(browser, url, email) {
  const page = await open(browser, url, null);
  const field = (name) => page.getByRole('textbox', { name, exact: true });
  await field('Email').pressSequentially(email);
  await field('Card number').pressSequentially('4242424242424242');
  await field('Expiry').pressSequentially('1235');
  await field('CVC').pressSequentially('123');
  await page.locator('.submit button[aria-busy="false"]').click();
  await page.getByRole('heading', { level: 1, name: 'Thank you' }).waitFor();
  return close(page);
}

async function close(page) {
  const seen = await page.evaluate('seen');
  await page.context().close();
  return seen;
}

function print(name, rounds, read, budget) {
  const sorted = rounds.map(read).sort((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)];
  const show = (value) => value.toFixed(value < 10 ? 1 : 0);
  const figures = `${show(median)} (${show(sorted.at(-1))})`;
  console.log(`  ${name.padEnd(44)}${figures.padStart(16)}   budget ${budget}`);
}
