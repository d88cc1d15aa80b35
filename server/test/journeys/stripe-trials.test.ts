/** Trials over an account of Stripe: the page takes a method for 0, and the first renewal is charged to it. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type OpenPage, openPage } from '../support/buying.ts';
import { advance, DAY_MS, MINUTE_MS } from '../support/clock.ts';
import { expectInvariants } from '../support/expect-invariants.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import type { TestApp } from '../support/harness.ts';
import { makePlanOffer } from '../support/make-catalogue.ts';
import { signIn } from '../support/portal.ts';
import { openStripeApp } from '../support/stripe-app.ts';
import type { StripeAccount, StripeDouble } from '../support/stripe-double.ts';
import { putToRest } from '../support/subscribing.ts';

const PRICE = 900;
const TRIAL = { trialInterval: 'week', trialIntervalCount: 1, recurringInterval: 'month' };
const ASKS = 'pm_card_authenticationRequiredOnSetup';

let app: TestApp;
let double: StripeDouble;
let account: StripeAccount;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ app, double, account, close } = await openStripeApp());
  await app.test.patch('/v0/settings/update', { testCheckout: 'processors' });
});
afterEach(async () => {
  await putToRest(app);
  await expectInvariants(app);
});
afterAll(() => close?.());

const begin = async (fields: Record<string, unknown> = {}) =>
  openPage(
    app,
    `/checkout/${await makePlanOffer(app.test, { price: PRICE, currency: 'EUR', taxBehavior: 'inclusive', ...TRIAL, ...fields })}`,
  );
let buyers = 0;
const press = (page: OpenPage, token: string, fields: Record<string, unknown> = {}) => {
  buyers += 1;
  const email = `trial-${buyers}@example.com`;
  return page.submit({ email, card: undefined, payment: { option: 'token', token }, ...fields });
};
const read = async (page: OpenPage) => (await page.show()).body.data.checkout;

interface Intent {
  id: string;
  status: string;
  metadata: Record<string, string>;
  next_action: { use_stripe_sdk?: { stripe_js: string } } | null;
}
async function list(kind: 'setup_intents' | 'payment_intents'): Promise<Intent[]> {
  const headers = { authorization: `Bearer ${account.secretKey}` };
  const answer = await fetch(`${double.apiUrl}/v1/${kind}?limit=100`, { headers });
  return ((await answer.json()) as { data: Intent[] }).data;
}

interface Books {
  charges: Record<string, { taken: number }>;
}
const takenBy = async () => {
  const { charges } = await double.control<Books>(`GET /books?account=${account.id}`);
  return Object.values(charges).reduce((sum, { taken }) => sum + taken, 0);
};

/** As the buyer does in the bank's frame. */
async function answerBank(page: OpenPage, answer: 'complete' | 'fail'): Promise<void> {
  const { apiUrl } = await read(page);
  const asked = await app.test.post(`${apiUrl}/action`, {}, { keys: 'none' });
  const { clientSecret } = asked.body.data.action;
  const [id] = String(clientSecret).split('_secret_');
  const intent = (await list('setup_intents')).find((one) => one.id === id);
  const body = new URLSearchParams({ client_secret: clientSecret, answer });
  await fetch(String(intent?.next_action?.use_stripe_sdk?.stripe_js), { method: 'POST', body });
}

/** The order of a page that is paid, with all that the merchant is shown of it. */
async function readOrder(page: OpenPage) {
  const { receipt } = await read(page);
  return (await app.test.get(`/v0/orders/${receipt.orderNumber}`)).body.data;
}

/** As Stripe's fields make it of the same card each time. */
async function makeToken(method: string): Promise<string> {
  const answer = await fetch(`${double.apiUrl}/v1/test_helpers/confirmation_tokens`, {
    method: 'POST',
    headers: { authorization: `Bearer ${account.secretKey}` },
    body: new URLSearchParams({ payment_method: method }),
  });
  return ((await answer.json()) as { id: string }).id;
}

describe('Y25 a card', () => {
  it('has one trial of a product, whoever gives it, and pays the price from then on', async () => {
    const terms = { price: PRICE, currency: 'EUR', taxBehavior: 'inclusive', ...TRIAL };
    const offerId = await makePlanOffer(app.test, terms);
    const open = () => openPage(app, `/checkout/${offerId}`);
    const first = await press(await open(), await makeToken('pm_card_visa'));
    expect(first.body.data.checkout.status).toBe('paid');
    const page = await open();
    const email = 'again@example.com';
    const refused = await press(page, await makeToken('pm_card_visa'), { email });
    expect([refused.status, refused.body.error.code]).toEqual([409, 'price_changed']);
    const { fingerprint, dueNow } = refused.body.error.details.at(-1).quote;
    expect(dueNow).toBe(PRICE);
    const paid = await press(page, await makeToken('pm_card_visa'), { email, fingerprint });
    expect(paid.body.data?.checkout.status, paid.text).toBe('paid');
    expect((await readOrder(page)).order.value).toBe(PRICE);
    const other = await press(await open(), await makeToken('pm_card_mastercard'));
    expect(other.body.data.checkout.status).toBe('paid');
  });

  it('is known again where it is stored for another buyer, who is signed in', async () => {
    const terms = { price: PRICE, currency: 'EUR', taxBehavior: 'inclusive' };
    const [offerId, plainId] = [
      await makePlanOffer(app.test, { ...terms, ...TRIAL }),
      await makePlanOffer(app.test, terms),
    ];
    const first = await press(await openPage(app, `/checkout/${offerId}`), await makeToken('pm_card_visa'));
    expect(first.body.data.checkout.status).toBe('paid');
    const email = 'stored@example.com';
    const plain = await openPage(app, `/checkout/${plainId}`);
    await press(plain, await makeToken('pm_card_visa'), { email });
    const { userId } = (await readOrder(plain)).order;
    const [method] = (await app.test.get(`/v0/users/${userId}`)).body.data.paymentMethods;
    const browser = await signIn(app, email);
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const page = await openPage(app, `/checkout/${offerId}`, { cookie, origin: 'http://localhost:3000' });
    const stored = { email, card: undefined, paymentMethodId: method.id };
    const refused = await page.submit(stored);
    expect([refused.status, refused.body.error.code]).toEqual([409, 'price_changed']);
    const { fingerprint, dueNow } = refused.body.error.details.at(-1).quote;
    expect(dueNow).toBe(PRICE);
    const paid = await page.submit({ ...stored, fingerprint });
    expect(paid.body.data?.checkout.status, paid.text).toBe('paid');
  });
});

describe('P18 a trial', () => {
  it('asks for no money, is no charge, and its first renewal is taken off-session', async () => {
    const before = await takenBy();
    const page = await begin();
    expect((await read(page)).quote).toMatchObject({
      dueNow: 0,
      processorFields: { amount: null, keepsMethod: true },
    });
    expect((await press(page, 'pm_card_visa')).body.data.checkout.status).toBe('paid');
    const { order, subscription } = await readOrder(page);
    expect([order.status, order.value, subscription.status]).toEqual(['PAID', 0, 'trialing']);
    const payments = async () =>
      (await app.test.get(`/v0/payments/list?subscriptionId=${subscription.id}`)).body.data
        .payments as Array<{
        type: string;
        status: string;
        charges: unknown[];
      }>;
    expect(await payments()).toMatchObject([{ type: 'subscription_initial', status: 'PAID', charges: [] }]);
    expect(await takenBy()).toBe(before);
    await advance(app, app.test.scope, 8 * DAY_MS);
    const renewed = (await payments()).find(({ type }) => type === 'subscription_interval');
    expect(renewed).toMatchObject({
      status: 'PAID',
      charges: [expect.objectContaining({ status: 'succeeded' })],
    });
    expect(await takenBy()).toBe(before + PRICE);
  });

  it('whose bank asks its holder starts once they have answered, and renews without them', async () => {
    const before = await takenBy();
    const page = await begin();
    expect((await press(page, ASKS)).body.data.checkout.status).toBe('requires_action');
    await answerBank(page, 'complete');
    await page.confirm();
    expect((await read(page)).status).toBe('paid');
    await advance(app, app.test.scope, 8 * DAY_MS);
    expect((await readOrder(page)).subscription.status).toBe('active');
    expect(await takenBy()).toBe(before + PRICE);
  });

  it('whose holder fails their bank may be begun again with another card', async () => {
    const page = await begin();
    await press(page, ASKS);
    await answerBank(page, 'fail');
    await page.confirm();
    expect(await read(page)).toMatchObject({ status: 'open', lastError: expect.anything() });
    await press(page, 'pm_card_visa');
    expect((await read(page)).status).toBe('paid');
  });

  it('whose card is refused takes nothing', async () => {
    const page = await begin();
    const pressed = await press(page, 'pm_card_chargeDeclined');
    expect(pressed.body.data.checkout).toMatchObject({ status: 'open', lastError: expect.anything() });
  });
});

describe('P18 an order that a code brings to 0', () => {
  it('takes a method all the same, and is renewed by it', async () => {
    const code = {
      type: 'code',
      discountCode: 'ALL',
      amount: 100,
      amountType: 'percentage',
      duration: 'once',
    };
    const made = await app.test.post('/v0/discounts/create', code);
    expect(made.status, made.text).toBe(200);
    const before = await takenBy();
    const page = await begin({ trialInterval: undefined, trialIntervalCount: undefined });
    const { quote } = (await page.quote({ discountCode: 'ALL' })).body.data;
    expect(quote).toMatchObject({ dueNow: 0, processorFields: { amount: null, keepsMethod: true } });
    const { fingerprint, total: expectedTotal } = quote;
    const typed = { discountCode: 'ALL', fingerprint, expectedTotal };
    const pressed = await press(page, 'pm_card_visa', typed);
    expect(pressed.body.data?.checkout.status, pressed.text).toBe('paid');
    expect(await takenBy()).toBe(before);
    await advance(app, app.test.scope, 32 * DAY_MS);
    expect((await readOrder(page)).subscription.status).toBe('active');
    expect(await takenBy()).toBe(before + PRICE);
  });

  it('needs one', async () => {
    const page = await begin();
    await expectRefusal(page.submit({ card: undefined }), 400, 'invalid_input');
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
const CALLS = ['/v1/customers', '/v1/setup_intents', '/v1/setup_intents/*/confirm'];

describe('P18 a buyer who is gone', () => {
  beforeAll(() => double.control('POST /events', { deliver: 'never' }));
  afterAll(() => double.control('POST /events', { deliver: 'now' }));

  /** Within twelve minutes it is begun by one object, or by none; nothing is ever taken. */
  async function expectSettled(page: OpenPage, before: { taken: number; ids: string[] }): Promise<string> {
    await advance(app, app.test.scope, 12 * MINUTE_MS);
    const { status } = await read(page);
    const made = (await list('setup_intents')).filter(({ id }) => !before.ids.includes(id));
    const succeeded = made.filter((one) => one.status === 'succeeded');
    expect(succeeded).toHaveLength(status === 'paid' ? 1 : 0);
    expect(await takenBy()).toBe(before.taken);
    return status;
  }
  const remember = async () => ({
    taken: await takenBy(),
    ids: (await list('setup_intents')).map(({ id }) => id),
  });

  it.each(CALLS.flatMap((path) => LOST.map(([when, fault]) => [path, when, fault] as const)))(
    'while %s is cut off %s',
    async (path, _when, fault) => {
      const page = await begin();
      const before = await remember();
      await double.control('POST /faults', { match: { method: 'POST', path }, do: fault, times: 1 });
      await press(page, 'pm_card_visa').catch(() => null);
      const status = await expectSettled(page, before);
      expect(['paid', 'open']).toContain(status);
      if (status !== 'open') return;
      await press(page, 'pm_card_visa');
      expect((await read(page)).status).toBe('paid');
    },
  );

  it.each([
    ['that was passed', 'complete', 'paid'],
    ['that was failed', 'fail', 'open'],
    ['that was left', null, 'requires_action'],
  ] as const)('at an authentication %s', async (_how, answer, end) => {
    const page = await begin();
    const before = await remember();
    await press(page, ASKS);
    if (answer) await answerBank(page, answer);
    expect(await expectSettled(page, before)).toBe(end);
  });
});
