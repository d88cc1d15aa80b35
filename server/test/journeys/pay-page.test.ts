import { describe, expect, it } from 'vitest';
import { authenticate, card, listTaken } from '../support/buying.ts';
import { PAYS_ONCE } from '../support/cards.ts';
import { advance, DAY_MS } from '../support/clock.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import type { TestApp } from '../support/harness.ts';
import { makePlanOffer } from '../support/make-catalogue.ts';
import { useShop } from '../support/shop.ts';
import { listPeriods, type Subscribed, show, subscribe } from '../support/subscribing.ts';

let app: TestApp;

useShop((made) => {
  app = made;
});

const days = (count: number) => advance(app, app.test.scope, count * DAY_MS);
const statusesOf = async (subscribed: Subscribed) =>
  (await listPeriods(app, subscribed)).map(({ status }) => status);

/** A weekly subscription that owes two periods, and the page of the first. */
async function startOverdue() {
  const offerId = await makePlanOffer(app.test, { price: 500, recurringInterval: 'week' });
  const buyer = { userEmail: `${Math.random()}@example.com` };
  const subscribed = await subscribe(app, offerId, { card: PAYS_ONCE, ...buyer });
  await days(7 + 8);
  const { body } = await app.test.get(`/v0/payments/${subscribed.number}-1`);
  const path = new URL(body.data.payment.payUrl).pathname;
  const request = (action: string, sent?: Record<string, unknown>) =>
    app.test.request(sent ? 'POST' : 'GET', path.replace('/pay/', '/payment-pages/') + action, {
      keys: 'none',
      ...(sent ? { body: sent } : {}),
    });
  return { subscribed, path, request };
}

describe('the page of a payment that was declined', () => {
  it('shows all that is owed, and why the last try came to nothing', async () => {
    const { subscribed, path, request } = await startOverdue();
    const page = await app.app.inject({ method: 'GET', url: path });
    expect({ status: page.statusCode, policy: page.headers['content-security-policy'] }).toMatchObject({
      status: 200,
      policy: expect.stringContaining("frame-ancestors 'none'"),
    });
    const { body } = await request('');
    expect(body.data.debt).toMatchObject({
      status: 'open',
      payments: 2,
      currency: 'EUR',
      proof: 'required',
      storedCard: null,
      failure: { reason: 'card_declined' },
      orderNumber: subscribed.number,
    });
    const periods = await listPeriods(app, subscribed);
    expect(body.data.debt.dues).toMatchObject(
      periods.map(({ number, value, periodStart, periodEnd }) => ({
        number,
        type: 'subscription_interval',
        periodStart,
        periodEnd,
        amount: Number(value),
      })),
    );
    expect(page.payload).toContain(String(body.data.debt.amount));
  });

  it('takes no way of paying that it does not show: nothing is charged, and dunning goes on', async () => {
    const { subscribed, request } = await startOverdue();
    const before = await statusesOf(subscribed);
    expect((await request('')).body.data.debt.methods).toEqual(['card']);
    for (const option of ['transfer', 'redirect']) {
      await expectRefusal(request('/pay', { payment: { option } }), 400, 'method_not_offered');
    }
    expect(await statusesOf(subscribed)).toEqual(before);
  });

  it('says until when there is access, and that there is none beyond it', async () => {
    const { subscribed, request } = await startOverdue();
    const debtOf = async () => (await request('')).body.data.debt;
    const startedAt = (await listPeriods(app, subscribed))[0]?.createdAt ?? 0;
    // The grace of seven days is over a day before the page is opened.
    const { access } = await debtOf();
    expect(access.isOpen).toBe(false);
    expect(Math.floor((access.endsAt - startedAt) / DAY_MS)).toBe(7);
    await app.test.patch('/v0/settings/update', { graceDays: 10 });
    expect((await debtOf()).access).toEqual({ isOpen: true, endsAt: access.endsAt + 3 * DAY_MS });
    await app.test.patch('/v0/settings/update', { graceDays: 7 });
    const { body } = await request('/pay', { card: card('4242424242424242') });
    expect(body.data.debt.access).toBeNull();
  });

  it('takes another card for all that is owed and, if wanted, for the renewals', async () => {
    const { subscribed, request } = await startOverdue();
    const before = (await listTaken(app)).length;
    const { body } = await request('/pay', { card: card('4242424242424242'), keep: true });
    expect(body.data.debt).toMatchObject({ status: 'paid', payments: 0, dues: [], amount: 0 });
    expect(await statusesOf(subscribed)).toEqual(['PAID', 'PAID']);
    expect((await show(app, subscribed)).status).toBe('active');
    await request('/pay', { card: card('4242424242424242') });
    expect(await listTaken(app)).toHaveLength(before + 2);
    await days(7);
    expect(await statusesOf(subscribed)).toEqual(['PAID', 'PAID', 'PAID']);
  });

  it('keeps no card that is only to pay once', async () => {
    const { subscribed, request } = await startOverdue();
    await request('/pay', { card: card('4242424242424242') });
    expect(await statusesOf(subscribed)).toEqual(['PAID', 'PAID']);
    await days(7);
    expect((await show(app, subscribed)).status).toBe('past_due');
  });

  it('tells of a decline, which uses up no day of the run', async () => {
    const { subscribed, request } = await startOverdue();
    const { body } = await request('/pay', { card: card('4000000000009995') });
    expect(body.data.debt).toMatchObject({ status: 'open', failure: { reason: 'insufficient_funds' } });
    expect((await request('')).body.data.debt).toMatchObject({ status: 'open' });
    await days(30);
    expect((await show(app, subscribed)).status).toBe('unpaid');
  });

  it('sends the buyer to the bank and pays everything once they come back', async () => {
    const { subscribed, path, request } = await startOverdue();
    const { body } = await request('/pay', { card: card('4000002500003155'), keep: true });
    expect(body.data.debt).toMatchObject({ status: 'requires_action', payments: 2 });
    const back = await authenticate(app, body.data.debt.actionUrl, 'approve');
    expect(back).toEqual({ status: 303, location: path });
    expect(await statusesOf(subscribed)).toEqual(['PAID', 'PAID']);
    expect((await show(app, subscribed)).status).toBe('active');
  });

  it('takes another card while an authentication waits, and lets one that is left lapse after a day', async () => {
    const { subscribed, request } = await startOverdue();
    await request('/pay', { card: card('4000002500003155') });
    const other = await request('/pay', { card: card('4000008400001629') });
    expect(other.body.data.debt.status).toBe('requires_action');
    await days(2);
    const { body } = await request('');
    expect(body.data.debt).toMatchObject({ status: 'open', failure: { reason: 'authentication_failed' } });
    expect((await show(app, subscribed)).status).toBe('past_due');
  });

  it('brings an unpaid subscription back', async () => {
    const { subscribed, request } = await startOverdue();
    await days(30);
    expect((await show(app, subscribed)).status).toBe('unpaid');
    await request('/pay', { card: card('4242424242424242'), keep: true });
    expect((await show(app, subscribed)).status).toBe('active');
  });

  it('has nothing to pay once the subscription has ended', async () => {
    const { subscribed, request } = await startOverdue();
    await app.test.patch(`/v0/subscriptions/${subscribed.number}/cancel`);
    expect((await request('')).body.data.debt).toMatchObject({ status: 'closed', amount: 0 });
    expect((await request('/pay', { card: card('4242424242424242') })).body.data.debt.status).toBe('closed');
  });

  it('refuses card details that cannot be, and a link that is not one', async () => {
    const { request } = await startOverdue();
    await expectRefusal(request('/pay', { card: { ...card('4242424242424241') } }), 400, 'card_invalid');
    await expectRefusal(
      app.test.request('GET', '/payment-pages/nothing', { keys: 'none' }),
      404,
      'not_found',
    );
    expect((await app.app.inject({ method: 'GET', url: '/pay/nothing' })).statusCode).toBe(404);
  });
});
