/** PayPal's amounts: decimal strings, by a list of its own. https://developer.paypal.com/api/rest/reference/currency-codes/ */
import { isRefused } from '../api/errors.ts';

export interface Money {
  currency_code: string;
  value: string;
}

const WHOLE = ['HUF', 'JPY', 'TWD'];
const CURRENCIES = new Set([
  ...['AUD', 'BRL', 'CAD', 'CNY', 'CZK', 'DKK', 'EUR', 'GBP', 'HKD', 'ILS', 'MXN', 'MYR', 'NOK', 'NZD'],
  ...['PHP', 'PLN', 'SEK', 'SGD', 'THB', 'USD', 'CHF', ...WHOLE],
]);
const VALUE_LENGTH_MAX = 32;

export function isCurrency(code: string): boolean {
  return CURRENCIES.has(code);
}

/** 1234 of EUR → 12.34 */
export function toMoney(minor: number, currency: string): Money {
  const sign = minor < 0 ? '-' : '';
  const size = Math.abs(minor);
  const value = WHOLE.includes(currency)
    ? String(size)
    : `${Math.floor(size / 100)}.${String(size % 100).padStart(2, '0')}`;
  return { currency_code: currency, value: `${sign}${value}` };
}

export function toMinor({ currency_code, value }: Money): number {
  if (WHOLE.includes(currency_code)) return Number(value.split('.')[0]);
  const [whole = '0', part = ''] = value.split('.');
  return Number(whole) * 100 + Number(part.padEnd(2, '0'));
}

/** What is asked for, or PayPal's refusal; `field` is the amount's place in the body. */
export function readMoney(given: unknown, field: string): Money {
  const { currency_code, value } = (given ?? {}) as Partial<Money>;
  if (typeof currency_code !== 'string')
    throw isRefused(400, 'MISSING_REQUIRED_PARAMETER', `${field}/currency_code`);
  if (typeof value !== 'string') throw isRefused(400, 'MISSING_REQUIRED_PARAMETER', `${field}/value`);
  if (!/^[A-Z]{3}$/.test(currency_code))
    throw isRefused(400, 'INVALID_PARAMETER_SYNTAX', `${field}/currency_code`);
  if (value.length > VALUE_LENGTH_MAX || !/^-?\d+(\.\d+)?$/.test(value))
    throw isRefused(400, 'INVALID_PARAMETER_SYNTAX', `${field}/value`);
  if (!isCurrency(currency_code)) throw isRefused(422, 'CURRENCY_NOT_SUPPORTED', `${field}/currency_code`);
  const places = value.split('.')[1] ?? '';
  const isWhole = WHOLE.includes(currency_code);
  if (isWhole && /[1-9]/.test(places)) throw isRefused(422, 'DECIMALS_NOT_SUPPORTED', `${field}/value`);
  if (places.length > 2) throw isRefused(422, 'DECIMAL_PRECISION', `${field}/value`);
  if (Number(value) <= 0) throw isRefused(422, 'CANNOT_BE_ZERO_OR_NEGATIVE', `${field}/value`);
  return toMoney(toMinor({ currency_code, value }), currency_code);
}
