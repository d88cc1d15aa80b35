/** Amounts, days and words in one language, as the mails say them. */
import { readProrationName } from '../billing/proration-name.ts';
import { type Language, toLanguage } from '../languages.ts';
import { currencyDecimals } from '../money/currency.ts';
import { fillText, hasText, type TextKey } from './texts.ts';

export interface Writer {
  language: Language;
  text(key: TextKey, values?: Record<string, string>): string;
  /** The form of a text that the count takes in the language. */
  count(prefix: 'keys', count: number): string;
  /** A length of time: `15 minutes`. */
  length(count: number, unit: 'minute' | 'day'): string;
  /** An amount of minor units with its currency. */
  money(amountMinor: number, currency: string): string;
  /** Of a hundred, with its sign: `19%`. */
  percentage(percentage: number): string;
  /** What the law of the place calls a tax, in the language where there is a word for it. */
  taxName(name: string): string;
  /** The day of a moment (ms), in UTC. */
  date(ms: number): string;
  /** A moment to the second, in UTC, which it says. */
  moment(ms: number): string;
  /** The days from one moment to another, in UTC. */
  dateRange(startMs: number, endMs: number): string;
  /** A line's name: what we called it ourselves is said in the language. */
  lineName(name: string): string;
}

/** `language` of which there are no texts becomes English. */
export function createWriter(language: string): Writer {
  const known = toLanguage(language);
  return {
    language: known,
    text: (key, values = {}) => fillText(known, key, values),
    count: (prefix, count) => {
      const key = `${prefix}.${new Intl.PluralRules(known).select(count)}`;
      return fillText(known, hasText(known, key) ? key : `${prefix}.other`, { count: String(count) });
    },
    length: (count, unit) =>
      new Intl.NumberFormat(known, { style: 'unit', unit, unitDisplay: 'long' }).format(count),
    money: (amountMinor, currency) => formatMoney(known, amountMinor, currency),
    percentage: (percentage) => percentFormatOf(known).format(percentage / 100),
    taxName: (name) => {
      const key = `tax.${name}`;
      return hasText(known, key) ? fillText(known, key, {}) : name;
    },
    date: (ms) => dateFormatOf(known, 'long').format(ms),
    moment: (ms) => momentFormatOf(known).format(ms),
    dateRange: (startMs, endMs) => dateFormatOf(known, 'medium').formatRange(startMs, endMs),
    lineName: (name) => sayLineName(known, name),
  };
}

function sayLineName(language: Language, name: string): string {
  const proration = readProrationName(name);
  if (!proration) return name;
  const { part, title, startDay, endDay, other } = proration;
  const format = dateFormatOf(language, 'medium');
  const values = { title, days: format.formatRange(Date.parse(startDay), Date.parse(endDay)) };
  if (other !== null) return fillText(language, `line.${part}.changed`, { ...values, other });
  return fillText(language, part === 'unused' ? 'line.unused.removed' : 'line.remaining.added', values);
}

/** Formats cost more to make than to use. */
const FORMATS_MAX = 200;
const moneyFormats = new Map<string, Intl.NumberFormat>();
const dateFormats = new Map<string, Intl.DateTimeFormat>();

function formatMoney(language: Language, amountMinor: number, currency: string): string {
  const decimals = currencyDecimals(currency);
  const digits = String(Math.abs(amountMinor)).padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const part = decimals === 0 ? '' : `.${digits.slice(-decimals)}`;
  const sign = amountMinor < 0 ? '-' : '';
  // As text, since a float could not carry every amount to the unit; Intl reads it exactly.
  return moneyFormatOf(language, currency, decimals).format(`${sign}${whole}${part}` as unknown as number);
}

function moneyFormatOf(language: Language, currency: string, decimals: number): Intl.NumberFormat {
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

const percentFormats = new Map<Language, Intl.NumberFormat>();

function percentFormatOf(language: Language): Intl.NumberFormat {
  const known = percentFormats.get(language);
  if (known) return known;
  const made = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 3 });
  percentFormats.set(language, made);
  return made;
}

const momentFormats = new Map<Language, Intl.DateTimeFormat>();

function momentFormatOf(language: Language): Intl.DateTimeFormat {
  const known = momentFormats.get(language);
  if (known) return known;
  const made = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'long', timeZone: 'UTC' });
  momentFormats.set(language, made);
  return made;
}

function dateFormatOf(language: Language, dateStyle: 'medium' | 'long'): Intl.DateTimeFormat {
  const key = `${language} ${dateStyle}`;
  const known = dateFormats.get(key);
  if (known) return known;
  const made = new Intl.DateTimeFormat(language, { dateStyle, timeZone: 'UTC' });
  dateFormats.set(key, made);
  return made;
}
