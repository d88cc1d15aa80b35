/** A member who is signed in to the dashboard, by the names that assistive tools see. */

import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { PASSWORD } from '../../support/browser.ts';
import type { BuyerOptions } from './browser.ts';
import { watchRequests } from './screens.ts';
import type { Shop } from './shop.ts';

export interface SignedIn {
  page: Page;
  problems: readonly string[];
  /** Another tab of the same browser. */
  newTab(): Promise<Page>;
  /** What the pages did wrong fails the test here; then the browser is closed. */
  leave(): Promise<void>;
}

export async function signIn(
  shop: Shop,
  email: string,
  options: Omit<BuyerOptions, 'origin'> = {},
): Promise<SignedIn> {
  const { context, problems, newTab } = await shop.openBuyer(options);
  const page = await newTab();
  watchRequests(page);
  await page.goto(`${shop.origin}/dashboard`);
  await page.locator('input[name="email"]').fill(email);
  await page.locator('input[name="password"]').fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.locator('#navigation').waitFor({ state: 'attached' });
  const leave = async () => {
    expect(problems).toEqual([]);
    await context.close();
  };
  return { page, problems, newTab, leave };
}

export const button = (at: Page | Locator, name: string | RegExp): Locator =>
  at.getByRole('button', { name, exact: true });
export const heading = (page: Page, name: string | RegExp): Locator =>
  page.getByRole('heading', { level: 1, name });
