/** What comes for a user once they are erased: a file that names them, and money that was on its way. */
import { expect, it } from 'vitest';
import { openPage } from '../support/buying.ts';
import { advance, DAY_MS } from '../support/clock.ts';
import type { TestApp } from '../support/harness.ts';
import { createImporting, customer, method, PLAN_LINES, subscription } from '../support/importing.ts';
import { makeOffer } from '../support/make-catalogue.ts';
import { useShop } from '../support/shop.ts';

let app: TestApp;
useShop((made) => {
  app = made;
});

const find = async (email: string) => {
  const { users } = (await app.test.get('/v0/users/list', { query: { email } })).body.data;
  return users.map(({ id }: { id: string }) => id) as string[];
};

async function erase(email: string): Promise<string> {
  const [id = ''] = await find(email);
  expect((await app.test.post(`/v0/users/${id}/deletion/accept`, {})).status).toBe(200);
  await advance(app, app.test.scope, 15 * DAY_MS);
  expect(await find(email)).toEqual([]);
  return id;
}

const show = async (id: string) => (await app.test.get(`/v0/users/${id}`)).body.data.user;

it('Y27 who is brought in again is somebody new: nothing is sold to whom was erased', async () => {
  const imports = createImporting(app);
  const buyer = [customer('gone'), method('m_gone', 'gone')];
  await imports.bringIn([...PLAN_LINES, ...buyer]);
  const erased = await erase('gone@example.com');
  const { now } = (await app.test.get('/v0/test-clock')).body.data.testClock;
  const paidUntil = now + 10 * DAY_MS;
  const times = { createdAt: paidUntil - 200 * DAY_MS, anchorAt: paidUntil, paidUntil, nextTotal: 1200 };
  await imports.bringIn([...PLAN_LINES, ...buyer, subscription('gone', times)]);
  const [again] = await find('gone@example.com');
  expect(again).toBeDefined();
  const { subscriptions } = (await app.test.get('/v0/subscriptions/list')).body.data;
  expect(subscriptions.map(({ userId }: { userId: string }) => userId)).toEqual([again]);
  expect(await show(erased)).toMatchObject({ email: null, username: null, details: { countryCode: null } });
});

it('Y27 a transfer that comes late pays its order, and brings no details of its buyer back', async () => {
  const account = {
    kind: 'manual',
    name: 'Bank',
    iban: 'DE89370400440532013000',
    holder: 'Muster GmbH',
    dueDays: 20,
  };
  expect((await app.test.post('/v0/processors/connect', account)).status).toBe(200);
  const page = await openPage(app, `/checkout/${await makeOffer(app.test)}`);
  const submitted = await page.submit({
    ...{ email: 'late@example.com', firstName: 'Lena', card: undefined, payment: { option: 'transfer' } },
  });
  const { id: orderId } = submitted.body.data.checkout.order;
  const erased = await erase('late@example.com');
  const [payment] = (await app.test.get(`/v0/orders/${orderId}`)).body.data.payments;
  const { now: receivedAt } = (await app.test.get('/v0/test-clock')).body.data.testClock;
  const received = { amount: payment.value, receivedAt, reference: 'T-1' };
  const { body } = await app.test.post(`/v0/payments/${payment.id}/receive`, received);
  expect(body.data.payment.status).toBe('PAID');
  expect((await show(erased)).details).toMatchObject({ firstName: null, countryCode: null });
});
