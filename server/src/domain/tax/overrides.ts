/** A merchant's own rates: from their day on they win over the table, for whoever knows better or must wait for nobody. */
import type { Place } from './location.ts';
import type { TaxRow } from './row.ts';
import type { TaxCategory } from './taxability.ts';

export interface TaxRateOverride {
  /** ISO 3166-1 alpha-2. */
  country: string;
  /** Code of a US state, Canadian province or special territory; null = the whole country. */
  region: string | null;
  /** Null = every category. */
  category: TaxCategory | null;
  /** 19 = 19 %. */
  percentage: number;
  /** First moment (ms), and the first one after it; null = open end. */
  validFrom: number;
  validTo: number | null;
  note: string | null;
}

interface Asked {
  place: Place;
  category: TaxCategory;
  dateMs: number;
}

/** The rows of the table, or the one of the override that fits most closely; of two alike the later one. */
export function overrideRates(
  rows: readonly TaxRow[],
  overrides: readonly TaxRateOverride[],
  asked: Asked,
): readonly TaxRow[] {
  const [chosen] = overrides
    .filter((override) => isFor(override, asked))
    .sort((a, b) => closeness(b) - closeness(a) || b.validFrom - a.validFrom);
  return chosen ? [toRow(rows[0], chosen)] : rows;
}

function isFor(override: TaxRateOverride, { place, category, dateMs }: Asked): boolean {
  const region = place.territory ?? place.region;
  return (
    override.country === place.country &&
    (override.region === null || override.region === region) &&
    (override.category === null || override.category === category) &&
    override.validFrom <= dateMs &&
    (override.validTo === null || dateMs < override.validTo)
  );
}

const closeness = ({ region, category }: TaxRateOverride) =>
  (region === null ? 0 : 2) + (category === null ? 0 : 1);

/** Named as the tax that it takes the place of. */
function toRow(row: TaxRow | undefined, override: TaxRateOverride): TaxRow {
  const ratePpm = Math.round(override.percentage * 10_000);
  return {
    name: row?.name ?? 'Tax',
    b2b: row?.b2b ?? 'as_consumer',
    country: override.country,
    region: override.region,
    category: override.category ?? 'any',
    fromMs: override.validFrom,
    toMs: override.validTo,
    ratePpm,
    taxable: ratePpm > 0,
    reason: ratePpm > 0 ? 'standard' : 'zero_rated',
    source: override.note ?? 'Set by the seller',
    sellerDecides: false,
    checked: null,
    consulted: [],
  };
}
