import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { authenticateCharge, buy } from '../../test/support/buying.ts';
import { createTestApp, type TestApp } from '../../test/support/harness.ts';
import { makeOffer, makePlanOffer, makeProduct } from '../../test/support/make-catalogue.ts';
import { type PortalBrowser, readMails, signIn } from '../../test/support/portal.ts';

let app: TestApp;
let made = 0;
const DAY_MS = 86_400_000;
const DECLINES_LATER = '4000000000000341';
const AUTHENTICATES = '4000002500003155';

beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const codeOf = (answer: { status: number; body: { error?: { code: string } } }) =>
  `${answer.status} ${answer.body.error?.code}`;
const setPortal = (portal: Record<string, unknown>) => app.test.patch('/v0/settings/update', { portal });
const advance = async (ms: number) => {
  const { body } = await app.test.get('/v0/test-clock');
  await app.service.clock.advance(app.test.scope, body.data.testClock.now + ms);
};

interface Subscribed {
  browser: PortalBrowser;
  email: string;
  /** The subscription's path. */
  path: string;
  id: string;
  /** A monthly plan of 10.00, one of 30.00 and one of 5.00. */
  basic: string;
  pro: string;
  small: string;
}

async function subscribe(fields: Record<string, unknown> = {}): Promise<Subscribed> {
  made += 1;
  const email = `club${made}@example.com`;
  const productId = await makeProduct(app.test, { type: 'Subscription', name: 'Club' });
  const plan = (price: number) =>
    makeOffer(app.test, { productId, price, recurringInterval: 'month', recurringIntervalCount: 1 });
  const [basic, pro, small] = [await plan(1000), await plan(3000), await plan(500)];
  const { body } = await buy(app.test, { offersIds: [basic], userEmail: email, ...fields });
  const id = body.data.order.number;
  return { browser: await signIn(app, email), email, id, path: `/subscriptions/${id}`, basic, pro, small };
}

const preview = async ({ browser, path }: Subscribed, offerId: string) =>
  (await browser.post(`${path}/preview-change`, { offerId })).body.data.preview;
const change = (
  { browser, path }: Subscribed,
  offerId: string,
  shown: { prorationDate: number; fingerprint: string },
) =>
  browser.patch(`${path}/change`, {
    offerId,
    prorationDate: shown.prorationDate,
    fingerprint: shown.fingerprint,
  });
const planOf = async ({ browser, path }: Subscribed) =>
  (await browser.get(path)).body.data.subscription.items[0].offerId;

describe('GET /v0/portal/subscriptions', () => {
  test('S12 lists the active, the paused and the ended; the next payment is what is charged', async () => {
    const one = await subscribe();
    const paused = await buy(app.test, { offersIds: [await makePlanOffer(app.test)], userEmail: one.email });
    await app.test.patch(`/v0/subscriptions/${paused.body.data.order.number}/pauseCollection`);
    const ended = await buy(app.test, { offersIds: [await makePlanOffer(app.test)], userEmail: one.email });
    await app.test.patch(`/v0/subscriptions/${ended.body.data.order.number}/cancel`);
    const { subscriptions } = (await one.browser.get('/subscriptions/list')).body.data;
    expect(subscriptions.map(({ status }: { status: string }) => status).sort()).toEqual([
      'active',
      'canceled',
      'paused',
    ]);
    const { upcomingPayment } = (await one.browser.get(`${one.path}/upcoming-payment`)).body.data;
    await advance(32 * DAY_MS);
    const { payments } = (await one.browser.get(`/orders/${one.id}`)).body.data;
    const renewal = payments.find(({ type }: { type: string }) => type === 'subscription_interval');
    expect(renewal).toMatchObject({ value: upcomingPayment.value, tax: upcomingPayment.tax, status: 'PAID' });
    const overview = (await one.browser.get('/overview')).body.data;
    expect(overview.subscriptions).toHaveLength(3);
    const next = (await one.browser.get(`${one.path}/upcoming-payment`)).body.data.upcomingPayment;
    expect(overview.nextPayments).toEqual([{ subscriptionId: one.id, date: next.date, value: next.value }]);
    expect(overview.orders).toHaveLength(3);
  });
});

describe('a change of plan', () => {
  test('S16 charges what the button said, at the start, in the middle and at the last minute', async () => {
    for (const ahead of [0, 15 * DAY_MS, -60_000]) {
      const one = await subscribe();
      const { currentIntervalEnd } = (await one.browser.get(one.path)).body.data.subscription;
      if (ahead > 0) await advance(ahead);
      if (ahead < 0) await app.service.clock.advance(app.test.scope, currentIntervalEnd + ahead);
      const shown = await preview(one, one.pro);
      const { payment, subscription, action } = (await change(one, one.pro, shown)).body.data;
      expect({ paid: payment?.value ?? 0, action }).toEqual({ paid: shown.amountDue, action: null });
      expect(payment?.status ?? 'PAID').toBe('PAID');
      expect(subscription.items[0].offerId).toBe(one.pro);
    }
  });

  test('S17 charges nothing once a price was edited, or 16 minutes have gone', async () => {
    const one = await subscribe();
    const shown = await preview(one, one.pro);
    await app.test.patch(`/v0/offers/${one.pro}/update`, { price: 4000 });
    const refused = await change(one, one.pro, shown);
    expect(codeOf(refused)).toBe('409 price_changed');
    const [{ current }] = refused.body.error.details;
    expect(current.amountDue).toBeGreaterThan(shown.amountDue);
    // A refusal's facts are shown like any other answer to a buyer.
    expect(JSON.stringify(current)).not.toContain('internalId');
    await advance(16 * 60_000);
    const late = await change(one, one.pro, current);
    expect(codeOf(late)).toBe('409 price_changed');
    expect(await planOf(one)).toBe(one.basic);
    const { payments } = (await one.browser.get(`/orders/${one.id}`)).body.data;
    expect(payments).toHaveLength(1);
    const [{ current: again }] = late.body.error.details;
    expect((await change(one, one.pro, again)).body.data.payment.value).toBe(again.amountDue);
  });

  test('S18 keeps the old plan at a decline, and changes once the bank has been answered', async () => {
    const poor = await subscribe({ card: DECLINES_LATER });
    const declined = (await change(poor, poor.pro, await preview(poor, poor.pro))).body.data;
    expect(declined).toMatchObject({ payment: { status: 'FAILED' }, action: null });
    expect(await planOf(poor)).toBe(poor.basic);

    const one = await subscribe();
    const card = { card: AUTHENTICATES, subscriptionIds: [one.id] };
    expect((await one.browser.post('/payment-methods/create', card)).status).toBe(200);
    const waiting = (await change(one, one.pro, await preview(one, one.pro))).body.data;
    expect(waiting.payment.status).toBe('PENDING');
    expect(waiting.action.url).toContain('/sandbox/authenticate/');
    expect(await planOf(one)).toBe(one.basic);
    await authenticateCharge(app, waiting.payment.charges[0].id, 'approve');
    expect(await planOf(one)).toBe(one.pro);
  });

  test('S19 shows the credits of a downgrade, and the next renewal is the preview’s', async () => {
    const one = await subscribe();
    await advance(10 * DAY_MS);
    const shown = await preview(one, one.small);
    expect(shown.amountDue).toBe(0);
    expect(shown.lines.some(({ total }: { total: number }) => total < 0)).toBe(true);
    expect((await change(one, one.small, shown)).body.data.payment).toBeNull();
    await advance(22 * DAY_MS);
    const { payments } = (await one.browser.get(`/orders/${one.id}`)).body.data;
    const renewal = payments.find(({ type }: { type: string }) => type === 'subscription_interval');
    expect(renewal.value).toBe(shown.nextPayment.value);
  });

  test('S26 is offered as the shop has it: off, listed, and with a quantity or not', async () => {
    const one = await subscribe();
    const plans = async () => (await one.browser.get(`${one.path}/plans`)).body.data.plans;
    expect((await plans()).map(({ price }: { price: number }) => price)).toEqual([500, 1000, 3000]);
    const other = await makePlanOffer(app.test, { price: 700 });
    const asked = (offerId: string, quantity?: number) =>
      one.browser.post(`${one.path}/preview-change`, { offerId, ...(quantity ? { quantity } : {}) });
    expect(codeOf(await asked(other))).toBe('400 invalid_input');
    expect(codeOf(await asked(one.pro, 3))).toBe('403 feature_disabled');
    await setPortal({ quantityChange: true, planChange: 'listed', planChangeOffers: [other] });
    expect((await asked(other, 3)).status).toBe(200);
    expect(codeOf(await asked(one.pro))).toBe('400 invalid_input');
    await setPortal({ planChange: 'off', quantityChange: false });
    expect(codeOf(await asked(other))).toBe('403 feature_disabled');
    expect((await one.browser.get(one.path)).body.data.subscription.actions).toEqual(['cancel']);
    await setPortal({ planChange: 'product', planChangeOffers: [] });
  });

  test('S16 tells plans apart that are called alike, and shows the one that runs at its own price', async () => {
    const productId = await makeProduct(app.test, { type: 'Subscription', name: 'Club' });
    const make = async (name: string, price: number) => {
      const { body } = await app.test.post(`/v0/products/${productId}/plans/add`, { name });
      const variantId = body.data.plan.id;
      const monthly = { recurringInterval: 'month', recurringIntervalCount: 1 };
      return makeOffer(app.test, { productId, variantId, price, name: 'Monthly', ...monthly });
    };
    const [small] = [await make('Small', 500), await make('Large', 900)];
    const { body } = await buy(app.test, { offersIds: [small], userEmail: 'alike@example.com' });
    await app.test.patch(`/v0/offers/${small}/update`, { price: 700 });
    const browser = await signIn(app, 'alike@example.com');
    const { plans } = (await browser.get(`/subscriptions/${body.data.subscription.id}/plans`)).body.data;
    expect(plans).toMatchObject([
      { name: 'Small · Monthly', price: 500, current: true },
      { name: 'Large · Monthly', price: 900, current: false },
    ]);
  });

  test('S26 lets the quantity be changed where plans are not, of an offer that is not for sale any more too', async () => {
    await setPortal({ planChange: 'off', quantityChange: true });
    const one = await subscribe();
    await app.test.patch(`/v0/offers/${one.basic}/archive`);
    expect((await one.browser.get(one.path)).body.data.subscription.actions).toContain('change');
    const { plans } = (await one.browser.get(`${one.path}/plans`)).body.data;
    expect(plans).toMatchObject([{ offerId: one.basic, price: 1000, current: true }]);
    const asked = { offerId: one.basic, quantity: 3 };
    const shown = await one.browser.post(`${one.path}/preview-change`, asked);
    expect(shown.status, shown.text).toBe(200);
    const { prorationDate, fingerprint } = shown.body.data.preview;
    const made = await one.browser.patch(`${one.path}/change`, { ...asked, prorationDate, fingerprint });
    expect(made.body.data.subscription.items[0].quantity).toBe(3);
    await setPortal({ planChange: 'product', quantityChange: false });
  });
});

describe('the end of a subscription', () => {
  it('is taken back before the plan changes, also in a tab that was open before', async () => {
    const one = await subscribe();
    const shown = await preview(one, one.pro);
    await one.browser.patch(`${one.path}/cancel`);
    const asked = await one.browser.post(`${one.path}/preview-change`, { offerId: one.pro });
    expect(codeOf(asked)).toBe('409 subscription_state');
    expect(codeOf(await change(one, one.pro, shown))).toBe('409 subscription_state');
    expect(await planOf(one)).toBe(one.basic);
    await one.browser.patch(`${one.path}/keep`);
    expect((await change(one, one.pro, await preview(one, one.pro))).status).toBe(200);
    expect(await planOf(one)).toBe(one.pro);
  });

  test('S20 is two presses without a reason, and taken back by one; one mail each', async () => {
    const one = await subscribe();
    const ending = (await one.browser.patch(`${one.path}/cancel`)).body.data.subscription;
    expect(ending).toMatchObject({ cancelAtIntervalEnd: true, cancelReason: null, actions: ['keep'] });
    const kept = (await one.browser.patch(`${one.path}/keep`)).body.data.subscription;
    expect(kept).toMatchObject({ cancelAtIntervalEnd: false, canceledAt: null });
    const mails = await readMails(app, one.email);
    expect(mails.filter(({ kind }) => kind === 'subscription_ending')).toHaveLength(1);
    const told = mails.filter(({ kind }) => kind === 'subscription_changed');
    expect(told).toHaveLength(1);
    // What goes on is charged again: when, and how much.
    const { upcomingPayment } = (await one.browser.get(`${one.path}/upcoming-payment`)).body.data;
    expect(told[0]?.text).toContain('Next payment: ');
    expect(told[0]?.text).toContain(`Amount: €${(upcomingPayment.value / 100).toFixed(2)}`);
  });

  it('keeps a reason of the list and a comment, and comes when the shop says', async () => {
    const one = await subscribe();
    expect(codeOf(await one.browser.patch(`${one.path}/cancel`, { timing: 'immediately' }))).toBe(
      '400 invalid_input',
    );
    await setPortal({ cancelTiming: 'choice', cancelReasons: ['unused'] });
    expect(codeOf(await one.browser.patch(`${one.path}/cancel`, { reason: 'switched' }))).toBe(
      '400 invalid_input',
    );
    const body = { timing: 'immediately', reason: 'unused', comment: 'No time.' };
    const { subscription } = (await one.browser.patch(`${one.path}/cancel`, body)).body.data;
    expect(subscription).toMatchObject({ status: 'canceled', cancelReason: 'unused: No time.' });
    expect(subscription.actions).toEqual(['subscribe_again']);
    await setPortal({ cancelTiming: 'endInterval', cancelReasons: ['unused', 'other'] });
  });

  it('is kept with what the shop gives to whoever stays, once', async () => {
    const { body } = await app.test.post('/v0/discounts/create', {
      ...{ type: 'code', discountCode: 'STAY20', amount: 20, amountType: 'percentage', name: '20% off' },
    });
    const one = await subscribe();
    await one.browser.patch(`${one.path}/cancel`);
    expect(codeOf(await one.browser.patch(`${one.path}/keep`, { acceptOffer: true }))).toBe(
      '403 feature_disabled',
    );
    await setPortal({ stayDiscountId: body.data.discount.id });
    const kept = await one.browser.patch(`${one.path}/keep`, { acceptOffer: true });
    expect(kept.body.data.subscription).toMatchObject({
      cancelAtIntervalEnd: false,
      discount: { amount: 20 },
    });
    const again = await one.browser.patch(`${one.path}/keep`, { acceptOffer: true });
    expect(codeOf(again)).toBe('409 discount_running');
    await setPortal({ stayDiscountId: null });
  });

  it('offers it while it can be taken: not beside a discount that runs, and not a second time', async () => {
    const codes = { type: 'code', amount: 20, amountType: 'percentage', duration: 'once' };
    const make = async (discountCode: string) =>
      (await app.test.post('/v0/discounts/create', { ...codes, discountCode })).body.data.discount.id;
    await make('WELCOME');
    const stayDiscountId = await make('STAYONCE');
    await setPortal({ stayDiscountId });
    const one = await subscribe({ discountCode: 'WELCOME' });
    const offered = async () => (await one.browser.get(one.path)).body.data.subscription.stayOffer;
    const take = () => one.browser.patch(`${one.path}/keep`, { acceptOffer: true });
    // The first payment was the only one that it lowered.
    expect(await offered()).toBe('STAYONCE');
    const { stayTerms } = (await one.browser.get(one.path)).body.data.subscription;
    const { amount, amountType, duration } = codes;
    expect(stayTerms).toEqual({ amount, amountType, duration, durationIntervals: null });
    expect((await take()).status).toBe(200);
    expect(await offered()).toBeNull();
    expect(codeOf(await take())).toBe('409 discount_running');
    await advance(32 * DAY_MS);
    expect((await one.browser.get(one.path)).body.data.subscription).toMatchObject({
      stayOffer: null,
      stayTerms: null,
    });
    expect(codeOf(await take())).toBe('403 feature_disabled');
    const paused = await subscribe();
    expect((await paused.browser.get(paused.path)).body.data.subscription.stayOffer).toBe('STAYONCE');
    await app.test.patch(`/v0/subscriptions/${paused.id}/pauseCollection`);
    expect((await paused.browser.get(paused.path)).body.data.subscription.stayOffer).toBeNull();
    await setPortal({ stayDiscountId: null });
  });
});

describe('a pause', () => {
  test('S21 is for as long as the shop allows, if it does, and ends when it is asked to', async () => {
    const one = await subscribe();
    expect(codeOf(await one.browser.patch(`${one.path}/pause`))).toBe('403 feature_disabled');
    await setPortal({ pause: true, pauseMaxDays: 30 });
    const { body } = await app.test.get('/v0/test-clock');
    const resumeAt = body.data.testClock.now + 31 * DAY_MS;
    expect(codeOf(await one.browser.patch(`${one.path}/pause`, { resumeAt }))).toBe('400 invalid_input');
    const paused = (await one.browser.patch(`${one.path}/pause`)).body.data.subscription;
    expect(paused).toMatchObject({ status: 'paused', resumeAt: expect.any(Number) });
    expect(paused.actions).toContain('resume');
    expect((await one.browser.patch(`${one.path}/resume`)).body.data.subscription.status).toBe('active');
    await one.browser.patch(`${one.path}/cancel`);
    expect(codeOf(await one.browser.patch(`${one.path}/pause`))).toBe('409 subscription_state');
    const ending = (await one.browser.get(one.path)).body.data.subscription;
    expect(ending).toMatchObject({ status: 'active', cancelAtIntervalEnd: true, actions: ['keep'] });
    await setPortal({ pause: false });
  });
});
