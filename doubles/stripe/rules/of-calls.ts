import type Stripe from 'stripe';
import { CARD, open, pay, type Rule, refused, same, wrong } from './rule.ts';

const API = 'https://docs.stripe.com/api';
const REMOVED =
  'https://docs.stripe.com/changelog/endive/2026-09-30/removes-the-payment-method-types-parameter-from-payment-intents-and-setup-intents';
const ALLOWED = 'https://docs.stripe.com/changelog/dahlia/2026-07-29/allowed-payment-method-types-parameter';
const NO_LONGER = { status: 400, code: 'payment_method_types_no_longer_supported' };
const TYPES = { payment_method_types: ['card'] };
const STATE = { status: 400, code: 'payment_intent_unexpected_state' };

function rule(says: string, page: string, work: (stripe: Stripe) => Promise<unknown>): Rule {
  return { says, page, try: async (stripe) => void (await work(stripe)) };
}

const EXCLUSIVE = {
  automatic_payment_methods: { enabled: true },
  excluded_payment_method_types: ['ideal'],
  payment_method_configuration: 'pmc_none',
};

/** First in the list: what the pinned version took away, and what excludes each other. */
export const OF_TYPES: readonly Rule[] = [
  rule('payment_method_types is refused when a payment is created', REMOVED, (stripe) =>
    refused(stripe.paymentIntents.create(wrong({ amount: 1000, currency: 'eur', ...TYPES })), NO_LONGER),
  ),
  rule('payment_method_types is refused when a payment is updated', REMOVED, async (stripe) =>
    refused(stripe.paymentIntents.update((await open(stripe)).id, wrong(TYPES)), NO_LONGER),
  ),
  rule('payment_method_types is refused when a payment is confirmed', REMOVED, async (stripe) =>
    refused(stripe.paymentIntents.confirm((await open(stripe)).id, wrong(TYPES)), NO_LONGER),
  ),
  rule('payment_method_types is refused when a setup is created', REMOVED, (stripe) =>
    refused(stripe.setupIntents.create(wrong(TYPES)), NO_LONGER),
  ),
  ...Object.entries(EXCLUSIVE).map(([name, value]) =>
    rule(`allowed_payment_method_types excludes ${name}`, ALLOWED, (stripe) =>
      refused(stripe.paymentIntents.create(wrong({ amount: 1000, ...CARD, [name]: value })), { status: 400 }),
    ),
  ),
  ...Object.entries(EXCLUSIVE).map(([name, value]) =>
    rule(`allowed_payment_method_types excludes ${name} at a setup`, ALLOWED, (stripe) => {
      const params = { allowed_payment_method_types: ['card'], [name]: value };
      return refused(stripe.setupIntents.create(wrong(params)), { status: 400 });
    }),
  ),
  rule('allowed types that do not fit the currency are left out without a word', ALLOWED, async (stripe) => {
    const intent = await open(stripe, {
      currency: 'usd',
      allowed_payment_method_types: ['card', 'ideal', 'eps'],
    });
    same(intent.payment_method_types, ['card']);
  }),
  rule(
    'allowed types that cannot be used again are left out of what is to be kept',
    ALLOWED,
    async (stripe) => {
      const allowed = ['card', 'eps', 'sepa_debit'];
      const intent = await open(stripe, {
        allowed_payment_method_types: allowed,
        setup_future_usage: 'off_session',
      });
      same(intent.payment_method_types, ['card', 'sepa_debit']);
    },
  ),
];

export const OF_CALLS: readonly Rule[] = [
  rule('an unknown parameter is refused', `${API}/errors`, (stripe) =>
    refused(stripe.customers.create(wrong({ nothing: 1 })), {
      status: 400,
      code: 'parameter_unknown',
      param: 'nothing',
    }),
  ),
  rule('a missing parameter is named', `${API}/errors`, (stripe) =>
    refused(stripe.paymentIntents.create(wrong({ amount: 1000 })), {
      status: 400,
      code: 'parameter_missing',
      param: 'currency',
    }),
  ),
  rule('an amount must be whole', `${API}/errors`, (stripe) =>
    refused(stripe.paymentIntents.create({ amount: 10.5, ...CARD }), {
      status: 400,
      code: 'parameter_invalid_integer',
    }),
  ),
  rule('what cannot be unset may not be empty', `${API}/errors`, (stripe) =>
    refused(stripe.paymentIntents.create(wrong({ amount: '', ...CARD })), {
      status: 400,
      code: 'parameter_invalid_empty',
    }),
  ),
  rule('what the path names and is not there is 404', `${API}/errors`, (stripe) =>
    refused(stripe.paymentIntents.retrieve('pi_none'), { status: 404, code: 'resource_missing' }),
  ),
  rule('a customer that is not there is 400', `${API}/errors`, (stripe) =>
    refused(open(stripe, { customer: 'cus_none' }), {
      status: 400,
      code: 'resource_missing',
      param: 'customer',
    }),
  ),
  rule('an unknown currency is refused', `${API}/payment_intents/create`, (stripe) =>
    refused(open(stripe, { currency: 'xyz' }), { status: 400, param: 'currency' }),
  ),
  rule(
    'nine digits are too much',
    'https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts',
    (stripe) => refused(open(stripe, { amount: 100_000_000 }), { status: 400, code: 'amount_too_large' }),
  ),
  rule(
    'twelve digits of IDR are not',
    'https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts',
    async (stripe) =>
      same((await open(stripe, { amount: 999_999_999_999, currency: 'idr' })).amount, 999_999_999_999),
  ),
  rule('each answer bears a request id and the version', `${API}/request_ids`, async (stripe) => {
    const { lastResponse } = await stripe.balance.retrieve();
    same([lastResponse.requestId.startsWith('req_'), lastResponse.apiVersion], [true, '2026-10-28.endive']);
  }),
  rule('a key repeats its answer', `${API}/idempotent_requests`, async (stripe) => {
    const how = { idempotencyKey: crypto.randomUUID() };
    const first = await stripe.customers.create({ name: 'one' }, how);
    const second = await stripe.customers.create({ name: 'one' }, how);
    same([second.id, second.lastResponse.headers['idempotent-replayed']], [first.id, 'true']);
  }),
  rule('a key refuses another endpoint', `${API}/idempotent_requests`, async (stripe) => {
    const how = { idempotencyKey: crypto.randomUUID() };
    await stripe.customers.create({}, how);
    await refused(stripe.setupIntents.create({}, how), { status: 400, type: 'idempotency_error' });
  }),
  rule('a key refuses other parameters', `${API}/idempotent_requests`, async (stripe) => {
    const how = { idempotencyKey: crypto.randomUUID() };
    await stripe.customers.create({ name: 'one' }, how);
    await refused(stripe.customers.create({ name: 'other' }, how), {
      status: 400,
      type: 'idempotency_error',
    });
  }),
  rule(
    'a key does not keep what was refused before it began',
    `${API}/idempotent_requests`,
    async (stripe) => {
      const how = { idempotencyKey: crypto.randomUUID() };
      await refused(stripe.customers.create(wrong({ nothing: 1 }), how), { code: 'parameter_unknown' });
      same((await stripe.customers.create({ name: 'one' }, how)).name, 'one');
    },
  ),
  rule('a key keeps a decline', `${API}/idempotent_requests`, async (stripe) => {
    const how = { idempotencyKey: crypto.randomUUID() };
    const intent = await open(stripe);
    const confirm = (): Promise<unknown> =>
      stripe.paymentIntents.confirm(intent.id, { payment_method: 'pm_card_visa_chargeDeclined' }, how);
    const first = await refused(confirm(), { status: 402 });
    const second = await refused(confirm(), { status: 402 });
    same((first.raw as { charge?: string }).charge, (second.raw as { charge?: string }).charge);
  }),
  rule('metadata is merged, and an empty value takes its key away', `${API}/metadata`, async (stripe) => {
    const { id } = await stripe.customers.create({ metadata: { a: '1', b: '2' } });
    same((await stripe.customers.update(id, { metadata: { b: '', c: '3' } })).metadata, { a: '1', c: '3' });
  }),
  rule('empty metadata takes all away', `${API}/metadata`, async (stripe) => {
    const { id } = await stripe.customers.create({ metadata: { a: '1' } });
    same((await stripe.customers.update(id, { metadata: '' })).metadata, {});
  }),
  rule('a key of metadata has 40 characters at most', `${API}/metadata`, (stripe) =>
    refused(stripe.customers.create({ metadata: { ['a'.repeat(41)]: '1' } }), { status: 400 }),
  ),
  rule('a value of metadata has 500 characters at most', `${API}/metadata`, (stripe) =>
    refused(stripe.customers.create({ metadata: { a: 'b'.repeat(501) } }), { status: 400 }),
  ),
  rule('a list is newest first, and starts after an id', `${API}/pagination`, async (stripe) => {
    const first = await stripe.customers.create();
    const second = await stripe.customers.create();
    const page = await stripe.customers.list({ limit: 1, starting_after: second.id });
    same(page.data[0]?.id, first.id);
  }),
  rule('ending_before pages upwards', `${API}/pagination`, async (stripe) => {
    const first = await stripe.customers.create();
    const second = await stripe.customers.create();
    same((await stripe.customers.list({ limit: 1, ending_before: first.id })).data[0]?.id, second.id);
  }),
  rule('a page holds 100 at most', `${API}/pagination`, (stripe) =>
    refused(stripe.customers.list({ limit: 101 }), { status: 400, param: 'limit' }),
  ),
  rule('expand gives an object for an id', `${API}/expanding_objects`, async (stripe) => {
    const intent = await pay(stripe, 'pm_card_visa', { expand: ['latest_charge'] });
    same((intent.latest_charge as { object: string }).object, 'charge');
  }),
  rule('what is no object cannot be expanded', `${API}/expanding_objects`, (stripe) =>
    refused(open(stripe, { expand: ['amount'] }), { status: 400 }),
  ),
  rule('a wrong key is 401', `${API}/authentication`, (stripe) =>
    refused(stripe.balance.retrieve({}, { apiKey: 'sk_test_wrong' }), { status: 401 }),
  ),
  rule('another account is 403', `${API}/connected-accounts`, (stripe) =>
    refused(stripe.balance.retrieve({}, { stripeAccount: 'acct_none' }), {
      status: 403,
      code: 'account_invalid',
    }),
  ),
];

const INTENTS = `${API}/payment_intents`;

export const OF_STATES: readonly Rule[] = [
  rule(
    'a payment begins without a method',
    `${INTENTS}/object#payment_intent_object-status`,
    async (stripe) => same((await open(stripe)).status, 'requires_payment_method'),
  ),
  rule(
    'with a method it waits to be confirmed',
    `${INTENTS}/object#payment_intent_object-status`,
    async (stripe) =>
      same((await open(stripe, { payment_method: 'pm_card_visa' })).status, 'requires_confirmation'),
  ),
  rule('off_session goes with confirm', `${INTENTS}/create#create_payment_intent-off_session`, (stripe) =>
    refused(open(stripe, { payment_method: 'pm_card_visa', off_session: true }), {
      status: 400,
      param: 'off_session',
    }),
  ),
  rule('a confirmation needs a method', `${INTENTS}/confirm`, async (stripe) =>
    refused(stripe.paymentIntents.confirm((await open(stripe)).id), STATE),
  ),
  rule('what succeeded cannot be confirmed again', `${INTENTS}/confirm`, async (stripe) => {
    const { id } = await pay(stripe, 'pm_card_visa');
    const error = await refused(stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' }), STATE);
    same((error.raw as { payment_intent?: { id: string } }).payment_intent?.id, id);
  }),
  rule('what succeeded cannot be cancelled', `${INTENTS}/cancel`, async (stripe) =>
    refused(stripe.paymentIntents.cancel((await pay(stripe, 'pm_card_visa')).id), STATE),
  ),
  rule('what is cancelled cannot be cancelled again', `${INTENTS}/cancel`, async (stripe) => {
    const { id } = await open(stripe);
    same((await stripe.paymentIntents.cancel(id)).status, 'canceled');
    await refused(stripe.paymentIntents.cancel(id), STATE);
  }),
  rule('what is cancelled cannot be confirmed', `${INTENTS}/cancel`, async (stripe) => {
    const { id } = await open(stripe);
    await stripe.paymentIntents.cancel(id);
    await refused(stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' }), STATE);
  }),
  rule('the reason of a cancelling is kept', `${INTENTS}/cancel`, async (stripe) => {
    const { id } = await open(stripe);
    const cancelled = await stripe.paymentIntents.cancel(id, { cancellation_reason: 'abandoned' });
    same(cancelled.cancellation_reason, 'abandoned');
  }),
  rule('after a decline a payment needs a new method, and tells why', `${INTENTS}/object`, async (stripe) => {
    const { id } = await open(stripe);
    await refused(stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa_chargeDeclined' }), {
      status: 402,
    });
    const after = await stripe.paymentIntents.retrieve(id);
    same(
      [after.status, after.payment_method, after.last_payment_error?.code],
      ['requires_payment_method', null, 'card_declined'],
    );
  }),
  rule('after a decline it can be paid', `${INTENTS}/confirm`, async (stripe) => {
    const { id } = await open(stripe);
    await refused(stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa_chargeDeclined' }), {
      status: 402,
    });
    same((await stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' })).status, 'succeeded');
  }),
  rule(
    'a method used without a customer is used up',
    'https://docs.stripe.com/payments/payment-methods',
    async (stripe) => {
      const { payment_method: method } = await pay(stripe, 'pm_card_visa');
      await refused(pay(stripe, String(method)), { status: 400 });
    },
  ),
  rule(
    'a method is kept with the customer when it is to be used again',
    `${INTENTS}/create#create_payment_intent-setup_future_usage`,
    async (stripe) => {
      const { id: customer } = await stripe.customers.create();
      await pay(stripe, 'pm_card_visa', { customer, setup_future_usage: 'off_session' });
      same((await stripe.customers.listPaymentMethods(customer)).data.length, 1);
    },
  ),
  rule(
    "a customer's method is no other customer's",
    `${INTENTS}/create#create_payment_intent-payment_method`,
    async (stripe) => {
      const [one, other] = [await stripe.customers.create(), await stripe.customers.create()];
      const method = await stripe.paymentMethods.attach('pm_card_visa', { customer: one.id });
      await refused(pay(stripe, method.id, { customer: other.id }), {
        status: 400,
        code: 'resource_missing',
      });
    },
  ),
  rule('a detached method cannot be used again', `${API}/payment_methods/detach`, async (stripe) => {
    const { id: customer } = await stripe.customers.create();
    const method = await stripe.paymentMethods.attach('pm_card_visa', { customer });
    await stripe.paymentMethods.detach(method.id);
    await refused(pay(stripe, method.id), { status: 400 });
  }),
  rule('a token pays once', `${API}/confirmation_tokens`, async (stripe) => {
    const token = await stripe.testHelpers.confirmationTokens.create({ payment_method: 'pm_card_visa' });
    const { id } = await open(stripe);
    same((await stripe.paymentIntents.confirm(id, { confirmation_token: token.id })).status, 'succeeded');
    const again = stripe.paymentIntents.confirm((await open(stripe)).id, { confirmation_token: token.id });
    await refused(again, { status: 400 });
  }),
  rule(
    'a token lives 12 hours',
    `${API}/confirmation_tokens/object#confirmation_token_object-expires_at`,
    async (stripe) => {
      const token = await stripe.testHelpers.confirmationTokens.create({ payment_method: 'pm_card_visa' });
      same(Number(token.expires_at) - token.created, 12 * 3600);
    },
  ),
  rule('a setup saves the card with its customer', `${API}/setup_intents`, async (stripe) => {
    const { id: customer } = await stripe.customers.create();
    const setup = await stripe.setupIntents.create({
      allowed_payment_method_types: ['card'],
      customer,
      confirm: true,
      payment_method: 'pm_card_visa',
    });
    same([setup.status, (await stripe.customers.listPaymentMethods(customer)).data.length], ['succeeded', 1]);
  }),
  rule('a setup that succeeded cannot be cancelled', `${API}/setup_intents/cancel`, async (stripe) => {
    const setup = await stripe.setupIntents.create({
      allowed_payment_method_types: ['card'],
      confirm: true,
      payment_method: 'pm_card_visa',
    });
    await refused(stripe.setupIntents.cancel(setup.id), {
      status: 400,
      code: 'setup_intent_unexpected_state',
    });
  }),
  rule('refunds add up to what was taken at most', `${API}/refunds/create`, async (stripe) => {
    const { id } = await pay(stripe, 'pm_card_visa');
    await stripe.refunds.create({ payment_intent: id, amount: 600 });
    await refused(stripe.refunds.create({ payment_intent: id, amount: 401 }), {
      status: 400,
      param: 'amount',
    });
    same((await stripe.refunds.create({ payment_intent: id })).amount, 400);
  }),
  rule('what is refunded cannot be refunded again', `${API}/refunds/create`, async (stripe) => {
    const { id } = await pay(stripe, 'pm_card_visa');
    await stripe.refunds.create({ payment_intent: id });
    await refused(stripe.refunds.create({ payment_intent: id }), {
      status: 400,
      code: 'charge_already_refunded',
    });
  }),
  rule('a refund that succeeded cannot be cancelled', `${API}/refunds/cancel`, async (stripe) => {
    const { id } = await pay(stripe, 'pm_card_visa');
    const refund = await stripe.refunds.create({ payment_intent: id });
    await refused(stripe.refunds.cancel(refund.id), { status: 400 });
  }),
  rule('metadata of a refund can be changed', `${API}/refunds/update`, async (stripe) => {
    const { id } = await pay(stripe, 'pm_card_visa');
    const refund = await stripe.refunds.create({ payment_intent: id });
    same((await stripe.refunds.update(refund.id, { metadata: { a: '1' } })).metadata, { a: '1' });
  }),
  rule('a webhook endpoint tells its secret once', `${API}/webhook_endpoints/create`, async (stripe) => {
    const made = await stripe.webhookEndpoints.create({
      url: 'https://example.com/hook',
      enabled_events: ['*'],
    });
    const found = await stripe.webhookEndpoints.retrieve(made.id);
    same([made.secret?.startsWith('whsec_'), found.secret], [true, undefined]);
    await stripe.webhookEndpoints.del(made.id);
  }),
  rule('a domain is registered once', `${API}/payment_method_domains/create`, async (stripe) => {
    const one = await stripe.paymentMethodDomains.create({ domain_name: 'example.com' });
    same((await stripe.paymentMethodDomains.create({ domain_name: 'example.com' })).id, one.id);
  }),
  rule('a payment tells its events', `${API}/events`, async (stripe) => {
    const { id } = await pay(stripe, 'pm_card_visa');
    const { data } = await stripe.events.list({ type: 'payment_intent.succeeded', limit: 1 });
    same((data[0]?.data.object as { id: string } | undefined)?.id, id);
  }),
  rule('a deleted customer says so', `${API}/customers/delete`, async (stripe) => {
    const { id } = await stripe.customers.create();
    await stripe.customers.del(id);
    same((await stripe.customers.retrieve(id)).deleted, true);
  }),
  rule(
    'a statement suffix has a letter',
    'https://docs.stripe.com/get-started/account/statement-descriptors',
    (stripe) =>
      refused(open(stripe, { statement_descriptor_suffix: '123' }), {
        status: 400,
        param: 'statement_descriptor_suffix',
      }),
  ),
];
