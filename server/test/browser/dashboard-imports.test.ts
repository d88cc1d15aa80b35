/** What another service held comes in by the dashboard alone: planned, committed, tried, activated, counted. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CONVERTERS, convertToFile } from '../../../cli/src/import/convert-to-file.ts';
import { makeAccount } from '../support/browser.ts';
import { DAY_MS } from '../support/clock.ts';
import { expectInvariants } from '../support/expect-invariants.ts';
import { overviewOf } from '../support/figures.ts';
import { customer, method, PLAN_LINES, type Shown, subscription, toFile } from '../support/importing.ts';
import { findViolations } from './support/axe.ts';
import { PHONE } from './support/browser.ts';
import { button, dialog, heading, openPerson } from './support/dashboard.ts';
import { openShop, type Shop } from './support/shop.ts';

const OWNER = 'ada@first.example';
const STRIPE = fileURLToPath(new URL('../../../cli/test/fixtures/import/stripe', import.meta.url));
const LONG = { timeout: 300_000 };

let shop: Shop;
let base: string;
let folder: string;
beforeAll(async () => {
  [shop, folder] = await Promise.all([openShop(), mkdtemp(join(tmpdir(), 'imports-'))]);
  await makeAccount(shop.app, { email: OWNER, name: 'Ada' });
  base = `${shop.origin}/dashboard/${shop.store.scope.workspaceId}/test`;
});
afterAll(async () => {
  if (folder) await rm(folder, { recursive: true });
  if (!shop) return;
  await expectInvariants(shop.app);
  await shop.close();
});

const now = async (): Promise<number> => (await shop.store.get('/v0/test-clock')).body.data.testClock.now;
const figures = async () =>
  overviewOf(shop.store, { from: '0', to: String((await now()) + 1), currency: 'USD' });

/** What the command of this source makes of what it lists. */
async function convert(): Promise<string> {
  const { stripe } = CONVERTERS;
  if (!stripe) throw new Error('there is no such converter');
  const to = join(folder, 'stripe.jsonl');
  const { signal } = new AbortController();
  await convertToFile({ converter: stripe, from: STRIPE, to, nowMs: await now(), signal, tell: () => {} });
  return to;
}

async function upload(page: Page, file: string): Promise<Shown> {
  await page.goto(`${base}/settings/imports`);
  await heading(page, 'Imports').waitFor();
  await button(page, 'Upload import').first().click();
  const asked = dialog(page, 'Upload import');
  await asked.getByLabel('File', { exact: true }).setInputFiles(file);
  await asked.getByRole('button', { name: 'Upload', exact: true }).click();
  await heading(page, /^Import from/).waitFor();
  const id = new URL(page.url()).pathname.split('/').at(-1);
  await workUntil(page.locator('.stamp', { hasText: 'Planned' }));
  return (await shop.store.get(`/v0/imports/${id}`)).body.data.import;
}

/** The worker of the test does what is due; the screen sees by itself that it is done. */
async function workUntil(shown: Locator): Promise<void> {
  await shop.app.wired.worker.runDue();
  await shown.first().waitFor();
}

const rowOf = (page: Page, table: string, name: string) =>
  page.getByRole('table', { name: table, exact: true }).getByRole('row', { name: new RegExp(`^${name}`) });

test(
  'D59 a converter’s file is planned, committed and activated on the screen, and counts as imported',
  LONG,
  async () => {
    const { page, close } = await openPerson(shop, OWNER);
    await page.goto(`${base}/settings/imports`);
    await page.getByText('Nothing was brought along yet.').waitFor();
    const planned = await upload(page, await convert());
    expect(planned).toMatchObject({ source: 'stripe', status: 'planned' });
    await heading(page, 'Import from Stripe').waitFor();
    const { plan } = planned;
    for (const { kind, new: count } of plan.counts.filter((one: Shown) => one.new > 0)) {
      const name = { customer: 'Customer', subscription: 'Subscription', offer: 'Offer' }[kind as string];
      if (name) await rowOf(page, 'Plan', `${name} ${count} `).waitFor();
    }
    await page.getByRole('heading', { name: `Warnings: ${plan.warningCount}` }).waitFor();
    expect((await shop.store.get('/v0/subscriptions/list')).body.data.subscriptions).toEqual([]);

    await button(page, 'Commit').click();
    const asked = dialog(page, 'Commit import');
    const confirm = asked.getByRole('button', { name: 'Commit', exact: true });
    await confirm.waitFor();
    for (const box of await asked.getByRole('checkbox').all()) {
      expect(await confirm.getAttribute('aria-disabled')).toBe('true');
      await box.check();
    }
    await confirm.click();
    await asked.waitFor({ state: 'detached' });
    await workUntil(page.locator('.stamp', { hasText: 'Committed' }));
    const subscriptions: Shown[] = (await shop.store.get('/v0/subscriptions/list')).body.data.subscriptions;
    expect(subscriptions.length).toBeGreaterThan(1);
    expect(subscriptions.every(({ waiting }) => waiting)).toBe(true);
    expect(await figures()).toMatchObject({ mrr: 0, mrrImported: 0, newCustomers: 0, orders: 0 });

    const one = subscriptions.find(({ currency, status }) => currency === 'USD' && status === 'active');
    await activate(page, one.id);
    await page.getByRole('list', { name: 'Not activated' }).getByText('No usable payment method').waitFor();
    await page.getByRole('button', { name: 'Done', exact: true }).click();
    await shop.store.patch(`/v0/users/${one.userId}/update`, {
      paymentData: { sandboxCustomerId: 'card_4242424242424242' },
    });
    await activate(page, one.id);
    await page.getByText('1 activated, 0 refused.').waitFor();
    await page.getByRole('button', { name: 'Done', exact: true }).click();
    const after = await figures();
    expect(after.mrr).toBeGreaterThan(0);
    expect(after).toMatchObject({
      mrrImported: after.mrr,
      mrrNew: 0,
      newCustomers: 0,
      activeSubscriptions: 1,
    });
    await page.goto(`${base}/finance/reports`);
    await page.getByRole('heading', { name: 'Imported MRR' }).waitFor();
    await close();
  },
);

/** Chooses one of those that wait. */
async function activate(page: Page, id: string): Promise<void> {
  await button(page, 'Activate').click();
  const asked = dialog(page, 'Activate subscriptions');
  await asked.getByRole('radio', { name: /^Only some/ }).check();
  await asked.getByLabel('Find by email or number').fill(id);
  await asked.getByRole('checkbox', { name: new RegExp(id) }).check();
  await asked.getByRole('button', { name: 'Activate 1', exact: true }).click();
}

test(
  'D59 refused lines and other sums are said aloud before a commit, and a rehearsal shows both sides',
  LONG,
  async () => {
    const { page, close } = await openPerson(shop, OWNER, { viewport: PHONE, colorScheme: 'dark' });
    const paidUntil = (await now()) + 9 * DAY_MS;
    const file = join(folder, 'own.jsonl');
    const runs = (ref: string, nextTotal: number) =>
      subscription(ref, {
        ...{ createdAt: paidUntil - 200 * DAY_MS, anchorAt: paidUntil, paidUntil, nextTotal },
        paymentMethodRef: `m_${ref}`,
      });
    await writeFile(
      file,
      toFile([
        ...PLAN_LINES,
        ...[customer('hal'), method('m_hal', 'hal'), runs('hal', 1200)],
        ...[customer('ivy'), method('m_ivy', 'ivy'), runs('ivy', 1100)],
        { kind: 'nothing' },
        // The store sells in the currency of what came first.
      ]).replaceAll('EUR', 'USD'),
    );
    const planned = await upload(page, file);
    expect(planned.plan.errors).toMatchObject([{ path: 'kind' }]);
    expect(planned.plan.priceChangeCount).toBe(1);
    await page.getByRole('heading', { name: 'Refused lines: 1' }).waitFor();
    await page.getByRole('heading', { name: 'Other sums: 1' }).waitFor();
    await page.getByText('$24.00 in all').waitFor();
    expect(await findViolations(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(PHONE.width);

    await button(page, 'Commit').click();
    const asked = dialog(page, 'Commit import');
    const confirm = asked.getByRole('button', { name: 'Commit', exact: true });
    await asked.getByRole('checkbox', { name: 'Leave out 1 refused line' }).check();
    expect(await confirm.getAttribute('aria-disabled')).toBe('true');
    await asked.getByRole('checkbox', { name: 'Charge 1 subscription another sum' }).check();
    expect(await confirm.getAttribute('aria-disabled')).toBe('false');
    await asked.getByRole('combobox', { name: 'Rehearse' }).selectOption('1month');
    await confirm.click();
    await asked.waitFor({ state: 'detached' });
    await page.locator('.stamp', { hasText: 'Committed' }).waitFor();
    await page
      .getByText('2 of 2 subscriptions charged, 1 of them as by the source, 0 still waiting.')
      .waitFor();
    await rowOf(page, 'Charges that differ', 'ivy').getByText('$11.00').waitFor();
    await rowOf(page, 'Charges that differ', 'ivy').getByText('$12.00').waitFor();
    await close();
  },
);
