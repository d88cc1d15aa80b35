/** Charges whose outcome comes late: after the end of the subscription, after another charge, after another card. */
import { describe, expect, it } from 'vitest';
import { card } from '../support/buying.ts';
import { AUTHENTICATES, PAYS_ONCE, UNKNOWN_FIRST, VISA } from '../support/cards.ts';
import { advance, MINUTE_MS } from '../support/clock.ts';
import {
  forgetNextCancel,
  loseNextAnswer,
  loseNextCancel,
  stallNextCharge,
} from '../support/faulty-processor.ts';
import type { Answer, TestApp } from '../support/harness.ts';
import { makePlanOffer } from '../support/make-catalogue.ts';
import { useShop } from '../support/shop.ts';
import { listPeriods, listSteps, type Subscribed, show, subscribe } from '../support/subscribing.ts';

let app: TestApp;

useShop((made) => {
  app = made;
});

const wait = (ms: number) => advance(app, app.test.scope, ms);
const act = ({ number }: Subscribed, verb: string, body: Record<string, unknown> = {}) =>
  app.test.patch(`/v0/subscriptions/${number}/${verb}`, body);
const statusesOf = async (subscribed: Subscribed) =>
  (await listPeriods(app, subscribed)).map(({ status }) => status);

async function start(body: Record<string, unknown> = {}) {
  const offerId = await makePlanOffer(app.test, { price: 1000 });
  return subscribe(app, offerId, { userEmail: `${Math.random()}@example.com`, ...body });
}

async function toIntervalEnd(subscribed: Subscribed, lessMs = 0): Promise<void> {
  const { currentIntervalEnd } = await show(app, subscribed);
  const { body } = await app.test.get('/v0/test-clock');
  await wait(currentIntervalEnd - body.data.testClock.now - lessMs);
}

/** The kinds of its mails, oldest first. */
async function listMails({ orderId }: Subscribed): Promise<string[]> {
  await app.wired.worker.runDue();
  const { body } = await app.test.get('/v0/mails/list', { query: { orderId } });
  return body.data.mails.map(({ kind }: { kind: string }) => kind).reverse();
}

describe('a charge that is declined after the end of the subscription', () => {
  it('is told as a failed attempt, and nobody is asked to pay', async () => {
    const subscribed = await start({ card: PAYS_ONCE });
    loseNextAnswer(app);
    await toIntervalEnd(subscribed);
    expect(await statusesOf(subscribed)).toEqual(['PENDING']);
    loseNextCancel(app);
    expect((await act(subscribed, 'cancel')).body.data.subscription.status).toBe('canceled');
    await wait(5 * MINUTE_MS);
    expect((await listSteps(app, subscribed)).slice(3)).toEqual([
      'subscription_updated canceled',
      'subscription_cancelled canceled',
      'payment_failed canceled',
    ]);
    const { body } = await app.test.get(`/v0/payments/${subscribed.number}-1`);
    expect(body.data.payment).toMatchObject({
      status: 'CANCELLED',
      payUrl: null,
      charges: [{ status: 'failed', failure: { reason: 'card_declined' } }],
    });
    expect(await listMails(subscribed)).toEqual(['subscription_started', 'subscription_cancelled']);
  });

  it('also of a change of plan, when the end of the interval comes first', async () => {
    const yearlyId = await makePlanOffer(app.test, { price: 9000, recurringInterval: 'year' });
    const subscribed = await start({ card: PAYS_ONCE });
    await act(subscribed, 'cancel', { cancelOption: 'endInterval' });
    await toIntervalEnd(subscribed, 5_000);
    loseNextAnswer(app);
    const { body } = await act(subscribed, 'update', { offerId: yearlyId });
    expect(body.data.payment.status).toBe('PENDING');
    await wait(5 * MINUTE_MS);
    expect((await show(app, subscribed)).status).toBe('canceled');
    const { body: after } = await app.test.get(`/v0/payments/${body.data.payment.id}`);
    expect(after.data.payment.status).toBe('CANCELLED');
    expect((await listMails(subscribed)).at(-1)).toBe('subscription_cancelled');
  });
});

it('a card that came while the one before it was charged is tried as soon as that is declined', async () => {
  const subscribed = await start({ card: PAYS_ONCE });
  loseNextAnswer(app);
  await toIntervalEnd(subscribed);
  const paymentData = { sandboxCustomerId: `card_${VISA}` };
  await app.test.patch(`/v0/users/${subscribed.userId}/update`, { paymentData });
  await wait(5 * MINUTE_MS);
  const { body } = await app.test.get(`/v0/payments/${subscribed.number}-1`);
  expect(body.data.payment).toMatchObject({
    status: 'PAID',
    charges: [{ status: 'failed' }, { status: 'succeeded', paymentMethod: { last4: '4242' } }],
  });
  expect((await show(app, subscribed)).status).toBe('active');
});

describe('money of a try that was believed lost', () => {
  const REVERSED = [
    { status: 'succeeded', reversedAt: null },
    { status: 'succeeded', reversedAt: expect.any(Number) },
  ];

  /** A charge is stuck on its way; on the payment's page the buyer pays by a card that is not decided on at once. */
  async function payBeside(number: string, subscribed: Subscribed, charge: () => Promise<Answer>) {
    const call = stallNextCharge(app);
    const charging = charge();
    await call.begun;
    const { lastPayment } = await show(app, subscribed);
    forgetNextCancel(app);
    const { body } = await app.test.get(`/v0/payments/${lastPayment.id}`);
    const page = new URL(body.data.payment.payUrl).pathname.replace('/pay/', '/payment-pages/');
    const paying = { keys: 'none' as const, body: { card: card(number) } };
    await app.test.request('POST', `${page}/pay`, paying);
    call.release();
    await charging;
    const showPayment = async () => (await app.test.get(`/v0/payments/${lastPayment.id}`)).body.data.payment;
    expect(await showPayment()).toMatchObject({ status: 'PAID' });
    return showPayment;
  }

  const chargeExtra = ({ number }: Subscribed) =>
    app.test.post(`/v0/subscriptions/${number}/charge`, {
      items: [{ name: 'Extra', unitPrice: 500, currency: 'EUR' }],
    });

  it('pays, and what another try takes meanwhile goes back', async () => {
    const subscribed = await start();
    const showPayment = await payBeside(UNKNOWN_FIRST, subscribed, () => chargeExtra(subscribed));
    await wait(10 * MINUTE_MS);
    const payment = await showPayment();
    expect(payment).toMatchObject({ status: 'PAID', charges: REVERSED });
    const [, { id, amount }] = payment.charges;
    const taken = 'select refunded::int from sandbox_charges where id = $1';
    expect((await app.service.pool.query(taken, [id])).rows).toEqual([{ refunded: amount }]);
  });

  it('pays a period, and the next one comes at its time', async () => {
    const subscribed = await start();
    await act(subscribed, 'pauseCollection', { invoicingBehavior: 'keep_as_draft' });
    await toIntervalEnd(subscribed, -MINUTE_MS);
    const showPayment = await payBeside(UNKNOWN_FIRST, subscribed, () => act(subscribed, 'resume'));
    await wait(10 * MINUTE_MS);
    expect(await showPayment()).toMatchObject({ status: 'PAID', charges: REVERSED });
    await toIntervalEnd(subscribed, -MINUTE_MS);
    expect(await statusesOf(subscribed)).toEqual(['PAID', 'PAID']);
  });

  it('lets nobody authenticate for what it has paid, also when the subscription ends', async () => {
    const subscribed = await start();
    const showPayment = await payBeside(AUTHENTICATES, subscribed, () => chargeExtra(subscribed));
    expect((await act(subscribed, 'cancel')).status).toBe(200);
    await wait(10 * MINUTE_MS);
    expect(await showPayment()).toMatchObject({
      status: 'PAID',
      charges: [{ status: 'succeeded' }, { status: 'failed' }],
    });
    const failing = app.service.db.selectFrom('dueWork').select('kind').where('failures', '>', 0);
    expect(await failing.execute()).toEqual([]);
  });
});
