/**
 * How PayPal writes money: decimal strings, in a list of currencies of its own, some of them in whole units alone.
 * As of November 2026: https://developer.paypal.com/api/rest/reference/currency-codes/
 */
import { currencyDecimals } from '../../../domain/money/currency.ts';

export interface PayPalMoney {
  currency_code: string;
  value: string;
}

export interface Money {
  amountMinor: bigint;
  currency: string;
}

const WHOLE = new Set(['HUF', 'JPY', 'TWD']);
/** In capitals, as we write them. */
export const PAYPAL_CURRENCIES: readonly string[] = [
  ...['AUD', 'BRL', 'CAD', 'CHF', 'CNY', 'CZK', 'DKK', 'EUR', 'GBP', 'HKD', 'HUF', 'ILS', 'JPY', 'MXN'],
  ...['MYR', 'NOK', 'NZD', 'PHP', 'PLN', 'SEK', 'SGD', 'THB', 'TWD', 'USD'],
];
const known = new Set(PAYPAL_CURRENCIES);
const DIGITS_MAX = 7;

/** Null = PayPal does not take it: another currency, a part of a whole unit, or more than seven digits before the point. */
export function toPayPalMoney({ amountMinor, currency }: Money): PayPalMoney | null {
  if (!known.has(currency) || amountMinor < 0n) return null;
  const decimals = currencyDecimals(currency);
  const unit = 10n ** BigInt(decimals);
  const [whole, part] = [amountMinor / unit, amountMinor % unit];
  if (whole.toString().length > DIGITS_MAX) return null;
  if (WHOLE.has(currency)) return part === 0n ? { currency_code: currency, value: String(whole) } : null;
  return { currency_code: currency, value: `${whole}.${String(part).padStart(decimals, '0')}` };
}

/** Every sum that PayPal moves is a multiple of it, in minor units. */
export function payPalStepOf(currency: string): bigint {
  return WHOLE.has(currency) ? 10n ** BigInt(currencyDecimals(currency)) : 1n;
}

/** Null where it is nothing that PayPal would write. */
export function fromPayPalMoney(money: unknown): Money | null {
  if (typeof money !== 'object' || money === null) return null;
  const { currency_code: currency, value } = money as Partial<Record<keyof PayPalMoney, unknown>>;
  if (typeof currency !== 'string' || !/^[A-Z]{3}$/.test(currency)) return null;
  const [, sign = '', whole = '', part = ''] =
    typeof value === 'string' ? (/^(-?)(\d{1,15})(?:\.(\d{1,3}))?$/.exec(value) ?? []) : [];
  const decimals = currencyDecimals(currency);
  if (whole === '' || /[1-9]/.test(part.slice(decimals))) return null;
  const minor = BigInt(`${whole}${part.slice(0, decimals).padEnd(decimals, '0')}`);
  return { amountMinor: sign === '-' ? -minor : minor, currency };
}
