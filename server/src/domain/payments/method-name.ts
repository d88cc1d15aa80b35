/** What payment methods are called, in every language alike. */

export interface NamedMethod {
  type: string;
  brand: string | null;
}

/** What a bank sends by hand has a word of each language's own. */
export const TRANSFER = 'bank_transfer';

const BRANDS: Readonly<Record<string, string>> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  discover: 'Discover',
  diners: 'Diners Club',
  jcb: 'JCB',
  unionpay: 'UnionPay',
};

const TYPES: Readonly<Record<string, string>> = {
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

/** Null for a card whose brand is not known, and for a transfer: the languages have words for these. */
export function nameMethod({ type, brand }: NamedMethod): string | null {
  if (brand !== null) return BRANDS[brand] ?? brand;
  if (type === 'card' || type === TRANSFER) return null;
  return TYPES[type] ?? type.replaceAll('_', ' ');
}

/** As pages show it. */
export function toShownMethod({ type, brand, last4 }: NamedMethod & { last4: string | null }) {
  return { type, brand, last4, name: nameMethod({ type, brand }) };
}
