import { describe, expect, it } from 'vitest';
import { inScope, toJson } from '../../src/db/scope.ts';
import { listTaken } from '../support/buying.ts';
import { PAYS_ONCE } from '../support/cards.ts';
import { advance, DAY_MS } from '../support/clock.ts';
import type { TestApp } from '../support/harness.ts';
import { makePlanOffer } from '../support/make-catalogue.ts';
import { useShop } from '../support/shop.ts';
import { listPeriods, listSteps, type Subscribed, show, subscribe } from '../support/subscribing.ts';

let app: TestApp;
let offerId: string;

useShop(async (made) => {
  app = made;
  offerId = await makePlanOffer(app.test, { price: 1000 });
});

const days = (count: number) => advance(app, app.test.scope, count * DAY_MS);
const buyer = () => ({ userEmail: `${Math.random()}@example.com` });

/** To the end of the first period, whatever the length of its month. */
async function toFirstRenewal(subscribed: Subscribed): Promise<void> {
  const { currentIntervalEnd, createdAt } = await show(app, subscribed);
  await advance(app, app.test.scope, currentIntervalEnd - createdAt);
}

/** What the buyer's new card is, for what comes next. */
async function changeCard({ id }: Subscribed, reference: string): Promise<void> {
  await app.service.db
    .updateTable('paymentMethods')
    .set({ reference, details: toJson({ type: 'card', brand: null, last4: null, card: null }) })
    .where(inScope(app.test.scope))
    .where('id', 'in', (eb) => eb.selectFrom('subscriptions').select('paymentMethodId').where('id', '=', id))
    .execute();
}

/** The kinds of its mails, oldest first. */
async function listMails({ orderId }: Subscribed): Promise<string[]> {
  await app.wired.worker.runDue();
  const { body } = await app.test.get('/v0/mails/list', { query: { orderId } });
  return body.data.mails.map(({ kind }: { kind: string }) => kind).reverse();
}

describe('a subscription whose card meets technical errors', () => {
  it('T19 P27 is tried ten times within a week, then on the days of soft declines, then unpaid', async () => {
    const subscribed = await subscribe(app, offerId, buyer());
    // Of a kind that nobody can be asked of.
    await app.service.db
      .updateTable('paymentMethods')
      .set({ processor: 'gone', connectionId: null })
      .where(inScope(app.test.scope))
      .where('id', 'in', (eb) =>
        eb.selectFrom('subscriptions').select('paymentMethodId').where('id', '=', subscribed.id),
      )
      .execute();
    await toFirstRenewal(subscribed);
    await days(6.5);
    const charges = async () => {
      const { payment } = (await app.test.get(`/v0/payments/${subscribed.number}-1`)).body.data;
      return payment.charges as Array<{ createdAt: number; failure: { decline: string } }>;
    };
    const tried = await charges();
    const [first] = tried;
    const minutes = tried.map(({ createdAt }) => Math.round((createdAt - (first?.createdAt ?? 0)) / 60_000));
    const daily = [1, 2, 3, 4, 5, 6].map((day) => 80 + day * 1440);
    expect(minutes).toEqual([0, 5, 20, 80, ...daily]);
    expect(tried.map(({ failure }) => failure.decline)).toEqual(Array(10).fill('technical'));
    // One mail for the first, and one for the tenth, which counts: not four within the hour, and one a day.
    expect(await listMails(subscribed)).toEqual(['subscription_started', 'payment_failed', 'payment_failed']);
    const told = (await listSteps(app, subscribed)).filter((step) => step.startsWith('payment_failed'));
    expect(told).toHaveLength(10);
    for (const [index, step] of [2, 5, 7, 7].entries()) {
      await days(step);
      expect(await charges()).toHaveLength(11 + index);
    }
    expect((await show(app, subscribed)).status).toBe('unpaid');
  });
});

describe('a subscription whose card is declined from the first renewal on', () => {
  it('T19 is retried 2, 5, 7 and 7 days apart, with each step told, then unpaid', async () => {
    const subscribed = await subscribe(app, offerId, { card: PAYS_ONCE, ...buyer() });
    await toFirstRenewal(subscribed);
    expect((await listSteps(app, subscribed)).slice(3)).toEqual([
      'payment_failed past_due',
      'subscription_updated past_due',
    ]);
    for (const step of [2, 5, 7]) {
      await days(step);
      const steps = await listSteps(app, subscribed);
      expect(steps.at(-1)).toBe('payment_failed past_due');
    }
    expect(await listSteps(app, subscribed)).toHaveLength(8);
    await days(7);
    expect((await listSteps(app, subscribed)).slice(8)).toEqual([
      'payment_failed past_due',
      'subscription_updated unpaid',
    ]);
    // The last failure has no mail of its own.
    const failed = Array(4).fill('payment_failed');
    expect(await listMails(subscribed)).toEqual(['subscription_started', ...failed, 'subscription_unpaid']);
    const attempts = await app.test.get(`/v0/payments/${subscribed.number}-1`);
    expect(attempts.body.data.payment.charges).toHaveLength(5);
    expect(attempts.body.data.payment.payUrl).toContain('/pay/');
  });

  it('makes no payments while it is unpaid', async () => {
    const subscribed = await subscribe(app, offerId, { card: PAYS_ONCE, ...buyer() });
    await days(150);
    expect((await show(app, subscribed)).status).toBe('unpaid');
    expect(await listPeriods(app, subscribed)).toHaveLength(1);
  });

  it('ends instead where the store wants it so, and owes nothing then', async () => {
    const setting = (end: string) => app.test.patch('/v0/settings/update', { dunning: { end } });
    expect((await setting('canceled')).status).toBe(200);
    const subscribed = await subscribe(app, offerId, { card: PAYS_ONCE, ...buyer() });
    await days(60);
    const { status, cancelReason, endedAt } = await show(app, subscribed);
    expect({ status, cancelReason }).toEqual({ status: 'canceled', cancelReason: 'payment_failed' });
    expect(endedAt).toBeGreaterThan(0);
    expect((await listPeriods(app, subscribed)).map((period) => period.status)).toEqual(['CANCELLED']);
    expect((await listSteps(app, subscribed)).slice(-3)).toEqual([
      'payment_failed past_due',
      'subscription_updated canceled',
      'subscription_cancelled canceled',
    ]);
    expect((await listMails(subscribed)).slice(-2)).toEqual(['payment_failed', 'subscription_cancelled']);
    expect((await setting('unpaid')).status).toBe(200);
  });

  it('recovers with the next retry once the card works', async () => {
    const subscribed = await subscribe(app, offerId, { card: PAYS_ONCE, ...buyer() });
    await toFirstRenewal(subscribed);
    await changeCard(subscribed, 'card_visa');
    await days(2);
    expect((await listSteps(app, subscribed)).slice(5)).toEqual([
      'payment_success active',
      'subscription_interval active',
      'subscription_updated active',
    ]);
    await days(60);
    expect((await listPeriods(app, subscribed)).map(({ status }) => status)).toEqual([
      'PAID',
      'PAID',
      'PAID',
    ]);
  });
});

describe('a weekly subscription that is past due', () => {
  it('lets each further period wait, and pays all that is owed, oldest first', async () => {
    const weekly = await makePlanOffer(app.test, { price: 500, recurringInterval: 'week' });
    const subscribed = await subscribe(app, weekly, { card: PAYS_ONCE, ...buyer() });
    await days(7 + 13);
    expect((await listPeriods(app, subscribed)).map(({ status }) => status)).toEqual(['FAILED', 'UNPAID']);
    await changeCard(subscribed, 'card_visa');
    const before = (await listTaken(app)).length;
    await days(1);
    const periods = await listPeriods(app, subscribed);
    // The retry of the 14th day comes before the boundary of that day.
    expect(periods.map(({ status }) => status)).toEqual(['PAID', 'PAID', 'PAID']);
    expect(periods.map(({ paidAt }) => paidAt)).toEqual(periods.map(({ paidAt }) => paidAt).toSorted());
    expect(await listTaken(app)).toHaveLength(before + 3);
    expect((await show(app, subscribed)).status).toBe('active');
  });
});

describe('a hard decline', () => {
  it('T19 is not tried again by itself, and is past due until the day of the last retry', async () => {
    const subscribed = await subscribe(app, offerId, buyer());
    await changeCard(subscribed, 'card_lost');
    await toFirstRenewal(subscribed);
    await days(20);
    expect((await show(app, subscribed)).status).toBe('past_due');
    const payment = await app.test.get(`/v0/payments/${subscribed.number}-1`);
    expect(payment.body.data.payment.charges).toHaveLength(1);
    await days(1);
    expect((await show(app, subscribed)).status).toBe('unpaid');
    expect((await listSteps(app, subscribed)).slice(3)).toEqual([
      'payment_failed past_due',
      'subscription_updated past_due',
      'subscription_updated unpaid',
    ]);
    const { body } = await app.test.get('/v0/mails/list');
    const kinds = body.data.mails.map(({ kind }: { kind: string }) => kind);
    expect(kinds.filter((kind: string) => kind === 'payment_overdue')).toHaveLength(3);
  });
});
