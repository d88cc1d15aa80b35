/** People at the dashboard in a real browser, by the names that assistive tools see. */
import type { BrowserContext, Page } from 'playwright-core';
import { expect } from 'vitest';
import { PASSWORD } from '../../support/browser.ts';
import type { BuyerOptions } from './browser.ts';
import type { Shop } from './shop.ts';

export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
export const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name });
export const dialog = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true });

/** A browser of its own, in which somebody stands at the dashboard; whatever its pages did wrong fails the test. */
export async function openPerson(
  shop: Shop,
  email: string,
  options: Omit<BuyerOptions, 'origin'> = {},
): Promise<{ context: BrowserContext; page: Page; close(): Promise<void> }> {
  const { context, problems, newTab } = await shop.openBuyer(options);
  const page = await newTab();
  await signIn(shop, page, email);
  await page.locator('#navigation').waitFor({ state: 'attached' });
  return {
    context,
    page,
    close: async () => {
      expect(problems).toEqual([]);
      await context.close();
    },
  };
}

/** The form of the sign-in; a second step may follow. */
export async function signIn(shop: Shop, page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.goto(`${shop.origin}/dashboard`);
  await page.locator('input[name="email"]').fill(email);
  await page.locator('input[name="password"]').fill(password);
  await page.keyboard.press('Enter');
}

/** "Lock" of the account's menu: the next sensitive step asks who it is. */
export async function lock(page: Page): Promise<void> {
  await button(page, 'Account').click();
  await page.getByRole('menuitem', { name: 'Lock' }).click();
  await page.getByText('Locked:').first().waitFor();
}

/** Answers "Confirm it is you" with the password. */
export async function confirmPassword(page: Page): Promise<void> {
  const asked = dialog(page, 'Confirm it is you');
  await asked.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await asked.getByRole('button', { name: 'Confirm', exact: true }).click();
  await asked.waitFor({ state: 'detached' });
}
