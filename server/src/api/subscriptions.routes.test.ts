import { describe, expect, it } from 'vitest';
import { makeKeys } from '../../test/support/assistant.ts';
import { makeAccount, openSignedIn } from '../../test/support/browser.ts';
import { listTaken } from '../../test/support/buying.ts';
import { PAYS_ONCE } from '../../test/support/cards.ts';
import { advance, DAY_MS } from '../../test/support/clock.ts';
import { expectRefusal } from '../../test/support/expect-refusal.ts';
import { stallNextCharge } from '../../test/support/faulty-processor.ts';
import type { TestApp } from '../../test/support/harness.ts';
import { makePlanOffer } from '../../test/support/make-catalogue.ts';
import { useShop } from '../../test/support/shop.ts';
import { listPeriods, listSteps, type Subscribed, show, subscribe } from '../../test/support/subscribing.ts';

const UNKNOWN = '000000000000';

let app: TestApp;
let planId: string;
let trialId: string;

useShop(async (made) => {
  app = made;
  planId = await makePlanOffer(app.test, { price: 1000 });
  trialId = await makePlanOffer(app.test, { price: 1000, trialInterval: 'day', trialIntervalCount: 14 });
});

const days = (count: number) => advance(app, app.test.scope, count * DAY_MS);
const buyer = () => ({ userEmail: `${Math.random()}@example.com` });
const start = (offerId = planId, card = '4242424242424242') => subscribe(app, offerId, { card, ...buyer() });
const act = ({ number }: Pick<Subscribed, 'number'>, verb: string, body: Record<string, unknown> = {}) => {
  const path = `/v0/subscriptions/${number}/${verb}`;
  return verb === 'end-trial' ? app.test.post(path, body) : app.test.patch(path, body);
};
const statusesOf = async (subscribed: Subscribed) =>
  (await listPeriods(app, subscribed)).map(({ status }) => status);

describe('GET /v0/subscriptions/list', () => {
  it('pages by cursor, ten at a time, newest first, and filters', async () => {
    const first = await start();
    for (let count = 0; count < 10; count += 1) await start(trialId);
    const all = await app.test.get('/v0/subscriptions/list');
    expect(all.body.data).toMatchObject({ hasMore: true, count: 11 });
    expect(all.body.data.subscriptions).toHaveLength(10);
    const rest = await app.test.get('/v0/subscriptions/list', { query: { cursor: all.body.data.cursor } });
    expect(rest.body.data.subscriptions.map(({ id }: { id: string }) => id)).toEqual([first.number]);
    const query = { status: 'active', returnCount: 'true', userId: first.userId };
    const active = await app.test.get('/v0/subscriptions/list', { query });
    expect(active.body.data).toMatchObject({ count: 1, subscriptions: [{ id: first.number, items: [{}] }] });
    const alias = await app.test.get('/v0/subscriptions/list', { query: { status: 'all', take: '100' } });
    expect(alias.body.data.subscriptions).toHaveLength(11);
  });

  it('shows nothing of another store, and refuses a status that does not exist', async () => {
    const other = await app.other.get('/v0/subscriptions/list');
    expect(other.body.data.subscriptions).toEqual([]);
    const wrong = app.test.get('/v0/subscriptions/list', { query: { status: 'asleep' } });
    await expectRefusal(wrong, 400, 'invalid_input');
  });
});

describe('GET /v0/subscriptions/{id}', () => {
  it('answers it by its number, with items, last payment and user', async () => {
    const { number, userId } = await start();
    const { body } = await app.test.get(`/v0/subscriptions/%23${number.toLowerCase()}`, { keys: 'public' });
    expect(body.data).toMatchObject({
      subscription: { id: number, status: 'active', value: 1000 },
      items: [{ value: 1000, quantity: 1 }],
      lastPayment: { number, status: 'PAID' },
      user: { id: userId },
    });
  });

  it.each([
    ['GET', ''],
    ['PATCH', '/cancel'],
    ['PATCH', '/pauseCollection'],
    ['PATCH', '/resume'],
    ['POST', '/end-trial'],
  ])('%s %s is 404 for an unknown number and for that of another store', async (method, path) => {
    const { number } = await start();
    const body = method === 'GET' ? {} : { body: {} };
    await expectRefusal(
      app.test.request(method, `/v0/subscriptions/${UNKNOWN}${path}`, body),
      404,
      'not_found',
    );
    await expectRefusal(
      app.other.request(method, `/v0/subscriptions/${number}${path}`, body),
      404,
      'not_found',
    );
  });
});

describe('PATCH /v0/subscriptions/{id}/cancel', () => {
  it('ends it at once unless asked otherwise, and tells the change before the end', async () => {
    const subscribed = await start();
    const { body } = await act(subscribed, 'cancel', { reason: 'no need' });
    expect(body.data).toMatchObject({
      success: true,
      subscription: { status: 'canceled', cancelReason: 'no need', cancelAtIntervalEnd: false },
    });
    const { canceledAt, endedAt } = body.data.subscription;
    expect(endedAt).toBe(canceledAt);
    expect((await listSteps(app, subscribed)).slice(3)).toEqual([
      'subscription_updated canceled',
      'subscription_cancelled canceled',
    ]);
    await days(40);
    expect(await listPeriods(app, subscribed)).toEqual([]);
  });

  it.each([{ cancelOption: 'endInterval' }, { cancelAtIntervalEnd: true }, { immediately: false }])(
    'ends it with its interval for %j',
    async (body) => {
      const subscribed = await start();
      const asked = await act(subscribed, 'cancel', body);
      const { canceledAt, currentIntervalEnd } = asked.body.data.subscription;
      expect(asked.body.data.subscription).toMatchObject({
        status: 'active',
        cancelAtIntervalEnd: true,
        endedAt: null,
      });
      expect((await act(subscribed, 'cancel', body)).body.data.subscription.canceledAt).toBe(canceledAt);
      await days(32);
      expect(await show(app, subscribed)).toMatchObject({
        status: 'canceled',
        canceledAt,
        endedAt: currentIntervalEnd,
      });
      expect(await listPeriods(app, subscribed)).toEqual([]);
      expect((await listSteps(app, subscribed)).slice(3)).toEqual([
        'subscription_updated active',
        'subscription_updated canceled',
        'subscription_cancelled canceled',
      ]);
    },
  );

  it('gives money back only for whoever may refund, and else leaves the subscription as it is', async () => {
    const subscribed = await start();
    const path = `/v0/subscriptions/${subscribed.number}/cancel`;
    const keys = await makeKeys(app, app.test, ['subscriptions:read', 'subscriptions:write']);
    await expectRefusal(app.test.patch(path, { refund: true }, { keys }), 403, 'insufficient_scope');
    await makeAccount(app, {
      email: 'ends@subscriptions.example',
      member: {
        workspaceId: app.test.scope.workspaceId,
        role: 'custom',
        permissions: { subscriptions: 'write', refunds: 'read' },
      },
    });
    const member = await openSignedIn(app, 'ends@subscriptions.example');
    await expectRefusal(member.patch(path, { refund: true }), 403, 'insufficient_permission');
    expect(await show(app, subscribed)).toMatchObject({ status: 'active', cancelAtIntervalEnd: false });
    const both = await makeKeys(app, app.test, ['subscriptions:write', 'orders:write']);
    const { body } = await app.test.patch(path, { refund: true }, { keys: both });
    expect(body.data.subscription.status).toBe('canceled');
  });

  it('gives back what was paid for the time that is left', async () => {
    const subscribed = await start();
    const { currentIntervalStart: startMs, currentIntervalEnd: endMs } = await show(app, subscribed);
    await days(10);
    const path = `/v0/subscriptions/${subscribed.number}/cancel/preview`;
    const { cancelPreview } = (await app.test.get(path)).body.data;
    await expectRefusal(app.test.get(path, { keys: 'public' }), 401, 'secret_key_required');
    await act(subscribed, 'cancel', { refund: true });
    const { body } = await app.test.get(`/v0/orders/${subscribed.orderId}`);
    const { canceledAt } = await show(app, subscribed);
    const { value } = body.data.payments[0];
    const expected = Math.round((value * (endMs - canceledAt)) / (endMs - startMs));
    expect(body.data.refunds).toMatchObject([{ status: 'succeeded', amount: expected }]);
    const { currency } = body.data.refunds[0];
    expect(cancelPreview).toEqual({ object: 'cancel_preview', amount: expected, currency });
    expect((await app.test.get(path)).body.data.cancelPreview.amount).toBe(0);
    expect(body.data.payments[0]).toMatchObject({ status: 'PARTIALLY_REFUNDED', refundedValue: expected });
  });

  it('leaves nothing owed of a subscription that is past due', async () => {
    const subscribed = await start(planId, PAYS_ONCE);
    await days(32);
    expect(await statusesOf(subscribed)).toEqual(['FAILED']);
    await act(subscribed, 'cancel');
    expect(await statusesOf(subscribed)).toEqual(['CANCELLED']);
  });

  it.each([
    { cancelOption: 'endInterval', immediately: true },
    { cancelAtIntervalEnd: true, cancelOption: 'immediately' },
    { cancelOption: 'endInterval', refund: true },
    { cancelOption: 'later' },
  ])('400 for %j', async (body) => {
    await expectRefusal(act(await start(), 'cancel', body), 400, 'invalid_input');
  });

  it('409 once it has ended', async () => {
    const subscribed = await start();
    await act(subscribed, 'cancel');
    await expectRefusal(act(subscribed, 'cancel'), 409, 'subscription_state');
    await expectRefusal(
      act(subscribed, 'cancel', { cancelOption: 'endInterval' }),
      409,
      'subscription_state',
    );
  });
});

describe('PATCH /v0/subscriptions/{id}/pauseCollection and resume', () => {
  it('lets periods go by without a payment, and charges with the next boundary after it resumed', async () => {
    const subscribed = await start();
    const paused = await act(subscribed, 'pause-collection');
    expect(paused.body.data.subscription).toMatchObject({ status: 'paused', resumeAt: null });
    expect(paused.body.data.subscription.pausedAt).toBeGreaterThan(0);
    await days(70);
    const resumed = await act(subscribed, 'resume');
    expect(resumed.body.data).toMatchObject({
      success: true,
      subscription: { status: 'active', pausedAt: null },
    });
    expect(await statusesOf(subscribed)).toEqual([]);
    await days(31);
    expect(await statusesOf(subscribed)).toEqual(['PAID']);
    const [period] = await listPeriods(app, subscribed);
    expect(period?.periodStart).toBe(resumed.body.data.subscription.currentIntervalEnd);
  });

  it('keeps drafts and charges them when it resumes, oldest first', async () => {
    const subscribed = await start();
    await act(subscribed, 'pauseCollection', { invoicingBehavior: 'keep_as_draft' });
    await days(64);
    expect(await statusesOf(subscribed)).toEqual(['UNPAID', 'UNPAID']);
    const before = (await listTaken(app)).length;
    const { body } = await act(subscribed, 'resume');
    expect(body.data.subscription.status).toBe('active');
    expect(await statusesOf(subscribed)).toEqual(['PAID', 'PAID']);
    expect(await listTaken(app)).toHaveLength(before + 2);
    expect((await listSteps(app, subscribed)).slice(4)).toEqual([
      'payment_success paused',
      'subscription_interval paused',
      'payment_success active',
      'subscription_interval active',
      'subscription_updated active',
    ]);
  });

  it('answers what came of a draft that somebody else has begun to charge', async () => {
    const subscribed = await start();
    await act(subscribed, 'pauseCollection', { invoicingBehavior: 'keep_as_draft' });
    await days(64);
    const before = (await listTaken(app)).length;
    const stalled = stallNextCharge(app);
    const other = act(subscribed, 'resume');
    await stalled.begun;
    const { body } = await act(subscribed, 'resume');
    expect(body.data).toMatchObject({ success: true, subscription: { status: 'active' } });
    stalled.release();
    await other;
    expect(await statusesOf(subscribed)).toEqual(['PAID', 'PAID']);
    expect(await listTaken(app)).toHaveLength(before + 2);
  });

  it('is past due when a draft is declined', async () => {
    const subscribed = await start(planId, PAYS_ONCE);
    await act(subscribed, 'pauseCollection', { invoicingBehavior: 'keep_as_draft' });
    await days(64);
    const { body } = await act(subscribed, 'resume');
    expect(body.data).toMatchObject({ success: false, subscription: { status: 'past_due', pausedAt: null } });
    expect(await statusesOf(subscribed)).toEqual(['FAILED', 'UNPAID']);
    expect((await listSteps(app, subscribed)).slice(4)).toEqual([
      'payment_failed past_due',
      'subscription_updated past_due',
    ]);
  });

  it('gives payments up that are marked uncollectible', async () => {
    const subscribed = await start();
    await act(subscribed, 'pauseCollection', { invoicingBehavior: 'mark_uncollectible' });
    await days(32);
    expect(await statusesOf(subscribed)).toEqual(['CANCELLED']);
    await act(subscribed, 'resume');
    expect((await show(app, subscribed)).status).toBe('active');
  });

  it('resumes by itself at resumeAt, given with the pause or later', async () => {
    const subscribed = await start();
    const { createdAt } = await show(app, subscribed);
    const resumeAt = createdAt + 50 * DAY_MS;
    await act(subscribed, 'pauseCollection', { resumeAt: createdAt + 70 * DAY_MS });
    const later = await act(subscribed, 'resume', { resumeAt });
    expect(later.body.data.subscription).toMatchObject({ status: 'paused', resumeAt });
    await days(49);
    expect((await show(app, subscribed)).status).toBe('paused');
    await days(2);
    expect(await show(app, subscribed)).toMatchObject({ status: 'active', resumeAt: null });
  });

  it('keeps a trial that still runs, and lets one that ended go by without a charge', async () => {
    const short = await start(trialId);
    await act(short, 'pauseCollection');
    await days(2);
    expect((await act(short, 'resume')).body.data.subscription.status).toBe('trialing');
    const long = await start(trialId);
    await act(long, 'pauseCollection');
    await days(20);
    expect((await act(long, 'resume')).body.data.subscription.status).toBe('active');
    expect(await listPeriods(app, long)).toEqual([]);
  });

  it('stops dunning, which goes on with what it had left', async () => {
    const subscribed = await start(planId, PAYS_ONCE);
    const { currentIntervalEnd, createdAt } = await show(app, subscribed);
    await advance(app, app.test.scope, currentIntervalEnd - createdAt + DAY_MS);
    const charges = async () => {
      const { body } = await app.test.get(`/v0/payments/${subscribed.number}-1`);
      return body.data.payment.charges.length;
    };
    expect(await charges()).toBe(1);
    await act(subscribed, 'pauseCollection');
    await days(5);
    const { body } = await act(subscribed, 'resume');
    expect({ status: body.data.subscription.status, charges: await charges() }).toEqual({
      status: 'past_due',
      charges: 1,
    });
    await days(1);
    expect(await charges()).toBe(2);
  });

  it('400 for a resumeAt that lies behind and for an unknown behaviour', async () => {
    const subscribed = await start();
    await expectRefusal(
      act(subscribed, 'pauseCollection', { resumeAt: 1_000_000_000_000 }),
      400,
      'invalid_input',
    );
    await expectRefusal(
      act(subscribed, 'pauseCollection', { invoicingBehavior: 'free' }),
      400,
      'invalid_input',
    );
  });

  it('409 for a pause of what is paused and for a resumption of what runs', async () => {
    const subscribed = await start();
    await expectRefusal(act(subscribed, 'resume'), 409, 'subscription_state');
    await act(subscribed, 'pauseCollection');
    await expectRefusal(act(subscribed, 'pauseCollection'), 409, 'subscription_state');
  });
});

describe('POST /v0/subscriptions/{id}/end-trial', () => {
  it('charges the first interval now, and the calendar begins now', async () => {
    const subscribed = await start(trialId);
    await days(3);
    const { body } = await act(subscribed, 'end-trial');
    expect(body.data).toMatchObject({
      subscription: { status: 'active' },
      payment: { type: 'subscription_interval', status: 'PAID' },
    });
    const { trialEnd, currentIntervalStart } = body.data.subscription;
    expect(currentIntervalStart).toBe(trialEnd);
    expect((await listSteps(app, subscribed)).slice(3)).toEqual([
      'subscription_updated trialing',
      'payment_success active',
      'subscription_interval active',
      'subscription_updated active',
    ]);
    await days(40);
    expect(await statusesOf(subscribed)).toEqual(['PAID', 'PAID']);
  });

  it('is a result and no error when the card is declined', async () => {
    const subscribed = await start(trialId);
    await app.service.db
      .updateTable('paymentMethods')
      .set({ reference: 'card_declined' })
      .where('userId', '=', subscribed.userId)
      .execute();
    const { status, body } = await act(subscribed, 'end-trial');
    expect({ status, data: body.data }).toMatchObject({
      status: 200,
      data: { subscription: { status: 'past_due' }, payment: { status: 'FAILED' } },
    });
  });

  it('409 without a trial', async () => {
    await expectRefusal(act(await start(), 'end-trial'), 409, 'subscription_state');
  });
});
