/** Stripe as a kind of processor: see docs/design/processors.md for what a charge, a look and a cancel promise. */
import { FIELD_TYPES } from '../../../domain/processors/method-types.ts';
import type { CallGate } from '../call-limiter.ts';
import type {
  ActionOutcome,
  CancelOutcome,
  ChargeOutcome,
  ChargeReference,
  ChargeRequest,
  DeclinedCharge,
  LookUpOutcome,
  LookUpReference,
  PaymentProvider,
  PreparedRequest,
  PrepareOutcome,
  StandingOutcome,
} from '../payment-provider.ts';
import type { OpenedConnection, ProcessorKind } from '../registry.ts';
import { openStripeAccounts } from './account.ts';
import { judgeStripeAmount, STRIPE_CURRENCIES, stripeStepOf, toStripeAmount } from './amounts.ts';
import type { Attempt } from './attempt.ts';
import { openStripeBooks, toBookedRefund } from './books.ts';
import { createStripeClient, createStripePool, type StripeClient, type StripeOptions } from './client.ts';
import {
  type CustomerStore,
  findOrMakeCustomer,
  isCustomerGone,
  type OfCustomer,
  replaceCustomer,
} from './customers.ts';
import { describeStripeMethod } from './describe-method.ts';
import { describeStripeToken } from './describe-token.ts';
import { detachStripeMethod } from './detach-method.ts';
import { lookUpStripeDisputes } from './disputes.ts';
import { StripeFailure } from './failure.ts';
import { findStripeCustomer } from './find-customer.ts';
import { cancelIntent, confirmIntent, createIntent, type NewIntent, readIntent } from './intents.ts';
import { parseStoredReference, toTestMandate, toTokenParams, UNKNOWN_METHOD } from './methods.ts';
import { listStripeNotifications, readStripeNotification } from './notifications.ts';
import { type Moment, toOutcome, toShownAction, toSucceeded } from './outcome.ts';
import { showStripeFields, toPageSources } from './page.ts';
import { listRefunds, lookUpStripeRefund, refundCharge } from './refunds.ts';
import type { SdkPool } from './sdk-pool.ts';

export const STRIPE = 'stripe';

export interface StripeKindOptions extends StripeOptions {
  /** Of the script for pages. */
  scriptUrl: string;
  customers: CustomerStore;
}

interface Account {
  client: StripeClient;
  customers: CustomerStore;
  connectionId: string;
  /** For the buyer's page. */
  publishableKey: string;
  scriptUrl: string;
  /** What stands before ours on a statement; null = it is not known, and ours is left out. */
  statementPrefix: string | null;
}

export function createStripeKind({ customers, ...options }: StripeKindOptions): ProcessorKind {
  const pool = createStripePool(options);
  return {
    name: STRIPE,
    capabilities: {
      methods: ['token'],
      types: FIELD_TYPES,
      currencies: STRIPE_CURRENCIES,
      sources: toPageSources(options),
    },
    judgeAmount: judgeStripeAmount,
    stepOf: stripeStepOf,
    accounts: openStripeAccounts(options),
    open: (connection, gate) => openAccount(connection, { customers, pool, ...options }, gate),
  };
}

function openAccount(
  connection: OpenedConnection,
  { pool, ...options }: StripeKindOptions & { pool: SdkPool },
  gate?: CallGate,
): PaymentProvider {
  const { id: connectionId, credentials, details } = connection;
  // Without a key each call fails as it would with a wrong one.
  const client = createStripeClient(credentials?.secretKey ?? 'none', options, { gate, pool });
  // Written by us when it was connected.
  const { statementPrefix = null } = details as { statementPrefix?: string | null };
  const publishableKey = credentials?.publishableKey ?? '';
  const { customers, scriptUrl } = options;
  const account = { client, customers, connectionId, statementPrefix, publishableKey, scriptUrl };
  return {
    name: STRIPE,
    prepare: (request) => prepare(account, request),
    charge: (request) => charge(client, request),
    lookUp: (reference) => lookUp(client, reference),
    cancel: (reference) => cancel(client, reference),
    describeAction: (reference) => describeAction(account, reference),
    refund: (request) => refundCharge(client, request),
    lookUpRefund: (request) => lookUpStripeRefund(client, request),
    showFields: (ask) => showStripeFields(ask, account),
    readNotification: async (raw) => readStripeNotification(raw, !connection.scope.testMode),
    listNotifications: (asked) => listStripeNotifications(client, asked, !connection.scope.testMode),
    check: async () => void (await client.ask((sdk, asking) => sdk.accounts.retrieveCurrent({}, asking))),
    lookUpDisputes: (reference) => lookUpStripeDisputes(client, reference, connection.scope.testMode),
    books: openStripeBooks(client),
    findCustomer: (customerId) => findStripeCustomer(client, customerId),
    describeToken: (reference) => describeStripeToken(client, reference),
    describeMethod: (ask) => describeStripeMethod(client, ask),
    detachMethod: (reference) => detachStripeMethod(client, reference),
    listRefundsOf: async ({ processorId }) =>
      processorId?.startsWith('pi_') ? (await listRefunds(client, processorId)).map(toBookedRefund) : [],
  };
}

/** How the charge's method is named to Stripe; null where it can be none of Stripe's. */
function findMethod({ method, offSession }: ChargeRequest) {
  if (method.kind !== 'token' && method.kind !== 'stored') return null;
  // The page shows what is asked of the buyer; where there is none, they are sent to Stripe's.
  const page = method.isInPage ? { use_stripe_sdk: true } : {};
  if (method.kind === 'token') {
    const token = toTokenParams(method.reference);
    const more = method.isInPage ? page : toTestMandate(method.reference);
    return token && { types: method.types, customer: null, params: { ...token, ...more } };
  }
  const stored = parseStoredReference(method.reference);
  const attended = offSession ? { off_session: true } : page;
  const params = stored && { payment_method: stored.method, ...attended };
  return stored && { types: [stored.type], customer: stored.customer, params };
}

async function prepare(account: Account, request: ChargeRequest): Promise<PrepareOutcome> {
  const { chargeId, amountMinor, currency, facts, sendByRealMs, method } = request;
  const found = findMethod(request);
  if (!found) return toMalformed(method.kind);
  const asked = amountMinor === 0n ? null : toStripeAmount({ amountMinor, currency });
  if (asked && asked.kind !== 'amount') return toUnchargeable(asked.kind);
  const metadata = facts?.metadata ?? {};
  const keepsMethod = method.kind === 'token' && (amountMinor === 0n || facts?.keepsMethod === true);
  const of = { scope: request.scope, connectionId: account.connectionId, userId: request.customerReference };
  const hasCard = found.types.includes('card');
  try {
    const intent = {
      ...{ chargeId, types: found.types, customer: found.customer, keepsMethod, metadata, sendByRealMs },
      amount: asked?.amount ?? null,
      currency: currency.toLowerCase(),
      statementSuffix: hasCard && facts ? toSuffix(facts.orderNumber, account.statementPrefix) : null,
    };
    const isForNew = keepsMethod && found.customer === null;
    const processorId = await (isForNew
      ? createWithCustomer(account, of, intent)
      : createIntent(account.client, intent));
    return { kind: 'prepared', processorId };
  } catch (error) {
    // With its customer what was kept is gone, and does not come back.
    if (isCustomerGone(error)) return toGone();
    const code = error instanceof StripeFailure && error.kind === 'refused' ? error.facts.code : null;
    if (code === 'amount_too_small') return toUnchargeable('below_minimum');
    if (code === 'amount_too_large' || code === 'invalid_charge_amount')
      return toUnchargeable('not_chargeable');
    throw error;
  }
}

/** What is kept is kept with a customer, whom somebody may have deleted there. */
async function createWithCustomer(
  { client, customers }: Account,
  of: OfCustomer,
  intent: NewIntent,
): Promise<string> {
  const { metadata } = intent;
  const customer = await findOrMakeCustomer(client, customers, { of, metadata });
  try {
    return await createIntent(client, { ...intent, customer });
  } catch (error) {
    if (!isCustomerGone(error)) throw error;
    const made = await replaceCustomer(client, customers, { of, metadata, gone: customer });
    return createIntent(client, { ...intent, customer: made, keyPart: made });
  }
}

async function charge(client: StripeClient, request: PreparedRequest): Promise<ChargeOutcome> {
  const { processorId: id, chargeId, facts, sendByRealMs, nowMs } = request;
  const found = findMethod(request);
  if (!found || id === null) return toMalformed(request.method.kind);
  const returnUrl = request.offSession || !facts ? {} : { return_url: facts.returnUrl };
  const params = { ...found.params, ...returnUrl };
  const moment = { nowMs, expectedByMs: null };
  try {
    const attempt = await confirmIntent(client, { id, chargeId, params, sendByRealMs });
    return await toEnd(client, attempt, moment);
  } catch (error) {
    if (!isTokenRefused(error)) throw error;
    // It was used, is too old, or is another account's: nothing was tried, and nothing will be.
    const ended = await cancelIntent(client, id);
    // Somebody else was faster with it: it takes money, or may.
    if (ended && ended.status !== 'canceled') return toStandingOf(ended, moment);
    const refused = toRefused(TOKEN_INVALID, 'Please enter the payment details again.');
    // What was kept, and is gone, does not come back.
    return { ...refused, processorId: id, decline: request.method.kind === 'stored' ? 'hard' : 'soft' };
  }
}

/** A decline settles nothing before its object is at an end: whoever has its secret could pay by it until then. */
async function toEnd(client: StripeClient, attempt: Attempt, moment: Moment): Promise<StandingOutcome> {
  const isOpen = attempt.status === 'requires_payment_method' && attempt.refusal !== null;
  if (!isOpen) return toStandingOf(attempt, moment);
  const ended = await cancelIntent(client, attempt.id);
  if (!ended) return { kind: 'unknown', lookAgainAtMs: null };
  // What was said of it before is said of it afterwards.
  const refusal = ended.refusal ?? attempt.refusal;
  return toStandingOf({ ...ended, refusal, method: ended.method ?? attempt.method }, moment);
}

function toStandingOf(attempt: Attempt, moment: Moment): StandingOutcome {
  const outcome = toOutcome(attempt, moment);
  return outcome.kind === 'absent' ? { kind: 'unknown', lookAgainAtMs: null } : outcome;
}

async function lookUp(client: StripeClient, reference: LookUpReference): Promise<LookUpOutcome> {
  const { processorId, nowMs, expectedByMs } = reference;
  const attempt = processorId === null ? null : await readIntent(client, processorId);
  if (!attempt) return { kind: 'absent' };
  const moment = { nowMs, expectedByMs };
  const outcome = toOutcome(attempt, moment);
  return outcome.kind === 'declined' ? toEnd(client, attempt, moment) : outcome;
}

async function describeAction(
  { client, publishableKey, scriptUrl: script }: Account,
  { processorId }: ChargeReference,
): Promise<ActionOutcome> {
  const attempt = processorId === null ? null : await readIntent(client, processorId);
  const action = attempt && toShownAction(attempt);
  if (!attempt || !action) return { kind: 'none' };
  if (action !== 'script') return { kind: 'redirect', url: action.url };
  return { kind: 'script', script, clientSecret: attempt.clientSecret, publishableKey };
}

async function cancel(client: StripeClient, { processorId }: ChargeReference): Promise<CancelOutcome> {
  const attempt = processorId === null ? null : await cancelIntent(client, processorId);
  if (!attempt || attempt.status === 'canceled') return { kind: 'cancelled' };
  if (attempt.status === 'succeeded') {
    return { kind: 'taken', outcome: toSucceeded(attempt) };
  }
  // A bank is deciding on it, and cannot be stopped.
  return attempt.status === 'processing' ? { kind: 'refused' } : { kind: 'unknown' };
}

/** Nothing can be paid by what was given. */
const TOKEN_INVALID = 'payment_token_invalid';

function isTokenRefused(error: unknown): boolean {
  if (!(error instanceof StripeFailure) || (error.kind !== 'refused' && error.kind !== 'missing'))
    return false;
  return error.facts.param === 'confirmation_token' || error.facts.param === 'payment_method';
}

function toMalformed(
  kind: ChargeRequest['method']['kind'],
): DeclinedCharge | (ChargeOutcome & { kind: 'invalid' }) {
  if (kind === 'token') return { kind: 'invalid', field: 'token', message: 'is no token of the processor' };
  return toGone();
}

function toGone(): DeclinedCharge {
  const message = 'The stored payment method cannot be charged. Please use another one.';
  return { ...toRefused('unknown_payment_method', message), decline: 'hard' };
}

function toUnchargeable(kind: 'below_minimum' | 'not_chargeable'): DeclinedCharge {
  const [reason, message] =
    kind === 'below_minimum'
      ? ['amount_below_minimum', 'The amount is too small to be charged.']
      : ['amount_not_chargeable', 'The amount cannot be charged in this currency.'];
  return { ...toRefused(reason, message), decline: 'hard' };
}

function toRefused(reason: string, message: string): DeclinedCharge {
  return { kind: 'declined', processorId: null, method: UNKNOWN_METHOD, decline: 'soft', reason, message };
}

const STATEMENT_MAX = 20;

/** What is left of a statement's line beside the account's prefix; Stripe wants a letter in it. */
export function toSuffix(orderNumber: string, prefix: string | null): string | null {
  if (prefix === null) return null;
  const length = STATEMENT_MAX - prefix.length;
  const suffix = length > 0 ? orderNumber.replace(/[<>\\'"*]/g, '').slice(-length) : '';
  return /[A-Za-z]/.test(suffix) ? suffix : null;
}
