import { decimalsOf } from '../../ui/money.ts';
import { parseAmount, writeAmount } from '../forms/values.ts';
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
  if (filter.kind !== 'money') return [...values];
  return values.map((value) => {
    const minor = toMinor(value);
    return minor === null ? value : writeAmount(minor, decimalsOf(currency), locale.language);
  });
}

/** What the operation is asked for what was typed; null where it is no amount. */
export function fromTyped(filter: Filter, typed: readonly string[], currency: string): string[] | null {
  if (filter.kind !== 'money') return [...typed];
  const amounts = typed
    .filter((text) => text.trim() !== '')
    .map((text) => parseAmount(text, decimalsOf(currency)));
  return amounts.includes(null) ? null : amounts.map(String);
}

/** What a filter says, on its button: the API's own words in English, translated elsewhere. */
export function describeFilter(
  filter: Filter,
  values: readonly string[],
  { locale, zone, currency }: Tools,
): string {
  const [first = ''] = values;
  if (filter.kind === 'choice' || filter.kind === 'choices') {
    return values
      .map((value) => (locale.language === 'en' ? value : locale.tName(filter.names ?? '', value)))
      .join(', ');
  }
  if (filter.kind === 'yes') return locale.t(first === 'true' ? 'yes' : 'no');
  if (filter.kind === 'day') return locale.day(Number(first), zone);
  // The end of a span is the first moment that is no more within it.
  if (filter.kind === 'dayEnd') return locale.day(Number(first), zone);
  const minor = filter.kind === 'money' ? toMinor(first) : null;
  return minor === null ? values.join(', ') : locale.money(minor, currency);
}
