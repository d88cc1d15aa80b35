/** Chromium as a buyer's browser that writes down everything a page must not do. */
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';

/** This machine by a name that browsers do not take for it, as from another machine of the house. */
export const HOUSE = 'shop.house.example';

const ARGUMENTS = [
  `--host-resolver-rules=MAP ${HOUSE} localhost`,
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
/** How long a page may take for what it is asked; a machine shared by others is slow. */
const PATIENCE_MS = 60_000;

export const PHONE = { width: 375, height: 740 };
export const SMALL_PHONE = { width: 320, height: 640 };
export const DESKTOP = { width: 1280, height: 900 };

let opened: Promise<Browser> | null = null;

/** One for all files that a process runs, each of which leaves none of its tabs behind: see `closeTabs`. */
export function openBrowser(): Promise<Browser> {
  opened ??= chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: ARGUMENTS,
  });
  return opened;
}

export async function closeTabs(browser: Browser): Promise<void> {
  await Promise.all(browser.contexts().map((context) => context.close()));
}

export interface BuyerOptions {
  origin: string;
  viewport?: { width: number; height: number };
  colorScheme?: 'light' | 'dark';
  locale?: string;
  /** Where the browser's clock is from. */
  timezoneId?: string;
}

/** One buyer: tabs that share nothing with another buyer's. */
export interface Buyer {
  context: BrowserContext;
  /** Script errors, violations of the page's policy, and requests that left our origin, of all tabs. */
  problems: string[];
  newTab(): Promise<Page>;
}

export async function openBuyer(browser: Browser, options: BuyerOptions): Promise<Buyer> {
  const context = await browser.newContext({
    viewport: options.viewport ?? DESKTOP,
    colorScheme: options.colorScheme ?? 'light',
    locale: options.locale ?? 'en-US',
    ...(options.timezoneId === undefined ? {} : { timezoneId: options.timezoneId }),
    reducedMotion: 'reduce',
    serviceWorkers: 'block',
  });
  context.setDefaultTimeout(PATIENCE_MS);
  const problems: string[] = [];
  watch(context, options.origin, problems);
  return { context, problems, newTab: () => context.newPage() };
}

function watch(context: BrowserContext, origin: string, problems: string[]): void {
  context.on('request', (request) => {
    const url = new URL(request.url());
    if (url.origin !== origin && url.protocol !== 'data:') problems.push(`request to ${url.href}`);
  });
  context.on('response', (response) => {
    const isAsset = new URL(response.url()).pathname.startsWith('/assets/');
    if (response.status() >= 500 || (isAsset && response.status() >= 400)) {
      problems.push(`${response.status()} for ${response.url()}`);
    }
  });
  context.on('weberror', (event) => problems.push(`script error: ${event.error().message}`));
  context.on('console', (message) => {
    // Chromium reports every refusal of the API as an error of its own; those that matter are seen above.
    if (message.text().startsWith('Failed to load resource')) return;
    if (['error', 'warning'].includes(message.type())) problems.push(`console: ${message.text()}`);
  });
}
