/** What PayPal's issues say of a try. https://developer.paypal.com/api/rest/reference/orders/v2/errors/ */
import type { PaymentMethodDetails } from '../method-details.ts';
import type { DeclinedCharge } from '../payment-provider.ts';
import type { Refused } from './marks.ts';

export const PAYPAL_METHOD: PaymentMethodDetails = { type: 'paypal', brand: null, last4: null, card: null };

/** The payer's agreement is at an end, or the payer's account is. */
const HARD = [
  ...['AGREEMENT_ALREADY_CANCELLED', 'BILLING_AGREEMENT_NOT_FOUND', 'TOKEN_ID_NOT_FOUND', 'INVALID_VAULT_ID'],
  ...['PAYER_ACCOUNT_LOCKED_OR_CLOSED', 'PAYER_ACCOUNT_RESTRICTED', 'TOKEN_EXPIRED'],
  ...['CURRENCY_NOT_SUPPORTED', 'TRANSACTION_BLOCKED_BY_PAYEE', 'PAYEE_BLOCKED_TRANSACTION'],
];
const AUTHENTICATION = ['PAYER_ACTION_REQUIRED', 'REDIRECT_PAYER_FOR_ALTERNATE_FUNDING', 'CONSENT_NEEDED'];
const SOFT = [
  ...['INSTRUMENT_DECLINED', 'PAYER_CANNOT_PAY', 'TRANSACTION_REFUSED', 'COMPLIANCE_VIOLATION'],
  ...['MAX_NUMBER_OF_PAYMENT_ATTEMPTS_EXCEEDED', 'TRANSACTION_LIMIT_EXCEEDED'],
  ...['TRANSACTION_RECEIVING_LIMIT_EXCEEDED', 'DECLINED_DUE_TO_RELATED_TXN', 'DOMESTIC_TRANSACTION_REQUIRED'],
];

/** Issues that end a try: money was not taken. */
export const DECLINES: ReadonlySet<string> = new Set([...HARD, ...AUTHENTICATION, ...SOFT]);
/** The money of this order was taken before: what came of it is there to be read. */
export const TAKEN_BEFORE: ReadonlySet<string> = new Set([
  'ORDER_ALREADY_CAPTURED',
  'ORDER_COMPLETED_OR_VOIDED',
]);

export function toRefused(issue: string): Refused {
  const decline = HARD.includes(issue) ? 'hard' : AUTHENTICATION.includes(issue) ? 'authentication' : 'soft';
  return { decline, reason: issue.toLowerCase() };
}

/** For buyers: why exactly is the payer's own affair. */
const MESSAGES: Readonly<Record<string, string>> = {
  authentication: 'PayPal asks you to confirm the payment.',
  hard: 'PayPal can no longer be charged. Please use another payment method.',
  soft: 'PayPal declined the payment. Please try again, or use another payment method.',
  technical: 'PayPal could not be reached. Please try again.',
};

export function toDeclined(processorId: string | null, refused: Refused | null): DeclinedCharge {
  const { decline, reason } = refused ?? { decline: 'soft' as const, reason: 'canceled' };
  const message = refused ? (MESSAGES[decline] ?? '') : 'The payment was canceled.';
  return { kind: 'declined', processorId, method: PAYPAL_METHOD, decline, reason, message };
}
