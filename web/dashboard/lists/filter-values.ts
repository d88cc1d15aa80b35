import type { CellTools, Filter } from './types.ts';

/** What a filter says, on its button: the API's own words in English, translated elsewhere. */
export function describeFilter(
  filter: Filter,
  values: readonly string[],
  { locale, zone }: Pick<CellTools, 'locale' | 'zone'>,
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
  return values.join(', ');
}
