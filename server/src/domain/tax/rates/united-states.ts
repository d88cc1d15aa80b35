import { type RateStep, type RowData, ratesThroughTime, TABLE_START, withoutTax } from '../row.ts';
import type { TaxCategory } from '../taxability.ts';
import { US_EXEMPTIONS } from './united-states-taxability.ts';

// The lowest rate that holds in the whole state, including the local share that every place adds (California,
// Utah, Virginia). Local taxes beyond it are not in the table.
export const US_BASE_RATES: Readonly<Record<string, readonly RateStep[]>> = {
  AL: [[TABLE_START, 40_000]],
  AR: [[TABLE_START, 65_000]],
  AZ: [[TABLE_START, 56_000]],
  CA: [
    [TABLE_START, 75_000],
    ['2017-01-01', 72_500],
  ],
  CO: [[TABLE_START, 29_000]],
  CT: [[TABLE_START, 63_500]],
  DC: [
    [TABLE_START, 57_500],
    ['2018-10-01', 60_000],
  ],
  FL: [[TABLE_START, 60_000]],
  GA: [[TABLE_START, 40_000]],
  HI: [[TABLE_START, 40_000]],
  IA: [[TABLE_START, 60_000]],
  ID: [[TABLE_START, 60_000]],
  IL: [[TABLE_START, 62_500]],
  IN: [[TABLE_START, 70_000]],
  KS: [
    [TABLE_START, 61_500],
    ['2015-07-01', 65_000],
  ],
  KY: [[TABLE_START, 60_000]],
  LA: [
    [TABLE_START, 40_000],
    ['2016-04-01', 50_000],
    ['2018-07-01', 44_500],
    ['2025-01-01', 50_000],
    ['2030-01-01', 47_500],
  ],
  MA: [[TABLE_START, 62_500]],
  MD: [[TABLE_START, 60_000]],
  ME: [[TABLE_START, 55_000]],
  MI: [[TABLE_START, 60_000]],
  MN: [[TABLE_START, 68_750]],
  MO: [[TABLE_START, 42_250]],
  MS: [[TABLE_START, 70_000]],
  NC: [[TABLE_START, 47_500]],
  ND: [[TABLE_START, 50_000]],
  NE: [[TABLE_START, 55_000]],
  NJ: [
    [TABLE_START, 70_000],
    ['2017-01-01', 68_750],
    ['2018-01-01', 66_250],
  ],
  NM: [
    [TABLE_START, 51_250],
    ['2022-07-01', 50_000],
    ['2023-07-01', 48_750],
  ],
  NV: [[TABLE_START, 68_500]],
  NY: [[TABLE_START, 40_000]],
  OH: [[TABLE_START, 57_500]],
  OK: [[TABLE_START, 45_000]],
  PA: [[TABLE_START, 60_000]],
  PR: [
    [TABLE_START, 60_000],
    ['2015-07-01', 105_000],
  ],
  RI: [[TABLE_START, 70_000]],
  SC: [[TABLE_START, 60_000]],
  SD: [
    [TABLE_START, 40_000],
    ['2016-06-01', 45_000],
    // Enacted to go back to 4.5 % in 2027.
    ['2023-07-01', 42_000],
    ['2027-07-01', 45_000],
  ],
  TN: [[TABLE_START, 70_000]],
  TX: [[TABLE_START, 62_500]],
  UT: [
    [TABLE_START, 59_500],
    ['2019-04-01', 61_000],
  ],
  VA: [[TABLE_START, 53_000]],
  VT: [[TABLE_START, 60_000]],
  WA: [[TABLE_START, 65_000]],
  WI: [[TABLE_START, 50_000]],
  WV: [[TABLE_START, 60_000]],
  WY: [[TABLE_START, 40_000]],
};

const WITHOUT_STATE_TAX: readonly string[] = ['AK', 'AS', 'DE', 'GU', 'MP', 'MT', 'NH', 'OR', 'VI'];

const CATEGORIES: readonly TaxCategory[] = ['digital_good', 'software', 'saas', 'digital_service'];

function stateRows(region: string, steps: readonly RateStep[]): RowData[] {
  const source = `${region} Department of Revenue, state sales and use tax`;
  return CATEGORIES.flatMap((category) => {
    const head: StateHead = { country: 'US', region, category, name: 'Sales tax', source };
    if (region === 'TX' && isOnline(category)) return texasDataProcessing(head);
    const taxedSince = US_EXEMPTIONS[category]?.[region];
    if (taxedSince === undefined) return ratesThroughTime(head, steps);
    if (taxedSince === 'exempt') return withoutTax({ ...head, reason: 'exempt' });
    return taxedFrom(taxedSince, head, steps);
  });
}

interface StateHead {
  country: string;
  region: string;
  category: TaxCategory;
  name: string;
  source: string;
}

// A state that began to tax the category on a date: exempt before, the state's rates after.
function taxedFrom(date: string, head: StateHead, steps: readonly RateStep[]): RowData[] {
  const current = steps.findLast(([from]) => from <= date)?.[1] ?? 0;
  const later = steps.filter(([from]) => from > date);
  const start: readonly RateStep[] = [[TABLE_START, 0], [date, current], ...later];
  return ratesThroughTime(head, start).map((row) => (row.taxable ? row : { ...row, reason: 'exempt' }));
}

function isOnline(category: TaxCategory): boolean {
  return category === 'saas' || category === 'digital_service';
}

// Texas taxes four fifths of the price of data processing, which software used online is: 6.25 % of 80 %.
function texasDataProcessing(head: StateHead): RowData[] {
  const source = 'Texas Tax Code § 151.351: 20 % of data processing exempt';
  return ratesThroughTime({ ...head, source, reason: 'reduced' }, [[TABLE_START, 50_000]]);
}

/** Base rates of the US states with the taxability of each kind of digital sale. */
export const UNITED_STATES_ROWS: readonly RowData[] = [
  // An address whose state is not known cannot be taxed.
  ...withoutTax({ country: 'US', name: 'Sales tax', source: 'No federal sales tax' }),
  ...WITHOUT_STATE_TAX.flatMap((region) =>
    withoutTax({ country: 'US', region, name: 'Sales tax', source: `${region}: no general state sales tax` }),
  ),
  ...Object.entries(US_BASE_RATES).flatMap(([region, steps]) => stateRows(region, steps)),
];
