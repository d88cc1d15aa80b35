import { COUNTRIES } from '../../ui/countries.ts';
import { decimalsOf } from '../../ui/money.ts';
import { parseAmount, writeAmount } from '../forms/values.ts';
import { toMoment } from './query.ts';
import type { CellTools, Filter } from './types.ts';

type Tools = Pick<CellTools, 'locale' | 'zone'> & { currency: string };

/** Amounts are of the one currency that the list is filtered by, else of the store's. */
export function currencyOf(search: string, known: string | undefined): string {
  const chosen = new URLSearchParams(search).get('currencies')?.trim().toUpperCase() ?? '';
  return /^[A-Z]{3}$/.test(chosen) ? chosen : known || 'USD';
}

const toMinor = (value: string): number | null => (/^-?\d{1,15}$/.test(value) ? Number(value) : null);

/** What stands in the form of a filter for what the address holds. */
export function toTyped(filter: Filter, values: readonly string[], { locale, currency }: Tools): string[] {
  if (filter.kind === 'country') return [values.join(', ')];
  if (filter.kind !== 'money') return [...values];
  return values.map((value) => {
    const minor = toMinor(value);
    return minor === null ? value : writeAmount(minor, decimalsOf(currency), locale.language);
  });
}

type NameOf = (code: string) => string;

/** By its code, or by its name as it is said here. */
function toCountry(text: string, nameOf: NameOf): string | null {
  if (/^[a-z]{2}$/i.test(text)) return text.toUpperCase();
  const isIt = (code: string) => nameOf(code).toLowerCase() === text.toLowerCase();
  return COUNTRIES.find(isIt) ?? null;
}

/** What the operation is asked for what was typed; null where it is no amount, or no country. */
export function fromTyped(
  filter: Filter,
  typed: readonly string[],
  { locale, currency }: Tools,
): string[] | null {
  if (filter.kind === 'country') {
    const names = typed.flatMap((text) => text.split(',')).map((text) => text.trim());
    const codes = names.filter(Boolean).map((name) => toCountry(name, locale.countryName));
    return codes.includes(null) ? null : codes.map(String);
  }
  if (filter.kind !== 'money') return [...typed];
  const amounts = typed
    .filter((text) => text.trim() !== '')
    .map((text) => parseAmount(text, decimalsOf(currency), locale.language));
  return amounts.includes(null) ? null : amounts.map(String);
}

/** What a filter says, on its button: the API's own words in English, translated elsewhere. */
export function describeFilter(
  filter: Filter,
  values: readonly string[],
  { locale, zone, currency }: Tools,
): string {
  const [first = ''] = values;
  const isCountry = filter.kind === 'country';
  if (filter.nameOf) return values.map((value) => filter.nameOf?.(value, locale)).join(', ');
  if (filter.kind === 'choice' || filter.kind === 'choices' || isCountry) {
    const nameOf = (value: string) =>
      isCountry ? locale.countryName(value) : locale.tName(filter.names ?? '', value);
    return values.map((value) => (locale.language === 'en' ? value : nameOf(value))).join(', ');
  }
  if (filter.kind === 'yes') return locale.t(first === 'true' || first === '1' ? 'yes' : 'no');
  if (filter.kind === 'day' || filter.kind === 'dayEnd') {
    const ms = toMoment(first);
    return ms === null ? first : locale.day(ms, zone);
  }
  const minor = filter.kind === 'money' ? toMinor(first) : null;
  return minor === null ? values.join(', ') : locale.money(minor, currency);
}
