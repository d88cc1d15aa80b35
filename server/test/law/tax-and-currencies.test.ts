import { createRequire } from 'node:module';
import { code, codes } from 'currency-codes';
import { expect, it } from 'vitest';
import { CURRENCIES, currencyDecimals } from '../../src/domain/money/currency.ts';
import { toPlace } from '../../src/domain/tax/location.ts';
import { toPercentage } from '../../src/domain/tax/rate.ts';
import { US_BASE_RATES } from '../../src/domain/tax/rates/united-states.ts';
import { findRates, TAX_TABLE } from '../../src/domain/tax/table.ts';
import {
  COMPARED_ON,
  CURRENCIES_LEFT_OUT,
  CURRENCY_DIFFERENCES,
  type Difference,
  TAX_DIFFERENCES,
} from './known-differences.ts';

/** A country of the package's data file; a state's rate comes on top of its country's. */
interface PackageCountry {
  rate: number;
  states?: Record<string, { rate: number }>;
}

// Its program asks the clock; the file holds the same rates as they are.
const PACKAGE: Record<string, PackageCountry> = createRequire(import.meta.url)(
  'sales-tax/res/sales_tax_rates.json',
);
/** A postal code in each of the Spanish provinces that the package tells apart. */
const SPANISH_POSTAL_CODES: Readonly<Record<string, string>> = {
  CE: '51001',
  GC: '35001',
  ML: '52001',
  TF: '38001',
};

it('has the rates of sales-tax, but for the differences that are listed with a reason', () => {
  const ours = new Set(TAX_TABLE.map(({ country }) => country));
  const missing = [...ours].filter((country) => !(country in PACKAGE));
  const pairs = [
    ...Object.entries(PACKAGE).flatMap(([country, entry]) => compareCountry(country, entry)),
    ...missing.map((country): Pair => [country, oursOf(country), null]),
  ];
  expect(toDifferences(pairs)).toEqual(withoutReasons(TAX_DIFFERENCES));
});

it('has the decimal places of currency-codes, but for the differences that are listed with a reason', () => {
  const pairs = CURRENCIES.map((name): Pair => [name, currencyDecimals(name), code(name)?.digits ?? null]);
  expect(toDifferences(pairs)).toEqual(withoutReasons(CURRENCY_DIFFERENCES));
});

it('leaves out only those codes of currency-codes that are listed with a reason', () => {
  const leftOut = codes().filter((name) => !CURRENCIES.includes(name));
  expect(leftOut.sort()).toEqual(Object.keys(CURRENCIES_LEFT_OUT).sort());
});

type Pair = readonly [key: string, ours: number | null, theirs: number | null];

function compareCountry(country: string, { rate, states = {} }: PackageCountry): Pair[] {
  return [
    [country, oursOf(country), toPercent(rate)],
    ...Object.entries(states).map(
      ([state, levy]): Pair => [`${country}-${state}`, oursOf(country, state), toPercent(rate + levy.rate)],
    ),
  ];
}

/** Our rates of the place in all, in percent; null where the table does not know it. */
function oursOf(country: string, state: string | null = null): number | null {
  // Whether a state taxes a category is ours alone; the package has its base rate only.
  if (country === 'US' && state !== null) return baseRateOf(state);
  const postalCode = country === 'ES' && state !== null ? (SPANISH_POSTAL_CODES[state] ?? null) : null;
  const place = toPlace({ countryCode: country, state, postalCode });
  const rows = findRates(place, 'digital_good', Date.parse(COMPARED_ON));
  return rows.length === 0 ? null : toPercentage(rows.reduce((sum, { ratePpm }) => sum + ratePpm, 0));
}

function baseRateOf(state: string): number | null {
  const step = US_BASE_RATES[state]?.findLast(([from]) => from <= COMPARED_ON);
  return step === undefined ? null : toPercentage(step[1]);
}

/** The package's fraction as a percentage, without the noise of its binary form. */
function toPercent(rate: number): number {
  return toPercentage(Math.round(rate * 1_000_000));
}

function toDifferences(pairs: readonly Pair[]): Record<string, readonly [number | null, number | null]> {
  const differing = pairs.filter(([, ours, theirs]) => ours !== theirs);
  return Object.fromEntries(differing.map(([key, ours, theirs]) => [key, [ours, theirs]]));
}

function withoutReasons(known: Readonly<Record<string, Difference>>) {
  return Object.fromEntries(Object.entries(known).map(([key, [ours, theirs]]) => [key, [ours, theirs]]));
}
