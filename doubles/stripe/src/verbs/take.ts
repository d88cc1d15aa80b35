/** What becomes of a payment once it is confirmed: taken, refused, or under way at a bank. */
import type Stripe from 'stripe';
import type { World } from '../../../core/world.ts';
import { isDeclined } from '../api/errors.ts';
import { emit } from '../events/emit.ts';
import type { Refusal, TestMethod } from '../methods/test-method.ts';
import { type Attempt, addCharge } from '../objects/charge.ts';
import { addMethod, untyped } from '../objects/payment-method.ts';
import { toRefusal } from '../objects/refusal.ts';
import { type Account, accountOf, find, type Row, save } from '../world/rows.ts';
import { move, toFee } from './ledger.ts';
import { addMandate, endMandate } from './mandates.ts';
import { isDebit, isRedirect } from './types.ts';
import { attach, toTest } from './use-method.ts';

type Intent = Row<Stripe.PaymentIntent>;
type Method = Row<Stripe.PaymentMethod>;

/** How long after a payment its disputes and warnings come, by the stand-in's clock. */
const AFTER_MS = 1_000;

function toAttempt(intent: Stripe.PaymentIntent, more: Partial<Attempt>): Attempt {
  return {
    status: 'succeeded',
    wasAuthenticated: false,
    failure: null,
    mandate: null,
    amount: intent.amount,
    currency: intent.currency,
    ...more,
  };
}

/** The money is taken at once. */
export function take(world: World, intent: Intent, method: Method, wasAuthenticated: boolean): void {
  const account = accountOf(world, intent);
  const { data, hidden } = intent;
  const test = toTest(method);
  // A fault may have another sum taken than the one that was asked for.
  const amount = hidden.take?.amount ?? data.amount;
  const currency = hidden.take?.currency ?? data.currency;
  const charge = addCharge(
    world,
    account,
    data,
    method,
    test,
    toAttempt(data, { wasAuthenticated, amount, currency }),
  );
  data.currency = currency;
  settleCharge(world, account, charge, test);
  finish(world, account, intent, method, charge);
}

function settleCharge(world: World, account: Account, charge: Row<Stripe.Charge>, test: TestMethod): void {
  const { amount, currency, id, description } = charge.data;
  const movement = move(world, account, {
    type: id.startsWith('py_') ? 'payment' : 'charge',
    category: 'charge',
    amount,
    currency,
    source: id,
    description,
    feeMinor: toFee(account, amount, currency),
    isAvailableAtOnce: test.isAvailableAtOnce ?? false,
  });
  charge.data.balance_transaction = movement.data.id;
  charge.data.status = 'succeeded';
  charge.data.paid = true;
  charge.data.captured = true;
  charge.data.amount_captured = amount;
  charge.data.receipt_url = `https://pay.stripe.com/receipts/${id}`;
  save(world, 'charge', charge);
}

function finish(
  world: World,
  account: Account,
  intent: Intent,
  method: Method,
  charge: Row<Stripe.Charge>,
): void {
  const { data } = intent;
  data.status = 'succeeded';
  data.amount_received = charge.data.amount;
  data.latest_charge = charge.data.id;
  data.payment_method = method.data.id;
  data.next_action = null;
  data.processing = null;
  data.last_payment_error = null;
  keep(world, account, data, method, charge);
  save(world, 'payment_intent', intent);
  emit(world, account, 'charge.succeeded', charge.data);
  emit(world, account, 'payment_intent.succeeded', data);
  const test = toTest(method);
  for (const dispute of test.disputes ?? []) {
    world.later(AFTER_MS, 'dispute', { charge: charge.data.id, ...dispute });
  }
  if (test.warns) world.later(AFTER_MS, 'warn', { charge: charge.data.id });
}

/** A method that is to be used again is saved with the customer; any other was used up. */
function keep(
  world: World,
  account: Account,
  intent: Stripe.PaymentIntent,
  method: Method,
  charge: Row<Stripe.Charge>,
): void {
  const isKept = intent.setup_future_usage !== null && intent.customer !== null;
  if (isKept && isRedirect(method.data.type)) {
    generateDebit(world, account, method, charge, String(intent.customer));
  }
  if (isKept && !isRedirect(method.data.type) && method.data.customer === null) {
    attach(world, method, String(intent.customer));
    method.hidden.isSetUp = intent.setup_future_usage === 'off_session';
    emit(world, account, 'payment_method.attached', method.data);
  }
  if (method.data.customer === null) method.hidden.isUsed = true;
  save(world, 'payment_method', method);
}

/** iDEAL and Bancontact are used again by a SEPA debit that Stripe makes of them. */
export function generateDebit(
  world: World,
  account: Account,
  method: Method,
  charge: Row<Stripe.Charge> | null,
  customer: string,
): Method | null {
  const type = method.data.type === 'ideal' ? 'ideal' : 'bancontact';
  if (method.data.type !== type) return null;
  const iban = type === 'ideal' ? 'NL39RABO0300065264' : 'BE62510007547061';
  const test: TestMethod = {
    name: iban,
    number: iban,
    type: 'sepa_debit',
    country: iban.slice(0, 2),
    afterMs: AFTER_MS,
  };
  const debit = addMethod(world, account, test, { ...untyped(world), billing: method.data.billing_details });
  if (debit.data.sepa_debit) {
    debit.data.sepa_debit.generated_from = { charge: charge?.data.id ?? null, setup_attempt: null };
  }
  debit.data.customer = customer;
  debit.hidden.isSetUp = true;
  const mandate = addMandate(world, account, debit, { customer_acceptance: { type: 'online' } });
  const details = charge?.data.payment_method_details?.[type];
  if (details && charge) {
    details.generated_sepa_debit = debit.data.id;
    details.generated_sepa_debit_mandate = mandate;
    save(world, 'charge', charge);
  }
  emit(world, account, 'payment_method.attached', debit.data);
  return debit;
}

/** A bank takes days to say. */
export function process(world: World, intent: Intent, method: Method, mandate: string | null): void {
  const account = accountOf(world, intent);
  const { data } = intent;
  const test = toTest(method);
  // An account that cannot be debited at all: no bank is asked.
  if (test.isRefusedBySetup && test.refusal)
    refuse(world, intent, method, test.refusal, { hasCharge: false });
  const attempt = toAttempt(data, { status: 'pending', mandate });
  const charge = addCharge(world, account, data, method, test, attempt);
  data.status = 'processing';
  data.latest_charge = charge.data.id;
  data.payment_method = method.data.id;
  data.next_action = null;
  keep(world, account, data, method, charge);
  save(world, 'payment_intent', intent);
  emit(world, account, 'charge.pending', charge.data);
  emit(world, account, 'payment_intent.processing', data);
  world.later(test.afterMs ?? AFTER_MS, 'bankAnswer', { intent: data.id });
}

/** The bank's word: by the test account, or as the control port says. */
export function answerOfBank(world: World, intent: Intent, isPaid: boolean, refusal: Refusal | null): void {
  if (intent.data.status !== 'processing') return;
  const account = accountOf(world, intent);
  const charge = find(world, 'charge', account, String(intent.data.latest_charge));
  const method = find(world, 'payment_method', account, String(intent.data.payment_method));
  const test = toTest(method);
  if (isPaid) {
    settleCharge(world, account, charge, test);
    finish(world, account, intent, method, charge);
    return;
  }
  const body = toRefusal(refusal ?? test.refusal ?? { code: 'payment_intent_payment_attempt_failed' });
  charge.data.status = 'failed';
  charge.data.captured = false;
  charge.data.failure_code = body.code ?? null;
  charge.data.failure_message = body.message;
  save(world, 'charge', charge);
  if (test.losesMandate && method.hidden.mandate) endMandate(world, method.hidden.mandate);
  fall(world, intent, method, { ...body, charge: charge.data.id });
  emit(world, account, 'charge.failed', charge.data);
  emit(world, account, 'payment_intent.payment_failed', intent.data);
}

export function answerOfBankLater(world: World, args: Record<string, unknown>): void {
  const intent = world.store.get<Intent>('payment_intent', String(args.intent));
  if (!intent) return;
  const method = world.store.get<Method>('payment_method', String(intent.data.payment_method));
  answerOfBank(world, intent, !(method && toTest(method).refusal), null);
}

/** Back to the start: the next try needs a new method. */
function fall(world: World, intent: Intent, method: Method, body: ReturnType<typeof toRefusal>): void {
  const { data } = intent;
  data.status = 'requires_payment_method';
  data.payment_method = null;
  data.next_action = null;
  data.processing = null;
  const { payment_intent: _, setup_intent: __, ...error } = body;
  data.last_payment_error = {
    ...error,
    payment_method: structuredClone(method.data),
    type: isDebit(method.data.type) ? 'invalid_request_error' : 'card_error',
  } as Stripe.PaymentIntent.LastPaymentError;
  save(world, 'payment_intent', intent);
  if (method.data.customer === null) {
    method.hidden.isUsed = true;
    save(world, 'payment_method', method);
  }
}

/** A refusal at once: the attempt stays as a failed charge, the caller is told with 402. */
export function refuse(
  world: World,
  intent: Intent,
  method: Method,
  refusal: Refusal,
  how: { isBlocked?: boolean; hasCharge?: boolean; wasAuthenticated?: boolean } = {},
): never {
  const account = accountOf(world, intent);
  const body = toRefusal(refusal);
  let charge: Row<Stripe.Charge> | null = null;
  if (how.hasCharge !== false) {
    const { code, decline, advice } = refusal;
    const failure = {
      code,
      message: body.message,
      ...(decline ? { decline } : {}),
      ...(advice ? { advice } : {}),
    };
    charge = addCharge(
      world,
      account,
      intent.data,
      method,
      toTest(method),
      toAttempt(intent.data, {
        status: 'failed',
        failure,
        isBlocked: how.isBlocked ?? false,
        wasAuthenticated: how.wasAuthenticated ?? false,
      }),
    );
    intent.data.latest_charge = charge.data.id;
    emit(world, account, 'charge.failed', charge.data);
  }
  const said = charge ? { ...body, charge: charge.data.id } : body;
  fall(world, intent, method, said);
  emit(world, account, 'payment_intent.payment_failed', intent.data);
  throw isDeclined({
    ...said,
    payment_intent: structuredClone(intent.data),
    payment_method: structuredClone(method.data),
  });
}
