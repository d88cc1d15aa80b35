/**
 * What Stripe tells of a payment or of a method taken for 0, in one form. The object is read as it is now, whatever the
 * call before has answered; a word that is not known is one that waits, and never a failure.
 */
import type Stripe from 'stripe';
import { divideHalfAwayFromZero } from '../../../domain/money/rounding.ts';
import type { Money } from './amounts.ts';
import { fromStripeAmount } from './amounts.ts';
import type { StripeRefusal } from './declines.ts';

export const PAYMENT_EXPANDED = { expand: ['latest_charge.balance_transaction', 'payment_method'] };
export const SETUP_EXPANDED = { expand: ['latest_attempt', 'payment_method'] };

export interface Attempt {
  /** Begins with `pi_` or `seti_`. */
  id: string;
  status: string;
  /** A bank was asked, or is. */
  wasTried: boolean;
  refusal: StripeRefusal | null;
  nextAction: Stripe.PaymentIntent.NextAction | Stripe.SetupIntent.NextAction | null;
  /** For the buyer's page alone. */
  clientSecret: string;
  taken: Money;
  /** In the currency of `taken`; null = it is not known yet. */
  feeMinor: bigint | null;
  method: Stripe.PaymentMethod | null;
  charge: Stripe.Charge | null;
  /** Under which the method is kept; null = it is not. */
  customer: string | null;
  /** The debit method that Stripe made of one that cannot be used again. */
  generated: string | null;
}

export function toAttemptOfPayment(intent: Stripe.PaymentIntent): Attempt {
  const charge = asObject(intent.latest_charge);
  const { last_payment_error: error, currency } = intent;
  const isKept = intent.setup_future_usage !== null;
  return {
    id: intent.id,
    status: intent.status,
    wasTried: charge !== null || intent.latest_charge !== null || error !== null,
    refusal: error && toRefusal(error, charge),
    nextAction: intent.next_action,
    clientSecret: intent.client_secret ?? '',
    taken: fromStripeAmount(intent.amount_received, currency),
    feeMinor: charge && toFee(charge),
    method: asObject(intent.payment_method) ?? error?.payment_method ?? null,
    charge,
    customer: isKept ? toId(intent.customer) : null,
    generated: charge && toGenerated(charge.payment_method_details),
  };
}

/** It has no money, and yet its charge has a currency: we have said it when it was made. */
export const CURRENCY_KEY = 'cf_currency';

export function toAttemptOfSetup(intent: Stripe.SetupIntent): Attempt {
  const attempt = asObject(intent.latest_attempt);
  const error = intent.last_setup_error;
  return {
    id: intent.id,
    status: intent.status,
    wasTried: intent.latest_attempt !== null || error !== null,
    refusal: error && toRefusal(error, null),
    nextAction: intent.next_action,
    clientSecret: intent.client_secret ?? '',
    taken: { amountMinor: 0n, currency: intent.metadata?.[CURRENCY_KEY] ?? '' },
    feeMinor: 0n,
    method: asObject(intent.payment_method) ?? error?.payment_method ?? null,
    charge: null,
    customer: toId(intent.customer),
    generated: attempt && toGenerated(attempt.payment_method_details),
  };
}

interface RefusalOfStripe {
  code?: string;
  decline_code?: string;
  advice_code?: string;
}

function toRefusal(error: RefusalOfStripe, charge: Stripe.Charge | null): StripeRefusal {
  return {
    code: error.code ?? null,
    declineCode: error.decline_code ?? null,
    adviceCode: error.advice_code ?? null,
    outcomeReason: charge?.outcome?.type === 'blocked' ? charge.outcome.reason : null,
    outcomeType: charge?.outcome?.type ?? null,
  };
}

/** What Stripe kept, in the charge's own currency: told in that of the account, and carried over by what was settled. */
function toFee(charge: Stripe.Charge): bigint | null {
  const movement = asObject(charge.balance_transaction);
  if (!movement) return null;
  const fee = fromStripeAmount(movement.fee, movement.currency).amountMinor;
  const settled = fromStripeAmount(movement.amount, movement.currency).amountMinor;
  const { amountMinor } = fromStripeAmount(charge.amount, charge.currency);
  if (movement.currency === charge.currency) return fee;
  return settled === 0n ? 0n : divideHalfAwayFromZero(fee * amountMinor, settled);
}

interface Generating {
  type: string;
  ideal?: { generated_sepa_debit?: string | { id: string } | null };
  bancontact?: { generated_sepa_debit?: string | { id: string } | null };
}

function toGenerated(details: Generating | null): string | null {
  return toId(details?.ideal?.generated_sepa_debit) ?? toId(details?.bancontact?.generated_sepa_debit);
}

function toId(value: string | { id: string } | null | undefined): string | null {
  return typeof value === 'string' ? value : (value?.id ?? null);
}

/** What was asked to be expanded; null where it is not there. */
function asObject<T extends { id: string }>(value: string | T | null | undefined): T | null {
  return typeof value === 'string' || value == null ? null : value;
}
