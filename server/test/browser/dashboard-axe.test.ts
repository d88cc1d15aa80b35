/** Every screen of the dashboard for every eye and size: axe finds nothing. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeAccount } from '../support/browser.ts';
import { createReceiver, type Receiver } from '../support/receiver.ts';
import { findViolations } from './support/axe.ts';
import { DESKTOP, PHONE } from './support/browser.ts';
import { signIn } from './support/member.ts';
import { fillStore, goTo, LOOPBACK, settle, visitScreens } from './support/screens.ts';
import { openShop, type Shop } from './support/shop.ts';

const EMAIL = 'ada@first.example';
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** What of a screen another theme can change. */
const COLOURS = ['color-contrast'];

let shop: Shop;
let receiver: Receiver;
let base: string;
beforeAll(async () => {
  [shop, receiver] = await Promise.all([openShop(LOOPBACK), createReceiver()]);
  await makeAccount(shop.app, { email: EMAIL, name: 'Ada', installationAdmin: true });
  base = `/dashboard/${shop.store.scope.workspaceId}/test`;
  await fillStore(shop, receiver);
});
afterAll(async () => {
  await shop?.close();
  await receiver?.close();
});

async function lookIn(page: Page, colorScheme: 'light' | 'dark'): Promise<string[]> {
  // A colour on its way to the other theme's is neither.
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  await settle(page);
  const violations = await findViolations(
    page,
    colorScheme === 'light' ? { tags: RULES } : { rules: COLOURS },
  );
  return violations.map(({ id, html }) => `${colorScheme} ${id} ${html.length} ${html[0]}`);
}

/** Three quarters of a minute on two quiet cores; several on busy ones. */
const LONG = { timeout: 600_000 };

interface Looking extends Awaited<ReturnType<typeof signIn>> {
  viewport: { width: number; height: number };
}

/** What is wrong with a screen at this size. */
async function lookAt({ page, viewport }: Looking, screen: string): Promise<string[]> {
  const found = [...(await lookIn(page, 'light')), ...(await lookIn(page, 'dark'))];
  const findings = found.map((finding) => `${screen} ${viewport.width} ${finding}`);
  const [width, headings] = await page.evaluate<[number, number]>(
    `[document.documentElement.scrollWidth, document.querySelectorAll('h1').length]`,
  );
  if (width > viewport.width) findings.push(`${screen} is ${width} wide on ${viewport.width}`);
  if (headings !== 1) findings.push(`${screen} has ${headings} headings of the first level`);
  return findings;
}

test('D44 axe finds nothing on any screen, light and dark, on desk and phone', LONG, async () => {
  // Each in a browser context of its own, so that one waits for its screen while the other is looked at: the desk finds
  // them, and the phone comes behind it.
  const open = async (viewport: Looking['viewport']) => ({ viewport, ...(await signIn(shop, EMAIL)) });
  const [desk, phone] = [await open(DESKTOP), await open(PHONE)];
  await desk.page.setViewportSize(DESKTOP);
  await phone.page.setViewportSize(PHONE);
  const findings: string[] = [];
  let behind = Promise.resolve();
  const look = async (screen: string) => {
    behind = behind.then(async () => {
      await goTo(phone.page, screen);
      findings.push(...(await lookAt(phone, screen)));
    });
    findings.push(...(await lookAt(desk, screen)));
  };
  const screens = await visitScreens(desk.page, base, { look });
  await behind;
  expect(screens.length).toBeGreaterThan(45);
  expect(findings).toEqual([]);
  for (const { leave } of [desk, phone]) await leave();
});
