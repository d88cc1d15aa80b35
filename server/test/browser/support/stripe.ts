/** A shop whose pages are paid over an account at Stripe's stand-in, and what a buyer does in the fields of that. */
import type { FrameLocator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { type StripeAccount, type StripeDouble, startStripeDouble } from '../../support/stripe-double.ts';
import { payButton, settlePrice } from './checkout.ts';
import { openShop, type Shop } from './shop.ts';

export const FIELDS_FRAME = 'iframe[title="Secure payment input frame"]';

export interface StripeShop {
  shop: Shop;
  double: StripeDouble;
  account: StripeAccount;
  processorId: string;
  /** What was taken, charge by charge. */
  listTaken(): Promise<number[]>;
  close(): Promise<void>;
}

interface Books {
  charges: Record<string, { taken: number }>;
}

export async function openStripeShop(env: Record<string, string> = {}): Promise<StripeShop> {
  const double = await startStripeDouble();
  const account = await double.openAccount();
  const shop = await openShop({
    STRIPE_API_URL: double.apiUrl,
    STRIPE_JS_URL: double.scriptUrl,
    SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
    PROCESSOR_TIMEOUT_MS: '30000',
    ...env,
  });
  const { secretKey, publishableKey } = account;
  const credentials = { secretKey, publishableKey };
  const connected = await shop.store.post('/v0/processors/connect', {
    ...{ kind: 'stripe', name: 'Cards', credentials },
  });
  expect(connected.status, connected.text).toBe(200);
  await shop.changeSettings({ testCheckout: 'processors' });
  return {
    ...{ shop, double, account },
    processorId: connected.body.data.processor.id,
    listTaken: async () => {
      const { charges } = await double.control<Books>(`GET /books?account=${account.id}`);
      return Object.values(charges).flatMap(({ taken }) => (taken > 0 ? [taken] : []));
    },
    close: async () => {
      await shop.close();
      await double.close();
    },
  };
}

/** What was asked of other hosts than the shop's and the stand-in's, and all else that went wrong. */
export function listProblems({ double }: StripeShop, problems: readonly string[]): string[] {
  const { origin } = new URL(double.apiUrl);
  return problems.filter((problem) => !problem.startsWith(`request to ${origin}`));
}

export async function typeCard(page: Page | FrameLocator, card: string): Promise<void> {
  const frame = page.frameLocator(FIELDS_FRAME);
  await frame.getByLabel('Card number').fill(card);
  await frame.getByLabel('Expiration date').fill('12 / 40');
  await frame.getByLabel('Security code').fill('123');
}

/**
 * By keyboard: a browser without a screen may still think the frame of another origin where it was before the page was
 * scrolled, and give it the press of a mouse.
 */
export async function pressPay(page: Page): Promise<void> {
  await settlePrice(page);
  await payButton(page).press('Enter');
}

/** Answers what the bank asks in a frame of the page. Its frame goes with the answer: what comes of it is not waited for there. */
export async function answerBank(page: Page, button: string): Promise<void> {
  const frame = page.frameLocator('iframe').last();
  await frame.getByRole('button', { name: button }).press('Enter', { noWaitAfter: true });
}
