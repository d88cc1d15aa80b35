/** The table of rates as a merchant reads it: what holds at a moment, with the merchant's own rates beside it. */
import type { TaxRateOverride } from './overrides.ts';
import { toPercentage } from './rate.ts';
import { TAX_TABLE } from './table.ts';

export interface ListedRate {
  country: string;
  region: string | null;
  category: string;
  name: string;
  /** What is charged: the merchant's own rate where there is one. */
  percentage: number;
  /** What the table says; null = nothing of this place and category. */
  tablePercentage: number | null;
  taxable: boolean;
  validFrom: number;
  validTo: number | null;
  source: string;
  /** The day (YYYY-MM-DD) on which it was last compared with public references. */
  checked: string | null;
  override: TaxRateOverride | null;
}

interface Asked {
  /** Null = all of them. */
  country: string | null;
  atMs: number;
  overrides: readonly TaxRateOverride[];
}

export function listRates({ country, atMs, overrides }: Asked): ListedRate[] {
  const holds = (from: number, to: number | null) => from <= atMs && (to === null || atMs < to);
  const own = overrides.filter(
    (override) =>
      (country === null || override.country === country) && holds(override.validFrom, override.validTo),
  );
  const used = new Set<TaxRateOverride>();
  const rows = TAX_TABLE.filter(
    (row) => (country === null || row.country === country) && holds(row.fromMs, row.toMs),
  ).map((row): ListedRate => {
    const override = findClosest(own, row);
    if (override && override.region === row.region && toWord(override) === row.category) used.add(override);
    const tablePercentage = toPercentage(row.ratePpm);
    return {
      ...{ country: row.country, region: row.region, category: row.category, name: row.name },
      percentage: override?.percentage ?? tablePercentage,
      tablePercentage,
      taxable: override ? override.percentage > 0 : row.taxable,
      validFrom: override?.validFrom ?? row.fromMs,
      validTo: override ? override.validTo : row.toMs,
      ...{ source: row.source, checked: row.checked, override },
    };
  });
  return [...rows, ...own.filter((override) => !used.has(override)).map(toOwnRow)].sort(inOrder);
}

const toWord = ({ category }: TaxRateOverride) => category ?? 'any';

interface RatedPlace {
  country: string;
  region: string | null;
  category: string;
}

/** What wins over a row for all that the row is about; of two alike the later one, as when a sale is taxed. */
function findClosest(own: readonly TaxRateOverride[], row: RatedPlace): TaxRateOverride | null {
  const closeness = ({ region, category }: TaxRateOverride) =>
    (region === null ? 0 : 2) + (category === null ? 0 : 1);
  const [chosen] = own
    .filter(
      ({ country, region, category }) =>
        country === row.country &&
        (region === null || region === row.region) &&
        (category === null || category === row.category),
    )
    .sort((a, b) => closeness(b) - closeness(a) || b.validFrom - a.validFrom);
  return chosen ?? null;
}

/** A rate of the merchant's for what the table does not tell apart. */
function toOwnRow(override: TaxRateOverride): ListedRate {
  const { country, region, percentage, validFrom, validTo, note } = override;
  return {
    ...{ country, region, category: toWord(override), name: 'Tax', percentage, tablePercentage: null },
    taxable: percentage > 0,
    ...{ validFrom, validTo, source: note ?? 'Set by the seller', checked: null, override },
  };
}

function inOrder(a: ListedRate, b: ListedRate): number {
  const keyOf = ({ country, region, category, name }: ListedRate) =>
    [country, region ?? '', category, name].join('\n');
  const [one, two] = [keyOf(a), keyOf(b)];
  if (one === two) return a.validFrom - b.validFrom;
  return one < two ? -1 : 1;
}
