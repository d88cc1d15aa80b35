/** What a payment method is called: the portal's operations tell the API's own words. */
import type { Locale } from '../ui/locale.tsx';
import { describeMethod } from '../ui/state/use-receipt-texts.ts';
import type { Method } from './shapes.ts';

const NAMES: Readonly<Record<string, string>> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  discover: 'Discover',
  diners: 'Diners Club',
  jcb: 'JCB',
  unionpay: 'UnionPay',
  paypal: 'PayPal',
  link: 'Link',
  ideal: 'iDEAL',
  bancontact: 'Bancontact',
  eps: 'EPS',
  p24: 'Przelewy24',
  klarna: 'Klarna',
  sepa_debit: 'SEPA Direct Debit',
  bacs_debit: 'Bacs Direct Debit',
};

/** `Visa ending in 4242`, `PayPal`. */
export function describeOwn(locale: Pick<Locale, 't'>, { type, brand, last4 }: Method): string {
  return describeMethod(locale, { type, last4, name: NAMES[brand ?? type] ?? brand });
}
