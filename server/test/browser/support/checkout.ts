/** What a buyer does on the checkout page, by the names that assistive tools see. */
import type { Locator, Page } from 'playwright-core';

export const CARDS = {
  visa: '4242424242424242',
  declined: '4000000000000002',
  authenticates: '4000002500003155',
  unknownFirst: '4000000000000119',
};

type Surface = Pick<Page, 'getByRole' | 'locator'>;

export const field = (page: Surface, name: string): Locator =>
  page.getByRole('textbox', { name, exact: true });
export const choice = (page: Surface, name: string): Locator =>
  page.getByRole('combobox', { name, exact: true });
export const payButton = (page: Surface): Locator => page.getByRole('button', { name: /^Pay/ });
export const thanks = (page: Surface): Locator => page.getByRole('heading', { level: 1, name: 'Thank you' });

export interface Purchase {
  email?: string;
  country?: string;
  card?: string;
  expiry?: string;
}

/** Fills in everything that a German buyer of a one-time offer is asked for. */
export async function fillIn(page: Surface, purchase: Purchase = {}): Promise<void> {
  await field(page, 'Email').fill(purchase.email ?? 'ada@example.com');
  await choice(page, 'Country').selectOption(purchase.country ?? 'DE');
  await fillCard(page, purchase);
}

export async function fillCard(page: Surface, { card = CARDS.visa, expiry = '12/35' }: Purchase = {}) {
  await field(page, 'Card number').fill(card);
  await field(page, 'Expiry').fill(expiry);
  await field(page, 'CVC').fill('123');
}

/** Presses the button once the price of what was filled in is there. */
export async function pay(page: Surface): Promise<void> {
  await settlePrice(page);
  await payButton(page).click();
}

/** On a phone quantities, sums and the field for a code lie folded. */
export async function unfold(page: Page): Promise<void> {
  for (const name of [/^Your order/, /^Add discount code/]) {
    const fold = page.getByRole('button', { name, expanded: false });
    if (await fold.isVisible()) await fold.click();
  }
}

/** Waits until the page shows the price of what it holds. */
export async function settlePrice(page: Surface): Promise<void> {
  await page.locator('.submit button[aria-busy="false"]').waitFor();
}

/** The order number on the receipt. */
export async function orderNumberOf(page: Surface): Promise<string> {
  await thanks(page).waitFor();
  const number = page.locator('.facts div', { hasText: 'Order' }).locator('dd');
  return (await number.first().textContent()) ?? '';
}
