/** What consumers have stated and asked for, as those find it who have to decide. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeAccount } from '../support/browser.ts';
import { DAY_MS } from '../support/clock.ts';
import { createLawShop, type LawShop } from '../support/consumer-law.ts';
import { makeOffer, makePlanOffer } from '../support/make-catalogue.ts';
import { button, dialog, heading, openPerson } from './support/dashboard.ts';
import { openShop, type Shop } from './support/shop.ts';

let shop: Shop;
let law: LawShop;
let slug: string;
let workspaceId: string;
beforeAll(async () => {
  shop = await openShop();
  workspaceId = shop.store.scope.workspaceId;
  for (const role of ['support', 'developer'] as const)
    await makeAccount(shop.app, { email: `${role}@law.example`, member: { workspaceId, role } });
  slug = (await shop.store.get('/v0/settings')).body.data.settings.portalSlug;
  law = createLawShop(shop.app, slug);
});
afterAll(() => shop?.close());

const at = (page: string, mode = 'test') => `${shop.origin}/dashboard/${workspaceId}/${mode}/${page}`;

/** As its user does by the link of a mail. */
async function askForDeletion(userId: string): Promise<void> {
  const { nowMs } = await shop.app.service.db
    .selectFrom('stores')
    .select((eb) => eb('clockOffsetMs', '+', Date.now()).as('nowMs'))
    .where('workspaceId', '=', workspaceId)
    .where('testMode', '=', true)
    .executeTakeFirstOrThrow();
  await shop.app.service.db
    .updateTable('users')
    .set({ deletionRequestedAt: nowMs })
    .where('id', '=', userId)
    .execute();
}

test('D56 what needs a decision stands on Home with the days left; Support decides', async () => {
  await law.set({ withdrawalHandling: 'manual' });
  const sale = await law.sell([await makeOffer(shop.store, { price: 2000 })]);
  const withdrawalId = await law.withdrawFrom(sale);
  const stranger = await law.withdraw({ orderNumber: sale.order.number, email: 'other@example.com' });
  const plan = await law.sell([await makePlanOffer(shop.store)]);
  const subscriptionId = plan.order.number;
  const noticed = await law.cancel({
    ...{ type: 'cause', reason: 'It does not work.', email: plan.email },
    contractNumber: subscriptionId,
  });
  await askForDeletion(sale.order.userId);
  await shop.moveClock(4 * DAY_MS);

  const { page, close } = await openPerson(shop, 'support@law.example');
  await page.goto(at(''));
  await heading(page, 'Home').waitFor();
  const needs = page.getByRole('region', { name: 'Needs attention' });
  const line = async (name: string) =>
    (await needs.getByRole('link', { name }).innerText()).replaceAll(/\s+/g, ' ');
  await expect.poll(() => line('Withdrawals')).toBe('Withdrawals 10 days left 2');
  const notices = 'Cancellation notices for cause';
  await expect.poll(() => line(notices)).toBe(`${notices} 10 days left 1`);
  await expect.poll(() => line('Deletion requests')).toBe('Deletion requests 26 days left 1');

  await needs.getByRole('link', { name: 'Withdrawals' }).click();
  await heading(page, 'Withdrawals').waitFor();
  const { number } = await law.withdrawalOf(withdrawalId);
  await page.getByRole('link', { name: number }).click();
  await heading(page, `Withdrawal ${number}`).waitFor();
  await button(page, 'Accept').click();
  await dialog(page, 'Accept withdrawal').getByRole('button', { name: 'Accept withdrawal' }).click();
  await dialog(page, 'Accept withdrawal').waitFor({ state: 'detached' });
  await law.settle();
  expect((await law.withdrawalOf(withdrawalId)).status).toBe('refunded');

  await page.goto(at('orders/withdrawals?statuses=unmatched'));
  const { id: strangeId, number: strange } = stranger.body.data.withdrawal;
  await button(page, `Actions for ${strange}`).click();
  await page.getByRole('menuitem', { name: 'Refuse' }).click();
  const refusing = dialog(page, 'Refuse withdrawal');
  await refusing.getByLabel('Reason').selectOption('late');
  await refusing.getByRole('button', { name: 'Refuse withdrawal' }).click();
  await refusing.waitFor({ state: 'detached' });
  expect(await law.withdrawalOf(strangeId)).toMatchObject({ status: 'refused', reason: 'late' });

  await page.goto(at(`orders/cancellation-notices/${noticed.body.data.notice.id}`));
  await page.getByText('It does not work.').waitFor();
  await button(page, 'Accept').click();
  await dialog(page, 'Accept cancellation').getByRole('button', { name: 'Accept cancellation' }).click();
  await dialog(page, 'Accept cancellation').waitFor({ state: 'detached' });
  const ended = await shop.store.get(`/v0/subscriptions/${subscriptionId}`);
  expect(ended.body.data.subscription.status).toBe('canceled');

  // Who has not asked on a page may have asked by letter: nothing is agreed to there.
  await page.goto(at(`customers/${plan.order.userId}`));
  await button(page, 'Delete customer’s data').waitFor();
  expect(await button(page, 'Agree to deletion').count()).toBe(0);

  await page.goto(at('customers?deletion=requested'));
  await page.getByRole('link', { name: sale.email }).click();
  await button(page, 'Agree to deletion').click();
  await dialog(page, 'Agree to deletion').getByRole('button', { name: 'Agree to deletion' }).click();
  await dialog(page, 'Agree to deletion').waitFor({ state: 'detached' });
  await page.getByText('Agreed').waitFor();
  expect((await shop.store.get(`/v0/users/${sale.order.userId}`)).body.data.deletion.status).toBe('accepted');
  await close();
});

test('D56 Home counts the notices that wait for somebody, each by the list that shows just them', async () => {
  const [ofCause, ordinary] = [
    await law.sell([await makePlanOffer(shop.store)]),
    await law.sell([await makePlanOffer(shop.store)]),
  ];
  const state = async (body: Record<string, unknown>): Promise<string> => {
    const { body: answer, text } = await law.cancel(body);
    expect(answer.data, text).toBeDefined();
    return answer.data.notice.number;
  };
  const forCause = await state({
    ...{ type: 'cause', reason: 'It does not work.', email: ofCause.email },
    contractNumber: ofCause.order.number,
  });
  const unknown = await state({ email: 'nobody@example.com', contractNumber: 'NONE' });
  // An ordinary one of a customer's waits for nobody.
  await state({ email: ordinary.email, contractNumber: ordinary.order.number });
  const { page, close } = await openPerson(shop, 'support@law.example');
  for (const [name, number] of [
    ['Cancellation notices for cause', forCause],
    ['Cancellation notices without a contract', unknown],
  ] as const) {
    await page.goto(at(''));
    const line = page.getByRole('region', { name: 'Needs attention' }).getByRole('link', { name });
    await expect.poll(async () => (await line.innerText()).replaceAll(/\s+/g, ' ')).toMatch(/ left 1$/);
    await line.click();
    await page.getByRole('link', { name: number }).waitFor();
    expect(await page.locator('.row-link').count()).toBe(1);
  }
  await close();
});

test('D56 a Developer reads in live what consumers have stated, and decides nothing', async () => {
  const stated = { store: slug, testMode: false, name: 'Ada', email: 'ada@example.com', orderNumber: 'NONE' };
  const sent = await shop.store.request('POST', '/v0/portal/withdrawals', { keys: 'none', body: stated });
  const { id, number } = sent.body.data.withdrawal;
  const { page, close } = await openPerson(shop, 'developer@law.example');
  await page.goto(at('orders/withdrawals', 'live'));
  await heading(page, 'Withdrawals').waitFor();
  await page.getByRole('link', { name: number }).waitFor();
  expect(await button(page, `Actions for ${number}`).count()).toBe(0);
  await page.goto(at(`orders/withdrawals/${id}`, 'live'));
  await heading(page, `Withdrawal ${number}`).waitFor();
  expect(await button(page, 'Accept').count()).toBe(0);
  await close();
});

test('a portal link is sent, or made to be handed on', async () => {
  const sale = await law.sell([await makeOffer(shop.store)]);
  const { page, close } = await openPerson(shop, 'support@law.example');
  await page.goto(at(`customers/${sale.order.userId}`));
  await button(page, 'Send portal link').click();
  const sending = dialog(page, 'Send portal link');
  await sending.getByRole('button', { name: 'Send portal link' }).click();
  await sending.waitFor({ state: 'detached' });
  // Without a mail server it is kept, which the list of mails tells.
  await page.getByText('What becomes of it stands under Mails.').waitFor();
  await law.settle();
  expect(await law.listMails('magic_link', sale.email)).toHaveLength(1);
  await button(page, 'Copy portal link').click();
  const making = dialog(page, 'Copy portal link');
  await making.getByRole('button', { name: 'Create portal link' }).click();
  await making.getByRole('button', { name: 'Copy link' }).waitFor();
  const link = (await making.locator('.once code').textContent()) ?? '';
  const buyer = await shop.openBuyer();
  const tab = await buyer.newTab();
  await tab.goto(link);
  await heading(tab, 'Overview').waitFor();
  await buyer.context.close();
  await close();
});
