import type { Place } from './location.ts';
import { AFRICA_ROWS } from './rates/africa.ts';
import { AMERICAS_ROWS } from './rates/americas.ts';
import { ASIA_PACIFIC_ROWS } from './rates/asia-pacific.ts';
import { CANADA_ROWS } from './rates/canada.ts';
import { EU_ROWS } from './rates/eu.ts';
import { EUROPE_ROWS } from './rates/europe.ts';
import { TERRITORY_ROWS } from './rates/territories.ts';
import { UNITED_STATES_ROWS } from './rates/united-states.ts';
import type { TaxRow } from './row.ts';
import type { TaxCategory } from './taxability.ts';

/** The whole dated table, shipped with the product: a future change is a row with a later date. */
export const TAX_TABLE: readonly TaxRow[] = [
  ...EU_ROWS,
  ...TERRITORY_ROWS,
  ...EUROPE_ROWS,
  ...CANADA_ROWS,
  ...UNITED_STATES_ROWS,
  ...AMERICAS_ROWS,
  ...ASIA_PACIFIC_ROWS,
  ...AFRICA_ROWS,
];

const ROWS_BY_COUNTRY = groupByCountry(TAX_TABLE);

/**
 * The rows of a place at a moment: none where the table knows no tax on digital sales.
 * The part of the country goes before the country, a named category before `any`; what is left are the taxes
 * that are levied side by side.
 */
export function findRates(place: Place, category: TaxCategory, dateMs: number): readonly TaxRow[] {
  const rows = ROWS_BY_COUNTRY.get(place.country) ?? [];
  const region = place.territory ?? place.region;
  const regional = region === null ? [] : rows.filter((row) => row.region === region);
  const local = regional.length > 0 ? regional : rows.filter((row) => row.region === null);
  const fitting = local.filter((row) => row.category === category || row.category === 'any');
  const current = fitting.filter((row) => row.fromMs <= dateMs && (row.toMs === null || dateMs < row.toMs));
  const named = current.filter((row) => row.category === category);
  return named.length > 0 ? named : current;
}

function groupByCountry(table: readonly TaxRow[]): ReadonlyMap<string, readonly TaxRow[]> {
  const groups = new Map<string, TaxRow[]>();
  for (const row of table) {
    const group = groups.get(row.country) ?? [];
    group.push(row);
    groups.set(row.country, group);
  }
  return groups;
}
