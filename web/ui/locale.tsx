import { type ComponentChildren, createContext } from 'preact';
import { useContext, useMemo } from 'preact/hooks';
import { type Currency, formatMoney, formatPercentage } from './money.ts';
import { fillText, hasText, type TextKey, type Texts, type TextValues } from './texts.ts';
import type { Interval } from './view.ts';

/** Everything that depends on the buyer's language. */
export interface Locale {
  language: string;
  t(key: TextKey, values?: TextValues): string;
  /** The text of a server's code, or the fallback where the language has none for it. */
  tCode(prefix: string, code: string, fallback: string): string;
  money(amountMinor: number, currency: Currency): string;
  percentage(percentage: number): string;
  date(timeMs: number): string;
  /** `Nov 28 – Dec 5, 2026` */
  dateRange(startMs: number, endMs: number): string;
  /** `every month`, `every 3 months` */
  every(interval: Interval): string;
  /** `14 days` */
  length(interval: Interval): string;
  countryName(code: string): string;
}

/** Binds the formats of a language to its texts. */
export function createLocale(language: string, texts: Texts): Locale {
  const t = (key: TextKey, values?: TextValues) => fillText(texts[key], values);
  const dates = new Intl.DateTimeFormat(language, { dateStyle: 'medium' });
  const plurals = new Intl.PluralRules(language);
  const countries = new Intl.DisplayNames(language, { type: 'region', fallback: 'code' });
  const counted = (prefix: 'every' | 'length', { interval, count }: Interval) => {
    const key = `${prefix}.${interval}.${plurals.select(count)}`;
    return t(hasText(texts, key) ? key : `${prefix}.${interval}.other`, { count });
  };
  return {
    language,
    t,
    tCode: (prefix, code, fallback) =>
      hasText(texts, prefix + code) ? t((prefix + code) as TextKey) : fallback,
    money: (amountMinor, currency) => formatMoney(amountMinor, currency, language),
    percentage: (percentage) => formatPercentage(percentage, language),
    date: (timeMs) => dates.format(timeMs),
    dateRange: (startMs, endMs) => dates.formatRange(startMs, endMs),
    every: (interval) => counted('every', interval),
    length: (interval) => counted('length', interval),
    countryName: (code) => countries.of(code) ?? code,
  };
}

/** What is wrong with a field, in the page's own words for every field that it has. */
export function describeField({ tCode }: Locale, path: string, message: string): string {
  return tCode('invalid.', path.startsWith('customFields.') ? 'customField' : path, message);
}

const LocaleContext = createContext<Locale | null>(null);

export function LocaleProvider(props: { language: string; texts: Texts; children: ComponentChildren }) {
  const locale = useMemo(() => createLocale(props.language, props.texts), [props.language, props.texts]);
  return <LocaleContext.Provider value={locale}>{props.children}</LocaleContext.Provider>;
}

export function useLocale(): Locale {
  const locale = useContext(LocaleContext);
  if (!locale) throw new Error('a part was rendered outside its LocaleProvider');
  return locale;
}
