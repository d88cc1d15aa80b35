/** A pause begins while a charge is under way, and what comes of the charge afterwards. */
import { describe, expect, it } from 'vitest';
import { card } from '../support/buying.ts';
import { DECLINED, LOST, PAYS_ONCE, VISA } from '../support/cards.ts';
import { advance, DAY_MS, MINUTE_MS } from '../support/clock.ts';
import { loseNextAnswer, loseNextCharge } from '../support/faulty-processor.ts';
import type { TestApp } from '../support/harness.ts';
import { makePlanOffer } from '../support/make-catalogue.ts';
import { useShop } from '../support/shop.ts';
import { listPeriods, listSteps, type Subscribed, show, subscribe } from '../support/subscribing.ts';

let app: TestApp;

useShop((made) => {
  app = made;
});

const wait = (ms: number) => advance(app, app.test.scope, ms);
const days = (count: number) => wait(count * DAY_MS);
const act = ({ number }: Subscribed, verb: string, body: Record<string, unknown> = {}) =>
  app.test.patch(`/v0/subscriptions/${number}/${verb}`, body);
const statusOf = async (subscribed: Subscribed) => (await show(app, subscribed)).status as string;
const stepsFrom = async (subscribed: Subscribed, count: number) =>
  (await listSteps(app, subscribed)).slice(count);

async function start(body: Record<string, unknown> = {}, fields: Record<string, unknown> = {}) {
  const offerId = await makePlanOffer(app.test, { price: 1000, ...fields });
  return subscribe(app, offerId, { userEmail: `${Math.random()}@example.com`, ...body });
}

async function giveCard({ userId }: Subscribed, number: string): Promise<void> {
  const paymentData = { sandboxCustomerId: `card_${number}` };
  expect((await app.test.patch(`/v0/users/${userId}/update`, { paymentData })).status).toBe(200);
}

async function toIntervalEnd(subscribed: Subscribed): Promise<void> {
  const { currentIntervalEnd } = await show(app, subscribed);
  const { body } = await app.test.get('/v0/test-clock');
  await wait(currentIntervalEnd - body.data.testClock.now);
}

/** Of its first renewal. */
async function countCharges({ number }: Subscribed): Promise<number> {
  const { body } = await app.test.get(`/v0/payments/${number}-1`);
  return body.data.payment.charges.length;
}

const statusesOf = async (subscribed: Subscribed) =>
  (await listPeriods(app, subscribed)).map(({ status }) => status);

/** Its renewal is declined, and nobody hears of it before the pause has begun. */
async function pauseWhileRenewing(number: string): Promise<Subscribed> {
  const subscribed = await start();
  await giveCard(subscribed, number);
  loseNextAnswer(app);
  await toIntervalEnd(subscribed);
  await pauseWhilePending(subscribed);
  return subscribed;
}

/** The same of the first retry after a soft decline. */
async function pauseWhileRetrying(reference: string): Promise<Subscribed> {
  const subscribed = await start({ card: PAYS_ONCE });
  await toIntervalEnd(subscribed);
  expect(await statusOf(subscribed)).toBe('past_due');
  await app.service.db
    .updateTable('paymentMethods')
    .set({ reference })
    .where('id', 'in', (eb) =>
      eb.selectFrom('subscriptions').select('paymentMethodId').where('id', '=', subscribed.id),
    )
    .execute();
  loseNextAnswer(app);
  await days(2);
  await pauseWhilePending(subscribed);
  return subscribed;
}

async function pauseWhilePending(subscribed: Subscribed): Promise<void> {
  expect((await statusesOf(subscribed)).at(-1)).toBe('PENDING');
  expect((await act(subscribed, 'pauseCollection')).status).toBe(200);
  await wait(5 * MINUTE_MS);
  expect(await statusesOf(subscribed)).toEqual(['FAILED']);
  expect(await statusOf(subscribed)).toBe('paused');
}

describe('a renewal that is declined after the pause has begun', () => {
  it('for good, is not tried again, and the run has its days after the pause', async () => {
    const subscribed = await pauseWhileRenewing(LOST);
    await days(3);
    expect((await act(subscribed, 'resume')).body.data.subscription.status).toBe('past_due');
    await days(20);
    expect(await statusOf(subscribed)).toBe('past_due');
    await days(1);
    expect(await statusOf(subscribed)).toBe('unpaid');
    expect(await countCharges(subscribed)).toBe(1);
    expect(await stepsFrom(subscribed, 3)).toEqual([
      'subscription_updated paused',
      'payment_failed paused',
      'subscription_updated past_due',
      'subscription_updated unpaid',
    ]);
  });

  it('softly, is tried again two days after the pause', async () => {
    const subscribed = await pauseWhileRenewing(DECLINED);
    await days(10);
    await act(subscribed, 'resume');
    await days(1);
    expect(await countCharges(subscribed)).toBe(1);
    await days(1);
    expect(await countCharges(subscribed)).toBe(2);
    expect(await statusOf(subscribed)).toBe('past_due');
  });

  it('is paid by a card that came in the pause', async () => {
    const subscribed = await pauseWhileRenewing(LOST);
    await giveCard(subscribed, VISA);
    await act(subscribed, 'resume');
    await days(2);
    expect(await statusesOf(subscribed)).toEqual(['PAID']);
    expect(await statusOf(subscribed)).toBe('active');
  });
});

describe('a retry that is declined after the pause has begun', () => {
  it('for good, is the last one', async () => {
    const subscribed = await pauseWhileRetrying('card_lost');
    await act(subscribed, 'resume');
    expect(await statusOf(subscribed)).toBe('past_due');
    await days(18);
    expect(await statusOf(subscribed)).toBe('past_due');
    await days(1);
    expect(await statusOf(subscribed)).toBe('unpaid');
    expect(await countCharges(subscribed)).toBe(2);
  });

  it('softly, has used up its day: the next one is five days after the pause', async () => {
    const subscribed = await pauseWhileRetrying('card_declined');
    await days(30);
    await act(subscribed, 'resume');
    await days(4);
    expect(await countCharges(subscribed)).toBe(2);
    await days(1);
    expect(await countCharges(subscribed)).toBe(3);
    expect(await statusOf(subscribed)).toBe('past_due');
  });

  it('on the last day of the run, ends it once the pause is over', async () => {
    const subscribed = await start({ card: PAYS_ONCE });
    await toIntervalEnd(subscribed);
    await days(14);
    loseNextAnswer(app);
    await days(7);
    await pauseWhilePending(subscribed);
    await act(subscribed, 'resume');
    expect(await statusOf(subscribed)).toBe('unpaid');
    expect((await stepsFrom(subscribed, 8)).slice(-3)).toEqual([
      'payment_failed paused',
      'subscription_updated past_due',
      'subscription_updated unpaid',
    ]);
    expect(await countCharges(subscribed)).toBe(5);
  });

  it('when the pause is over already, leaves the run where it was', async () => {
    const subscribed = await start({ card: PAYS_ONCE });
    await toIntervalEnd(subscribed);
    await days(2);
    loseNextAnswer(app);
    await days(5);
    await act(subscribed, 'pauseCollection');
    // The end of the pause asks for the charge again.
    loseNextAnswer(app);
    await act(subscribed, 'resume');
    expect(await statusOf(subscribed)).toBe('paused');
    await wait(5 * MINUTE_MS);
    expect(await statusOf(subscribed)).toBe('past_due');
    // Two of four retries are left, after seven days each.
    await days(13);
    expect(await statusOf(subscribed)).toBe('past_due');
    await days(1);
    expect(await statusOf(subscribed)).toBe('unpaid');
    expect(await countCharges(subscribed)).toBe(5);
  });
});

describe('a payment that is called off while its charge never reached the processor', () => {
  it('is not owed any more when a pause ends in which it was called off', async () => {
    const subscribed = await start({ card: PAYS_ONCE });
    await toIntervalEnd(subscribed);
    await days(1);
    loseNextCharge(app);
    await days(1);
    await act(subscribed, 'pauseCollection');
    await setBack(subscribed);
    const { body } = await app.test.post(`/v0/payments/${subscribed.number}-1/cancel`);
    expect(body.data.payment.status).toBe('CANCELLED');
    await act(subscribed, 'resume');
    expect((await stepsFrom(subscribed, 5)).at(-1)).toBe('subscription_updated active');
    expect(await stepsFrom(subscribed, 5)).not.toContain('subscription_updated past_due');
    await days(32);
    expect(await statusesOf(subscribed)).toEqual(['CANCELLED', 'FAILED']);
  });

  it('leaves a subscription active whose trial is over', async () => {
    const subscribed = await start({}, { trialInterval: 'day', trialIntervalCount: 10 });
    loseNextCharge(app);
    await toIntervalEnd(subscribed);
    await setBack(subscribed);
    await app.test.post(`/v0/payments/${subscribed.number}-1/cancel`);
    expect(await statusOf(subscribed)).toBe('active');
    expect((await stepsFrom(subscribed, 3)).at(-1)).toBe('subscription_updated active');
    await days(32);
    expect(await statusesOf(subscribed)).toEqual(['CANCELLED', 'PAID']);
  });

  /** The charge was sent so long ago that nobody believes it is still on its way. */
  async function setBack({ id }: Subscribed): Promise<void> {
    await app.service.db
      .updateTable('charges')
      .set((eb) => ({ createdAt: eb('createdAt', '-', MINUTE_MS) }))
      .where('status', '=', 'pending')
      .where('paymentId', 'in', (eb) =>
        eb.selectFrom('payments').select('id').where('subscriptionId', '=', id),
      )
      .execute();
  }
});

/** The buyer pays the first renewal on its page. */
async function payOnPage({ number }: Subscribed, body: Record<string, unknown>) {
  const { body: shown } = await app.test.get(`/v0/payments/${number}-1`);
  const page = new URL(shown.data.payment.payUrl).pathname.replace('/pay/', '/payment-pages/');
  return (await app.test.request('POST', `${page}/pay`, { keys: 'none', body })).body.data.debt;
}

it('a failed renewal that the buyer pays in a pause leaves its drafts to the end of the pause', async () => {
  const subscribed = await start({ card: PAYS_ONCE });
  await toIntervalEnd(subscribed);
  await act(subscribed, 'pauseCollection', { invoicingBehavior: 'keep_as_draft' });
  await days(32);
  expect(await statusesOf(subscribed)).toEqual(['FAILED', 'UNPAID']);
  await payOnPage(subscribed, { card: card(VISA), keep: true });
  expect(await statusesOf(subscribed)).toEqual(['PAID', 'UNPAID']);
  expect((await act(subscribed, 'resume')).body.data.subscription.status).toBe('active');
  expect(await statusesOf(subscribed)).toEqual(['PAID', 'PAID']);
  expect(await stepsFrom(subscribed, 6)).toEqual([
    'payment_success paused',
    'subscription_interval paused',
    'payment_success active',
    'subscription_interval active',
    'subscription_updated active',
  ]);
});

describe('a card that comes in the pause of a run', () => {
  async function pauseInRun(): Promise<Subscribed> {
    const subscribed = await start({ card: PAYS_ONCE });
    await toIntervalEnd(subscribed);
    await days(3);
    await act(subscribed, 'pauseCollection', { invoicingBehavior: 'keep_as_draft' });
    await days(40);
    await giveCard(subscribed, VISA);
    await wait(MINUTE_MS);
    expect(await statusesOf(subscribed)).toEqual(['FAILED', 'UNPAID']);
    return subscribed;
  }

  it('is tried as the pause ends, and pays all that is owed', async () => {
    const subscribed = await pauseInRun();
    expect((await act(subscribed, 'resume')).body.data.subscription.status).toBe('active');
    expect(await statusesOf(subscribed)).toEqual(['PAID', 'PAID']);
  });

  it('is tried as well where the pause ends by itself, and not again before its day', async () => {
    const subscribed = await pauseInRun();
    await giveCard(subscribed, DECLINED);
    const { body } = await app.test.get('/v0/test-clock');
    await act(subscribed, 'resume', { resumeAt: body.data.testClock.now + DAY_MS });
    await days(2);
    expect(await statusOf(subscribed)).toBe('past_due');
    expect(await countCharges(subscribed)).toBe(3);
    await days(2);
    expect(await countCharges(subscribed)).toBe(3);
    await days(2);
    expect(await countCharges(subscribed)).toBe(4);
  });
});

it("a buyer's card that is declined in a pause says nothing of the card that is charged after it", async () => {
  const subscribed = await start();
  await act(subscribed, 'pauseCollection', { invoicingBehavior: 'keep_as_draft' });
  await days(32);
  const debt = await payOnPage(subscribed, { card: card(LOST) });
  // Its buyer is not told that it is a lost one.
  expect(debt).toMatchObject({ status: 'open', failure: { reason: 'card_declined' } });
  expect(await statusOf(subscribed)).toBe('paused');
  await act(subscribed, 'resume');
  expect(await statusOf(subscribed)).toBe('active');
  expect(await statusesOf(subscribed)).toEqual(['PAID']);
});

/** Until so many transactions of this database wait for a lock: the server is asked, not the clock. */
async function untilWaiting(count: number): Promise<void> {
  const waiting = `select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
  await expect
    .poll(async () => (await app.service.pool.query(waiting)).rows[0]?.count, {
      interval: 20,
      timeout: 20_000,
    })
    .toBe(count);
}

describe('a pause that two end at once', () => {
  it('is over for the one that asked first, whom the other does not put off', async () => {
    const subscribed = await start();
    expect((await act(subscribed, 'pauseCollection')).status).toBe(200);
    const holding = await app.service.pool.connect();
    try {
      await holding.query('begin');
      await holding.query('select from subscriptions where id = $1 for update', [subscribed.id]);
      const first = act(subscribed, 'resume');
      await untilWaiting(1);
      const second = act(subscribed, 'resume');
      await untilWaiting(2);
      await holding.query('commit');
      const answers = await Promise.all([first, second]);
      expect(answers.map(({ body }) => body.data.subscription.status)).toEqual(['active', 'active']);
    } finally {
      holding.release();
    }
  });
});
