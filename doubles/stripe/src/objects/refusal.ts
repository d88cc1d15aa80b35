import type { ErrorBody } from '../api/errors.ts';
import type { Refusal } from '../methods/test-method.ts';

/** https://docs.stripe.com/error-codes */
const MESSAGES: Readonly<Record<string, string>> = {
  authentication_required: 'Your card was declined. This transaction requires authentication.',
  card_declined: 'Your card was declined.',
  charge_exceeds_source_limit: 'This payment exceeds the weekly volume limit of this account.',
  charge_exceeds_transaction_limit: 'This payment exceeds the transaction limit of this account.',
  charge_exceeds_weekly_limit: 'This payment exceeds the weekly transaction limit of this account.',
  debit_not_authorized: 'The customer has notified their bank that this payment was unauthorized.',
  expired_card: 'Your card has expired.',
  incorrect_cvc: "Your card's security code is incorrect.",
  incorrect_number: 'Your card number is incorrect.',
  insufficient_funds: "The customer's account has insufficient funds to cover this payment.",
  payment_intent_authentication_failure:
    'The provided PaymentMethod has failed authentication. You can provide payment_method_data or a new PaymentMethod to attempt to fulfill this PaymentIntent again.',
  payment_intent_payment_attempt_failed: 'The payment failed.',
  processing_error: 'An error occurred while processing your card. Try again in a little bit.',
  setup_intent_authentication_failure:
    'The latest attempt to set up the payment method has failed because authentication failed.',
};

const OF_DECLINES: Readonly<Record<string, string>> = {
  insufficient_funds: 'Your card has insufficient funds.',
};

export function toRefusal(refusal: Refusal): Omit<ErrorBody, 'type'> {
  const { code, decline, advice } = refusal;
  return {
    code,
    message: OF_DECLINES[decline ?? ''] ?? MESSAGES[code] ?? MESSAGES.card_declined ?? '',
    ...(decline ? { decline_code: decline, network_decline_code: '05' } : {}),
    ...(advice ? { advice_code: advice } : {}),
    ...(code === 'incorrect_cvc' ? { param: 'cvc' } : {}),
    ...(code === 'expired_card' ? { param: 'exp_month' } : {}),
    ...(code === 'incorrect_number' ? { param: 'number' } : {}),
  };
}
