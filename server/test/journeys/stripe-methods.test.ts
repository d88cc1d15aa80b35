/** Methods that lead elsewhere or take days, over an account of Stripe. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { buy, type OpenPage, openPage } from '../support/buying.ts';
import { advance, DAY_MS, MINUTE_MS } from '../support/clock.ts';
import { expectInvariants } from '../support/expect-invariants.ts';
import type { TestApp } from '../support/harness.ts';
import { makeOffer, makePlanOffer } from '../support/make-catalogue.ts';
import { openStripeApp } from '../support/stripe-app.ts';
import type { StripeAccount, StripeDouble } from '../support/stripe-double.ts';

const TERMS = { price: 4900, currency: 'EUR', taxBehavior: 'inclusive' };
let app: TestApp;
let double: StripeDouble;
let account: StripeAccount;
let processorId: string;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ app, double, account, processorId, close } = await openStripeApp());
  await app.test.patch('/v0/settings/update', { testCheckout: 'processors' });
});
afterEach(() => expectInvariants(app));
afterAll(() => close?.());

/** What the page's fields make of what was typed there. */
async function makeToken(fields: Record<string, string>): Promise<string> {
  const typed = Object.entries(fields).map(([name, value]) => [`payment_method_data${name}`, value]);
  const answer = await fetch(`${double.apiUrl}/v1/test_helpers/confirmation_tokens`, {
    method: 'POST',
    headers: { authorization: `Bearer ${account.secretKey}` },
    body: new URLSearchParams(Object.fromEntries(typed)),
  });
  const { id } = (await answer.json()) as { id: string };
  expect(answer.status).toBe(200);
  return id;
}
const makeIdeal = () => makeToken({ '[type]': 'ideal', '[billing_details][name]': 'Ada' });
const makeDebit = (iban: string) =>
  makeToken({
    ...{ '[type]': 'sepa_debit', '[sepa_debit][iban]': iban },
    ...{ '[billing_details][name]': 'Ada', '[billing_details][email]': 'ada@example.com' },
  });

const press = (page: OpenPage, token: string, fields: Record<string, unknown> = {}) =>
  page.submit({ card: undefined, payment: { option: 'token', token }, ...fields });
const read = async (page: OpenPage) => (await page.show()).body.data.checkout;

const ofOrder = async (orderId: string) => {
  const query = { orderId };
  const { mails } = (await app.test.get('/v0/mails/list', { query })).body.data;
  const { events } = (await app.test.get('/v0/events/list', { query })).body.data;
  const byKind = (kind: string) => mails.filter((mail: { kind: string }) => mail.kind === kind);
  return { byKind, types: events.map(({ type }: { type: string }) => type) as string[] };
};
const readMail = async ({ id }: { id: string }) => {
  const { mail } = (await app.test.get(`/v0/mails/${id}`)).body.data;
  return mail as { subject: string; text: string };
};
/** The page that a mail leads to. */
const payFrom = (text: string) => `/payment-pages/${/\/pay\/([\w.-]+)/.exec(text)?.[1]}/pay`;

/** Where the processor wants the buyer, who then answers there, and may come back. */
async function answerBank(page: OpenPage, answer: 'complete' | 'fail'): Promise<string> {
  const { apiUrl } = await read(page);
  const asked = await app.test.post(`${apiUrl}/action`, {}, { keys: 'none' });
  const { url } = asked.body.data.action;
  const secret = new URL(url).searchParams.get('client_secret') ?? '';
  const body = new URLSearchParams({ client_secret: secret, answer });
  const said = await fetch(url, { method: 'POST', body, redirect: 'manual' });
  // A script of the page leads back.
  const [, address = ''] = /location\.replace\(("[^"]+")\)/.exec(await said.text()) ?? [];
  return JSON.parse(address) as string;
}

async function comeBack(address: string): Promise<void> {
  const { pathname, search } = new URL(address);
  expect((await app.test.get(`${pathname}${search}`, { keys: 'none' })).status).toBe(303);
}

describe('P10 a method that leads to a bank', () => {
  const begin = async () => {
    const page = await openPage(app, `/checkout/${await makeOffer(app.test, TERMS)}`);
    const answer = await press(page, await makeIdeal());
    expect(answer.body.data?.checkout.status, answer.text).toBe('requires_action');
    return page;
  };

  it('is paid once the buyer is back', async () => {
    const page = await begin();
    await comeBack(await answerBank(page, 'complete'));
    expect((await read(page)).status).toBe('paid');
  });

  it('can be paid again once the buyer has refused', async () => {
    const page = await begin();
    await comeBack(await answerBank(page, 'fail'));
    expect(await read(page)).toMatchObject({ status: 'open', lastError: expect.anything() });
    await press(page, 'pm_card_visa');
    expect((await read(page)).status).toBe('paid');
  });

  it('is paid within three minutes though the tab was closed, and else can be paid again', async () => {
    const [paid, left] = [await begin(), await begin()];
    await answerBank(paid, 'complete');
    await advance(app, app.test.scope, 3 * MINUTE_MS);
    expect((await read(paid)).status).toBe('paid');
    await advance(app, app.test.scope, DAY_MS);
    const { status } = await read(left);
    expect(['expired', 'open']).toContain(status);
  });
});

const GOOD = 'DE08370400440532013003';
const BAD = 'DE78370400440532013004';

const newest = () =>
  app.service.db
    .selectFrom('charges')
    .select(['id', 'processorId', 'status', 'paymentId'])
    .orderBy('createdAt', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
const settleNewest = async (how: 'settle' | 'fail') => {
  await double.control(`POST /objects/${(await newest()).processorId}/${how}`, {});
  await advance(app, app.test.scope, DAY_MS);
};
const failLater = async () => {
  await advance(app, app.test.scope, 4 * DAY_MS);
  await double.control('POST /clock', { byMs: 5 * MINUTE_MS });
};

describe('a test purchase by a method that takes days', () => {
  it.each([
    ['pm_successDelayed_de', 'settle', 'PAID'],
    ['pm_failedDelayed_de', 'fail', 'FAILED'],
  ] as const)('%s waits for its bank', async (paymentMethod, how, status) => {
    const offersIds = [await makeOffer(app.test, TERMS)];
    const { body } = await buy(app.test, { offersIds, processorId, paymentMethod });
    const { order, payment } = body.data;
    expect(order.status).toBe('PENDING');
    expect(payment.charges).toMatchObject([{ status: 'pending', expectedBy: expect.any(Number) }]);
    await settleNewest(how);
    expect((await app.test.get(`/v0/orders/${order.id}`)).body.data.order.status).toBe(status);
  });
});

describe('P17 a debit', () => {
  const begin = async (iban: string, fields: Record<string, unknown> = {}) => {
    const page = await openPage(app, `/checkout/${await makeOffer(app.test, { ...TERMS, ...fields })}`);
    const answer = await press(page, await makeDebit(iban));
    expect(answer.body.data?.checkout.status, answer.text).toBe('processing');
    return page;
  };

  it('is fulfilled when the money comes on the fifth day, and nothing expires before', async () => {
    const page = await begin(GOOD);
    await advance(app, app.test.scope, 4 * DAY_MS);
    expect((await read(page)).status).toBe('processing');
    await double.control('POST /clock', { byMs: 5 * MINUTE_MS });
    await advance(app, app.test.scope, DAY_MS);
    expect((await read(page)).status).toBe('paid');
  });

  it('that waits is looked at once in an advance, in which no bank’s time goes by', async () => {
    const page = await begin(GOOD);
    const { body } = await app.test.post('/v0/test-clock/advance', { by: { days: 12 } });
    const { watch_order = 0, watch_payment = 0 } = body.data.testClock.done;
    // One for each debit here that waits, at most, and the first of the newest.
    expect(watch_order + watch_payment).toBeLessThanOrEqual(4);
    expect((await read(page)).status).toBe('processing');
    await settleNewest('settle');
    expect((await read(page)).status).toBe('paid');
  });

  it('that fails days later is payable by card', async () => {
    const page = await begin(BAD);
    await advance(app, app.test.scope, 4 * DAY_MS);
    await double.control('POST /clock', { byMs: 5 * MINUTE_MS });
    for (let hour = 0; hour < 24 && (await read(page)).status === 'processing'; hour += 6)
      await advance(app, app.test.scope, 6 * 60 * MINUTE_MS);
    // A day's time from then on.
    expect((await read(page)).status).toBe('open');
    await press(page, 'pm_card_visa');
    expect((await read(page)).status).toBe('paid');
  });

  it('that fails days later is told to its buyer, with a page that takes another way for a day', async () => {
    const page = await begin(BAD);
    const [{ id: orderId }] = (await app.test.get('/v0/orders/list', { query: { take: '1' } })).body.data
      .orders;
    const begun = await ofOrder(orderId);
    expect(begun.byKind('payment_failed')).toHaveLength(0);
    await failLater();
    for (let hour = 0; hour < 24 && (await read(page)).status === 'processing'; hour += 6)
      await advance(app, app.test.scope, 6 * 60 * MINUTE_MS);
    const failed = await ofOrder(orderId);
    const [processing, ...others] = failed.byKind('payment_processing');
    expect(others).toEqual([]);
    expect((await readMail(processing)).text).toMatch(/€49\.00.* until /);
    expect(failed.types.filter((type) => type === 'payment_failed')).toHaveLength(1);
    const [mail] = failed.byKind('payment_failed');
    const { text } = await readMail(mail);
    expect(text).toMatch(/You can pay in another way\.\s+Your order waits for it until /);
    const body = { payment: { option: 'token', token: 'pm_card_visa' } };
    const paid = await app.test.request('POST', payFrom(text), { keys: 'none', body });
    expect(paid.body.data?.debt.status, paid.text).toBe('paid');
    expect((await ofOrder(orderId)).types).toContain('payment_success');
  });

  it('of an extra charge that fails days later is told, too', async () => {
    const page = await openPage(app, `/checkout/${await makePlanOffer(app.test, TERMS)}`);
    await press(page, await makeDebit(GOOD));
    await settleNewest('settle');
    const { receipt } = await read(page);
    const order = (await app.test.get(`/v0/orders/${receipt.orderNumber}`)).body.data.order;
    const asked = await app.test.post(`/v0/subscriptions/${receipt.orderNumber}/charge`, {
      items: [{ name: 'Setup', unitPrice: 700, quantity: 1, currency: 'EUR' }],
    });
    expect(asked.body.data?.payment.status, asked.text).toBe('PENDING');
    await settleNewest('fail');
    const [mail] = (await ofOrder(order.id)).byKind('payment_failed');
    expect((await readMail(mail)).text).toMatch(/You can pay in another way\.[\s\S]*\/pay\//);
  });

  it('is offered for what has keys only where the merchant lets others wait', async () => {
    const offerId = await makeOffer(app.test, TERMS);
    await app.test.post(`/v0/offers/${offerId}/keys/add`, { productKeys: ['SLOW-KEY-ONE-1'] });
    const types = async () =>
      (await read(await openPage(app, `/checkout/${offerId}`))).quote.processorFields.types as string[];
    expect(await types()).not.toContain('sepa_debit');
    await app.test.patch('/v0/settings/update', { delayedForStock: true });
    expect(await types()).toContain('sepa_debit');
    const page = await openPage(app, `/checkout/${offerId}`);
    await press(page, await makeDebit(GOOD));
    await advance(app, app.test.scope, 4 * DAY_MS);
    expect((await read(page)).status).toBe('processing');
    await double.control('POST /clock', { byMs: 5 * MINUTE_MS });
    await advance(app, app.test.scope, DAY_MS);
    const { status, receipt } = await read(page);
    expect([status, receipt?.items[0].keys]).toEqual(['paid', [expect.objectContaining({})]]);
    await app.test.patch('/v0/settings/update', { delayedForStock: false });
  });

  it('P17 that was kept pays for what has keys only where the merchant lets others wait', async () => {
    const email = 'kept-debit@example.com';
    const made = await app.test.post('/v0/users/create', { email, billingDetails: { countryCode: 'DE' } });
    const userId = made.body.data.user.id as string;
    const page = await openPage(app, `/checkout/${await makePlanOffer(app.test, TERMS)}`);
    await press(page, await makeDebit(GOOD), { email });
    await settleNewest('settle');
    // As its owner keeps it who has proved to be that.
    const { db } = app.service;
    await db.updateTable('paymentMethods').set({ kept: true }).where('userId', '=', userId).execute();
    const offerId = await makeOffer(app.test, TERMS);
    await app.test.post(`/v0/offers/${offerId}/keys/add`, { productKeys: ['KEPT-KEY-ONE-1'] });
    const open = async () => {
      const asked = await app.test.post('/v0/checkout-sessions/create', { offersIds: [offerId], userId });
      const token = new URL(asked.body.data.checkoutSession.url).pathname.split('/').at(-1);
      const headers = { origin: 'http://localhost:3000' };
      const calls = `/checkout-sessions/${token}`;
      const opened = await app.app.inject({ method: 'POST', url: `${calls}/open`, headers, payload: {} });
      const cookie = opened.cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
      const submit = async (paymentMethodId: string) => {
        const payload = { email, countryCode: 'DE', paymentMethodId };
        const sent = { method: 'POST' as const, url: `${calls}/submit`, payload };
        return (await app.app.inject({ ...sent, headers: { ...headers, cookie } })).json();
      };
      return { methods: opened.json().data.checkout.saved.methods as Array<{ id: string }>, submit };
    };
    const [kept] = (await app.test.get(`/v0/users/${userId}`)).body.data.paymentMethods;
    const closed = await open();
    expect(closed.methods).toEqual([]);
    expect((await closed.submit(kept.id)).error).toMatchObject({ code: 'method_not_offered' });
    await app.test.patch('/v0/settings/update', { delayedForStock: true });
    const letIn = await open();
    expect(letIn.methods).toMatchObject([{ id: kept.id }]);
    expect((await letIn.submit(kept.id)).data.checkout.status).toBe('processing');
    await app.test.patch('/v0/settings/update', { delayedForStock: false });
  });
});

describe('P30 the debit of a renewal', () => {
  it('that fails on the sixth day leaves access until then, and is asked for again from then', async () => {
    const page = await openPage(app, `/checkout/${await makePlanOffer(app.test, TERMS)}`);
    await press(page, await makeDebit(GOOD));
    const first = await newest();
    await double.control(`POST /objects/${first.processorId}/settle`, {});
    await advance(app, app.test.scope, DAY_MS);
    const { receipt } = await read(page);
    const show = async () =>
      (await app.test.get(`/v0/orders/${receipt.orderNumber}`)).body.data.subscription as {
        status: string;
        currentPeriodEnd?: number;
      };
    expect((await show()).status).toBe('active');
    await advance(app, app.test.scope, 31 * DAY_MS);
    const renewal = await newest();
    expect(renewal).toMatchObject({ status: 'pending' });
    expect(renewal.paymentId).not.toBe(first.paymentId);
    await advance(app, app.test.scope, 6 * DAY_MS);
    expect((await show()).status).toBe('active');
    await double.control(`POST /objects/${renewal.processorId}/fail`, {});
    await advance(app, app.test.scope, DAY_MS);
    expect((await show()).status).toBe('past_due');
  });
});

/** What happens to the call on its way, and to the buyer, who never comes back. */
const LOST: ReadonlyArray<[string, object]> = [
  ['before it', { drop: 'before' }],
  ['after it', { drop: 'after' }],
  ['in the middle of its answer', { cut: true }],
  ['with an answer that is no answer', { html: true }],
  ['with a failure that did it', { status: 500, effect: true }],
  ['with a failure that did nothing', { status: 500, effect: false }],
];
const CALLS = ['/v1/payment_intents', '/v1/payment_intents/*/confirm'];

describe('P11 a browser that is gone', () => {
  beforeAll(() => double.control('POST /events', { deliver: 'never' }));
  afterAll(() => double.control('POST /events', { deliver: 'now' }));

  interface Books {
    charges: Record<string, { taken: number }>;
  }
  const takenBy = async (): Promise<number> => {
    const { charges } = await double.control<Books>(`GET /books?account=${account.id}`);
    return Object.values(charges).reduce((sum, { taken }) => sum + taken, 0);
  };

  /** Within twelve minutes it is paid once, or nothing was taken. */
  async function expectSettled(page: OpenPage, before: number): Promise<string> {
    await advance(app, app.test.scope, 12 * MINUTE_MS);
    const { status } = await read(page);
    expect(['paid', 'open', 'requires_action']).toContain(status);
    expect((await takenBy()) - before).toBe(status === 'paid' ? 4900 : 0);
    return status;
  }

  it.each(CALLS.flatMap((path) => LOST.map(([when, fault]) => [path, when, fault] as const)))(
    'while %s is cut off %s',
    async (path, _when, fault) => {
      const page = await openPage(app, `/checkout/${await makeOffer(app.test, TERMS)}`);
      const before = await takenBy();
      await double.control('POST /faults', { match: { method: 'POST', path }, do: fault, times: 1 });
      await press(page, 'pm_card_visa').catch(() => null);
      // A token pays in one call alone: where that was lost, it is asked for anew.
      expect(['paid', 'open']).toContain(await expectSettled(page, before));
    },
  );

  it.each([
    ['that was passed', 'complete', 'paid'],
    ['that was failed', 'fail', 'open'],
    ['that was left', null, 'requires_action'],
  ] as const)('at an authentication %s', async (_how, answer, end) => {
    const page = await openPage(app, `/checkout/${await makeOffer(app.test, TERMS)}`);
    const before = await takenBy();
    await press(page, await makeIdeal());
    if (answer) await answerBank(page, answer);
    expect(await expectSettled(page, before)).toBe(end);
  });

  it('before anything was pressed, and after it was paid', async () => {
    const page = await openPage(app, `/checkout/${await makeOffer(app.test, TERMS)}`);
    const before = await takenBy();
    await page.quote();
    expect(await expectSettled(page, before)).toBe('open');
    await press(page, 'pm_card_visa');
    expect(await expectSettled(page, before)).toBe('paid');
  });
});
