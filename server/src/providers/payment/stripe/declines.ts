/**
 * What Stripe's words for a refused charge mean for what is to be done next: the kinds decide whether, when and with
 * what it is tried again. The advice of the card's network counts before the code.
 */
import type { DeclineKind } from '../payment-provider.ts';

export interface StripeRefusal {
  /** Such as `card_declined` or `expired_card`. */
  code: string | null;
  /** The bank's own word, where it gave one. */
  declineCode: string | null;
  adviceCode: string | null;
  /** The reason in the outcome of the attempt; `highest_risk_level` and `rule` are Radar's. */
  outcomeReason: string | null;
  /** `blocked` = it never came to the bank. */
  outcomeType: string | null;
}

export interface Decline {
  decline: DeclineKind;
  /** Stripe's word, for the merchant. */
  reason: string;
  /** For the buyer: nothing in it tells a thief what gave them away. */
  message: string;
}

const HARD = new Set([
  ...['incorrect_number', 'invalid_number', 'lost_card', 'stolen_card', 'pickup_card', 'restricted_card'],
  ...['expired_card', 'invalid_account', 'account_closed', 'no_account', 'debit_not_authorized'],
  ...['billing_invalid_mandate', 'payment_intent_mandate_invalid', 'revocation_of_authorization'],
  ...['revocation_of_all_authorizations', 'stop_payment_order', 'transaction_not_allowed'],
  ...['card_not_supported', 'currency_not_supported', 'do_not_try_again', 'fraudulent', 'merchant_blacklist'],
  'highest_risk_level',
]);
const AUTHENTICATION = new Set(['authentication_required', 'payment_intent_authentication_failure']);
const TECHNICAL = new Set(['processing_error', 'issuer_not_available']);
const BY_ADVICE: Readonly<Record<string, DeclineKind>> = {
  do_not_try_again: 'hard',
  confirm_card_data: 'hard',
  try_again_later: 'soft',
};

export function toDecline(refusal: StripeRefusal): Decline {
  const words = [refusal.declineCode, refusal.code, refusal.outcomeReason].filter((word) => word !== null);
  const reason = words.find((word) => word !== '' && word !== 'card_declined') ?? words[0] ?? 'card_declined';
  return { decline: toKind(refusal, words), reason, message: toMessage(words) };
}

function toKind({ adviceCode, outcomeType }: StripeRefusal, words: readonly string[]): DeclineKind {
  // Whatever the network advises, nobody but the buyer authenticates.
  if (words.some((word) => AUTHENTICATION.has(word))) return 'authentication';
  const advised = adviceCode === null ? undefined : BY_ADVICE[adviceCode];
  if (advised) return advised;
  if (outcomeType === 'blocked' || words.some((word) => HARD.has(word))) return 'hard';
  return words.some((word) => TECHNICAL.has(word)) ? 'technical' : 'soft';
}

const MESSAGES: Readonly<Record<string, string>> = {
  insufficient_funds: 'The account has insufficient funds. Please try another way to pay.',
  expired_card: 'The card has expired. Please use another card.',
  incorrect_cvc: 'The security code of the card is not correct.',
  invalid_cvc: 'The security code of the card is not correct.',
  incorrect_number: 'The number of the card is not correct.',
  invalid_number: 'The number of the card is not correct.',
  authentication_required: 'The payment was not authenticated. Please try again or use another card.',
  payment_intent_authentication_failure:
    'The payment was not authenticated. Please try again or use another card.',
  processing_error: 'The payment could not be processed. Please try again.',
  issuer_not_available: 'The payment could not be processed. Please try again.',
};

function toMessage(words: readonly string[]): string {
  const known = words.map((word) => MESSAGES[word]).find((message) => message !== undefined);
  return known ?? 'The payment was declined. Please try another way to pay.';
}
