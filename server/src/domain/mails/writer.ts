/** Amounts, days and words in one language, as the mails say them. */
import { currencyDecimals } from '../money/currency.ts';
import { fillText, type MailLanguage, type TextKey, toMailLanguage } from './texts.ts';

export interface Writer {
  language: MailLanguage;
  text(key: TextKey, values?: Record<string, string>): string;
  /** An amount of minor units with its currency. */
  money(amountMinor: number, currency: string): string;
  /** The day of a moment (ms), in UTC. */
  date(ms: number): string;
  /** The days from one moment to another, in UTC. */
  dateRange(startMs: number, endMs: number): string;
}

/** `language` of which there are no texts becomes English. */
export function createWriter(language: string): Writer {
  const known = toMailLanguage(language);
  return {
    language: known,
    text: (key, values = {}) => fillText(known, key, values),
    money: (amountMinor, currency) => formatMoney(known, amountMinor, currency),
    date: (ms) => dateFormatOf(known, 'long').format(ms),
    dateRange: (startMs, endMs) => dateFormatOf(known, 'medium').formatRange(startMs, endMs),
  };
}

/** Formats cost more to make than to use. */
const FORMATS_MAX = 200;
const moneyFormats = new Map<string, Intl.NumberFormat>();
const dateFormats = new Map<string, Intl.DateTimeFormat>();

function formatMoney(language: MailLanguage, amountMinor: number, currency: string): string {
  const decimals = currencyDecimals(currency);
  const digits = String(Math.abs(amountMinor)).padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const part = decimals === 0 ? '' : `.${digits.slice(-decimals)}`;
  const sign = amountMinor < 0 ? '-' : '';
  // As text, since a float could not carry every amount to the unit; Intl reads it exactly.
  return moneyFormatOf(language, currency, decimals).format(`${sign}${whole}${part}` as unknown as number);
}

function moneyFormatOf(language: MailLanguage, currency: string, decimals: number): Intl.NumberFormat {
  const key = `${language} ${currency}`;
  const known = moneyFormats.get(key);
  if (known) return known;
  const made = new Intl.NumberFormat(language, {
    style: 'currency',
    currency,
    // ISO 4217's, which are not always those of Intl.
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  });
  if (moneyFormats.size < FORMATS_MAX) moneyFormats.set(key, made);
  return made;
}

function dateFormatOf(language: MailLanguage, dateStyle: 'medium' | 'long'): Intl.DateTimeFormat {
  const key = `${language} ${dateStyle}`;
  const known = dateFormats.get(key);
  if (known) return known;
  const made = new Intl.DateTimeFormat(language, { dateStyle, timeZone: 'UTC' });
  dateFormats.set(key, made);
  return made;
}
