import type Stripe from 'stripe';
import { mergeMetadata, type Params } from '../api/check-params.ts';
import { isInvalid, isOfWrongState, isRefused } from '../api/errors.ts';
import { emit } from '../events/emit.ts';
import { blankIntent } from '../objects/blank.ts';
import { PREFIX } from '../objects/charge.ts';
import { findAmountFault, isCurrency } from '../world/currencies.ts';
import { find, insert, type Row, save } from '../world/rows.ts';
import { askBuyer, DECLINED, needsAuthentication } from './authenticate.ts';
import { type Call, change, text } from './call.ts';
import { needMandate } from './mandates.ts';
import { process, refuse, take } from './take.ts';
import { chooseTypes, isDebit, isRedirect, readCustomer, refuseBoth } from './types.ts';
import { type Chosen, chooseMethod, toTest, useUp } from './use-method.ts';

type Intent = Row<Stripe.PaymentIntent>;

/** What only a confirmation takes. */
const WITH_CONFIRM = [
  'confirmation_token',
  'error_on_requires_action',
  'mandate_data',
  'off_session',
  'return_url',
  'use_stripe_sdk',
];
const SUFFIX_MAX = 22;

export function createPayment(call: Call): Stripe.PaymentIntent {
  const { world, account, params } = call;
  refuseBoth(params);
  const isConfirmed = params.confirm === true;
  const stray = WITH_CONFIRM.find((name) => params[name] !== undefined);
  if (stray && !isConfirmed) {
    throw isInvalid(
      `The parameter \`${stray}\` cannot be passed when creating a PaymentIntent unless \`confirm\` is set to true.`,
      stray,
    );
  }
  if (params.capture_method === 'manual') {
    const message = 'This stand-in takes no payment whose capture waits: capture_method cannot be manual.';
    throw isInvalid(message, 'capture_method');
  }
  const currency = readCurrency(params);
  const amount = Number(params.amount);
  const fault = findAmountFault(amount, currency, account.currency);
  if (fault) throw fault;
  const customer = readCustomer(world, account, params);
  const usage = text(params, 'setup_future_usage');
  const types = chooseTypes(world, account, params, { amount, currency, isSaved: usage !== null });
  const chosen = chooseMethod(world, account, params, customer);
  const intent = insert(world, 'payment_intent', account, {
    ...blankIntent(world, account),
    ...types,
    amount,
    currency,
    customer,
    capture_method: (text(params, 'capture_method') ?? 'automatic_async') as 'automatic',
    setup_future_usage: usage as Stripe.PaymentIntent.SetupFutureUsage | null,
  });
  describe(intent.data, params);
  if (chosen) name(intent.data, chosen);
  save(world, 'payment_intent', intent);
  emit(world, account, 'payment_intent.created', intent.data);
  if (isConfirmed) confirm(call, intent, chosen);
  return intent.data;
}

function readCurrency(params: Params): string {
  const currency = String(params.currency).toLowerCase();
  if (!isCurrency(currency)) {
    throw isInvalid(`Invalid currency: ${currency}. Stripe does not support it.`, 'currency');
  }
  return currency;
}

function name(data: Stripe.PaymentIntent, chosen: Chosen): void {
  data.payment_method = chosen.method.data.id;
  data.status = 'requires_confirmation';
}

/** The fields that create, update and confirm have in common. */
function describe(data: Stripe.PaymentIntent, params: Params): void {
  data.description = change(params, 'description', data.description);
  data.metadata = mergeMetadata(data.metadata, params.metadata);
  data.receipt_email = change(params, 'receipt_email', data.receipt_email);
  data.shipping = change(params, 'shipping', data.shipping);
  data.statement_descriptor = change(params, 'statement_descriptor', data.statement_descriptor);
  data.statement_descriptor_suffix = change(
    params,
    'statement_descriptor_suffix',
    data.statement_descriptor_suffix,
  );
  const suffix = data.statement_descriptor_suffix;
  if (suffix === null) return;
  const param = 'statement_descriptor_suffix';
  if (PREFIX.length + 2 + suffix.length > SUFFIX_MAX) {
    throw isRefused(
      `The statement descriptor suffix must be at most ${SUFFIX_MAX - 2 - PREFIX.length} characters.`,
      { param },
    );
  }
  if (!/[a-zA-Z]/.test(suffix)) {
    throw isRefused('The statement descriptor must contain at least one alphabetic character.', { param });
  }
  if (/[<>\\'"*]/.test(suffix)) {
    throw isRefused('The statement descriptor suffix may not contain any of: < > \\ \' " *', { param });
  }
}

export function updatePayment(call: Call): Stripe.PaymentIntent {
  const { world, account, params } = call;
  const intent = findIntent(call);
  const { data } = intent;
  if (['canceled', 'processing'].includes(data.status)) throw isUnexpected('update', data);
  const money = [
    'amount',
    'currency',
    'customer',
    'payment_method',
    'setup_future_usage',
    'allowed_payment_method_types',
  ];
  if (data.status === 'succeeded' && money.some((field) => params[field] !== undefined))
    throw isUnexpected('update', data);
  const amount = params.amount === undefined ? data.amount : Number(params.amount);
  const currency = params.currency === undefined ? data.currency : readCurrency(params);
  if (params.amount !== undefined || params.currency !== undefined) {
    const fault = findAmountFault(amount, currency, account.currency);
    if (fault) throw fault;
  }
  const customer =
    params.customer === undefined ? (data.customer as string | null) : readCustomer(world, account, params);
  const usage = change(params, 'setup_future_usage', data.setup_future_usage);
  const chosen = chooseMethod(world, account, params, customer);
  if (
    params.allowed_payment_method_types !== undefined ||
    currency !== data.currency ||
    usage !== data.setup_future_usage
  ) {
    const asked = { allowed_payment_method_types: data.allowed_payment_method_types ?? undefined, ...params };
    Object.assign(data, chooseTypes(world, account, asked, { amount, currency, isSaved: usage !== null }));
  }
  Object.assign(data, { amount, currency, customer, setup_future_usage: usage });
  describe(data, params);
  if (chosen) name(data, chosen);
  save(world, 'payment_intent', intent);
  return data;
}

export function confirmPayment(call: Call): Stripe.PaymentIntent {
  const { world, account, params } = call;
  const intent = findIntent(call);
  const { data } = intent;
  if (!['requires_action', 'requires_confirmation', 'requires_payment_method'].includes(data.status)) {
    throw isUnexpected('confirm', data);
  }
  refuseBoth(params);
  const usage = change(params, 'setup_future_usage', data.setup_future_usage);
  if (params.allowed_payment_method_types !== undefined || usage !== data.setup_future_usage) {
    const asked = { allowed_payment_method_types: data.allowed_payment_method_types ?? undefined, ...params };
    const how = { amount: data.amount, currency: data.currency, isSaved: usage !== null };
    Object.assign(data, chooseTypes(world, account, asked, how));
  }
  data.setup_future_usage = usage;
  describe(data, params);
  const given = { payment_method: data.payment_method ?? undefined, ...params };
  if (params.confirmation_token !== undefined || params.payment_method_data !== undefined)
    delete given.payment_method;
  confirm(call, intent, chooseMethod(world, account, given, data.customer as string | null));
  return data;
}

function confirm(call: Call, intent: Intent, chosen: Chosen | null): void {
  const { world, account, params } = call;
  const { data } = intent;
  if (!chosen) {
    throw isOfWrongState(
      'payment_intent',
      "You cannot confirm this PaymentIntent because it's missing a payment method. You can either update the PaymentIntent with a payment method and then confirm it again, or confirm it again directly with a payment method or ConfirmationToken.",
      structuredClone(data),
    );
  }
  const { method, token } = chosen;
  const isOffSession = params.off_session === true;
  refuseType(data, method.data);
  const returnUrl = text(params, 'return_url') ?? token?.data.return_url ?? null;
  needReturnUrl(
    data,
    method.data.type,
    returnUrl,
    isOffSession || call.isPublishable || params.use_stripe_sdk === true,
  );
  if (token && data.setup_future_usage === null) {
    data.setup_future_usage = token.data.setup_future_usage;
  }
  const mandate = needMandate(world, account, method, params, token);
  useUp(world, chosen, { payment: data.id });
  intent.hidden = { ...intent.hidden, isOffSession, ...(call.take ? { take: call.take } : {}) };
  data.next_action = null;
  data.last_payment_error = null;
  data.payment_method = method.data.id;
  if (isDebit(method.data.type)) process(world, intent, method, mandate);
  else pay(call, intent, chosen, { returnUrl, isOffSession });
}

function pay(
  { world, params, isPublishable }: Call,
  intent: Intent,
  { method, token }: Chosen,
  how: { returnUrl: string | null; isOffSession: boolean },
): void {
  const test = toTest(method);
  const isKnown = method.data.customer !== null && method.hidden.isSetUp === true;
  const isRefusedAtOnce = test.refusal && !test.authentication;
  if (test.isBlocked) {
    refuse(world, intent, method, { code: 'card_declined', decline: 'fraudulent' }, { isBlocked: true });
  }
  if (isRefusedAtOnce && test.refusal) refuse(world, intent, method, test.refusal);
  const mustAsk = isRedirect(method.data.type) || needsAuthentication(test, how.isOffSession, isKnown);
  if (mustAsk && (how.isOffSession || params.error_on_requires_action === true)) {
    const code = 'authentication_required';
    refuse(world, intent, method, { code, decline: code });
  }
  if (mustAsk && test.afterAuthentication === 'error') refuse(world, intent, method, DECLINED);
  if (!mustAsk && test.afterAuthentication === 'insufficient_funds') {
    refuse(world, intent, method, { code: 'card_declined', decline: 'insufficient_funds' });
  }
  const useSdk = isPublishable || params.use_stripe_sdk === true || token?.data.use_stripe_sdk === true;
  if (mustAsk) askBuyer(world, intent, method, { returnUrl: how.returnUrl, useSdk });
  else take(world, intent, method, false);
}

function refuseType(data: Stripe.PaymentIntent, method: Stripe.PaymentMethod): void {
  if (data.payment_method_types.includes(method.type)) return;
  throw isRefused(
    `The PaymentMethod provided (${method.type}) is not allowed for this PaymentIntent. Please attach a PaymentMethod with one of the following types: ${data.payment_method_types.join(', ')}.`,
    { code: 'payment_intent_incompatible_payment_method', param: 'payment_method' },
  );
}

function needReturnUrl(
  data: Stripe.PaymentIntent,
  type: string,
  returnUrl: string | null,
  isExcused: boolean,
): void {
  if (returnUrl !== null) return;
  if (isRedirect(type)) {
    throw isRefused('A `return_url` must be specified because this payment method requires a redirect.', {
      code: 'parameter_missing',
      param: 'return_url',
    });
  }
  const { automatic_payment_methods: automatic } = data;
  if (isExcused || !automatic?.enabled || automatic.allow_redirects === 'never') return;
  if (!data.payment_method_types.some(isRedirect)) return;
  throw isRefused(
    "This PaymentIntent is configured to accept payment methods enabled in your Dashboard. Because some of these payment methods might redirect your customer off of your page, you must provide a `return_url`. If you don't want to accept redirect-based payment methods, set `automatic_payment_methods[enabled]` to `true` and `automatic_payment_methods[allow_redirects]` to `never` when creating Setup Intents and Payment Intents.",
  );
}

export function cancelPayment(call: Call): Stripe.PaymentIntent {
  const { world, account, params } = call;
  const intent = findIntent(call);
  const { data } = intent;
  if (['canceled', 'processing', 'succeeded'].includes(data.status)) throw isUnexpected('cancel', data);
  data.status = 'canceled';
  data.canceled_at = world.now;
  data.cancellation_reason = text(
    params,
    'cancellation_reason',
  ) as Stripe.PaymentIntent.CancellationReason | null;
  data.next_action = null;
  save(world, 'payment_intent', intent);
  emit(world, account, 'payment_intent.canceled', data);
  return data;
}

const WHY: Readonly<Record<string, string>> = {
  succeeded: 'it has already succeeded after being previously confirmed',
};

function isUnexpected(verb: string, data: Stripe.PaymentIntent): Error {
  const why = WHY[data.status] ?? `it has a status of ${data.status}`;
  const only =
    verb === 'cancel'
      ? ' Only a PaymentIntent with one of the following statuses may be canceled: requires_payment_method, requires_capture, requires_confirmation, requires_action.'
      : '';
  const message =
    verb === 'cancel' || !WHY[data.status]
      ? `You cannot ${verb} this PaymentIntent because it has a status of ${data.status}.${only}`
      : `You cannot ${verb} this PaymentIntent because ${why}.`;
  return isOfWrongState('payment_intent', message, structuredClone(data));
}

export function getPayment(call: Call): Stripe.PaymentIntent {
  return findIntent(call).data;
}

/** A browser proves by the client secret that the intent is its own. */
function findIntent({ world, account, ids, params, isPublishable }: Call): Intent {
  const intent = find(world, 'payment_intent', account, String(ids[0]));
  checkSecret('PaymentIntent', intent.data.client_secret, params, isPublishable);
  return intent;
}

export function checkSecret(
  what: string,
  secret: string | null,
  params: Params,
  isPublishable: boolean,
): void {
  const given = text(params, 'client_secret');
  if (given === null && !isPublishable) return;
  if (given === secret) return;
  throw isRefused(
    `The client_secret provided does not match the client_secret associated with the ${what}.`,
    {
      code: given === null ? 'parameter_missing' : 'payment_intent_invalid_parameter',
      param: 'client_secret',
    },
  );
}
