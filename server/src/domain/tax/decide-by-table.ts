import type { Place } from './location.ts';
import { overrideRates } from './overrides.ts';
import type { LineTaxRule } from './rate.ts';
import { findRates } from './table.ts';
import { decideTax, type TaxCustomer, type TaxSettings } from './tax.ts';
import type { TaxCategory } from './taxability.ts';

/** What the tax of a cart depends on, amounts apart. */
export interface TaxRequest {
  /** Null until the buyer's country is known: nothing is taxed yet. */
  place: Place | null;
  /** Each kind of good in the cart, once. */
  categories: readonly TaxCategory[];
  customer: TaxCustomer;
  seller: { countryCode: string | null };
  settings: TaxSettings;
  supplyDateMs: number;
}

/** The rule of each category that was asked for. */
export type TaxRules = ReadonlyMap<TaxCategory, LineTaxRule>;

/** Decides by the table that is shipped with the product, at the rates of the date of supply. */
export function decideByTable({ place, categories, supplyDateMs, ...question }: TaxRequest): TaxRules {
  const { settings } = question;
  return new Map(
    categories.map((category) => {
      const rows = place === null ? [] : findRowsOf(place, { category, supplyDateMs, settings });
      return [category, decideTax({ rows, place, category, ...question })];
    }),
  );
}

function findRowsOf(
  place: Place,
  {
    category,
    supplyDateMs,
    settings,
  }: { category: TaxCategory } & Pick<TaxRequest, 'supplyDateMs' | 'settings'>,
) {
  const rows = findRates(place, category, supplyDateMs);
  return overrideRates(rows, settings.taxRateOverrides ?? [], { place, category, dateMs: supplyDateMs });
}
