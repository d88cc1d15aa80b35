import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { type Currency, formatMoney, formatPercentage } from './money.ts';
import { fillText, hasText, type TextKey, type Texts, type TextValues } from './texts.ts';
import type { Interval } from './view.ts';

/** Everything that depends on the buyer's language. */
export interface Locale {
  language: string;
  t(key: TextKey, values?: TextValues): string;
  /** The form of a text that the count takes in the language, from its keys `{prefix}.one`, `{prefix}.other` and so on. */
  tCount(prefix: PluralKey, count: number, values?: TextValues): string;
  /** The text of a server's code, or the fallback where the language has none for it. */
  tCode(prefix: string, code: string, fallback: string): string;
  money(amountMinor: number, currency: Currency): string;
  percentage(percentage: number): string;
  date(timeMs: number): string;
  /** To the second, with its time zone. */
  moment(timeMs: number): string;
  /** `Nov 28 – Dec 5, 2026` */
  dateRange(startMs: number, endMs: number): string;
  /** `every month`, `every 3 months` */
  every(interval: Interval): string;
  /** `14 days` */
  length(interval: Interval): string;
  countryName(code: string): string;
  /** A tax as the language calls it; its own name where there is no word for it. */
  taxName(name: string): string;
}

export type PluralKey = TextKey extends infer Key
  ? Key extends `${infer Prefix}.other`
    ? Prefix
    : never
  : never;

/** Binds the formats of a language to its texts. */
export function createLocale(language: string, texts: Texts): Locale {
  const t = (key: TextKey, values?: TextValues) => fillText(texts[key], values);
  const dates = new Intl.DateTimeFormat(language, { dateStyle: 'medium' });
  const moments = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'long' });
  const plurals = new Intl.PluralRules(language);
  const countries = new Intl.DisplayNames(language, { type: 'region', fallback: 'code' });
  const tCount: Locale['tCount'] = (prefix, count, values) => {
    const key = `${prefix}.${plurals.select(count)}`;
    return t(hasText(texts, key) ? key : `${prefix}.other`, { count, ...values });
  };
  return {
    language,
    ...{ t, tCount },
    tCode: (prefix, code, fallback) =>
      hasText(texts, prefix + code) ? t((prefix + code) as TextKey) : fallback,
    money: (amountMinor, currency) => formatMoney(amountMinor, currency, language),
    percentage: (percentage) => formatPercentage(percentage, language),
    date: (timeMs) => dates.format(timeMs),
    moment: (timeMs) => moments.format(timeMs),
    dateRange: (startMs, endMs) => dates.formatRange(startMs, endMs),
    every: ({ interval, count }) => tCount(`every.${interval}`, count),
    length: ({ interval, count }) => tCount(`length.${interval}`, count),
    countryName: (code) => countries.of(code) ?? code,
    taxName: (name) => (hasText(texts, `tax.${name}`) ? t(`tax.${name}` as TextKey) : name),
  };
}

/** What is wrong with a field, in the page's own words for every field that it has. */
export function describeField({ tCode }: Locale, path: string, message: string): string {
  const name = path.startsWith('customFields.') ? 'customField' : path;
  return tCode('invalid.', name.startsWith('quantities.') ? 'quantity' : name, message);
}

/** How a page is read, and the way to read it in another language. */
interface Reading {
  locale: Locale;
  setLanguage(language: string): void;
}

export const ReadingContext = createContext<Reading | null>(null);

export function useReading(): Reading {
  const reading = useContext(ReadingContext);
  if (!reading) throw new Error('a part was rendered outside its page');
  return reading;
}

export const useLocale = (): Locale => useReading().locale;
