import type { Place } from './location.ts';
import { toPercentage } from './rate.ts';
import { AFRICA_ROWS } from './rates/africa.ts';
import { AMERICAS_ROWS } from './rates/americas.ts';
import { ASIA_PACIFIC_ROWS } from './rates/asia-pacific.ts';
import { CANADA_ROWS } from './rates/canada.ts';
import { EU_ROWS } from './rates/eu.ts';
import { EUROPE_ROWS } from './rates/europe.ts';
import { SELLER_DECIDES_ROWS } from './rates/seller-decides.ts';
import { TERRITORY_ROWS } from './rates/territories.ts';
import { UNITED_STATES_ROWS } from './rates/united-states.ts';
import { READ_ON, REFERENCES, type Reference } from './references.ts';
import type { RowData, TaxRow } from './row.ts';
import type { TaxCategory } from './taxability.ts';

const CLAIMS = REFERENCES.map((reference) => ({
  reference,
  claims: new Map(
    reference.confirms.split(' ').map((claim): [string, string[]] => {
      const [about = '', said = ''] = claim.split('=');
      return [about, said.split('|')];
    }),
  ),
}));

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
  ...SELLER_DECIDES_ROWS,
].map(withCheck);

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

/** Whether the references tell the same of the row: its rate, and of a US state whether it taxes the category. */
function withCheck(row: RowData): TaxRow {
  const found = toClaims(row).map(([about, value]) =>
    CLAIMS.filter(({ reference, claims }) => claims.get(about)?.includes(value) && speaksOf(reference, row)),
  );
  const isChecked = found.every((references) => references.length > 0);
  const consulted = [...new Set(found.flat().map(({ reference }) => reference.url))];
  return { ...row, checked: isChecked ? READ_ON : null, consulted };
}

/** What must be told of the row somewhere: what it is about, and the value. */
function toClaims({
  country,
  region,
  category,
  ratePpm,
  taxable,
}: RowData): Array<[about: string, value: string]> {
  const place = region === null ? country : `${country}-${region}`;
  const rate: [string, string] = [place, String(toPercentage(ratePpm))];
  if (country !== 'US' || category === 'any') return [rate];
  const treatment: [string, string] = [`${place}/${category}`, taxable ? 'taxed' : 'exempt'];
  return taxable ? [rate, treatment] : [treatment];
}

function speaksOf(reference: Reference, { fromMs, toMs }: RowData): boolean {
  const asOfMs = Date.parse(reference.asOf);
  return reference.isHistory === true || (fromMs <= asOfMs && (toMs === null || asOfMs < toMs));
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
