import type { TaxReason } from './rate.ts';
import type { TaxCategory } from './taxability.ts';

/** Who owes the tax when the buyer is a business with a valid tax number. Inside the EU its own rule wins. */
export type BusinessRule = 'as_consumer' | 'reverse_charge';

/** What a row may say of itself; every other reason is the decision's. */
export type RowReason = Extract<
  TaxReason,
  'standard' | 'reduced' | 'exempt' | 'zero_rated' | 'outside_scope'
>;

/** One tax of one place over one stretch of time. Two rows that hold at once are two taxes on the same line. */
export interface TaxRow {
  /** ISO 3166-1 alpha-2, or XK. */
  country: string;
  /** US state, Canadian province or special territory; null = the rest of the country. */
  region: string | null;
  /** A named category takes the place of the `any` rows of the same place. */
  category: TaxCategory | 'any';
  /** First moment, and the first one after it (null = open end): midnight UTC of the dates in the data files. */
  fromMs: number;
  toMs: number | null;
  /** Millionths: 9.975 % is 99,750. 0 exactly where `taxable` is false. */
  ratePpm: number;
  name: string;
  taxable: boolean;
  reason: RowReason;
  b2b: BusinessRule;
  /** The law or authority that the rate is told by. */
  source: string;
  /**
   * The place taxes such sales, but not by a rate that a seller elsewhere could honestly charge: the buyer's bank
   * withholds it, or several authorities each take a part. Nothing is charged; the seller decides what to do.
   */
  sellerDecides: boolean;
  /** The day (YYYY-MM-DD) on which the row was last compared with public references; null = never. */
  checked: string | null;
  /** Addresses of what was read on that day; they tell of the rate, `source` names where it comes from. */
  consulted: readonly string[];
}

/** A place's rate from a date (YYYY-MM-DD) until the next step. */
export type RateStep = readonly [from: string, ratePpm: number];

export interface RowHead {
  country: string;
  region?: string;
  category?: TaxCategory;
  name: string;
  source: string;
  reason?: RowReason;
  b2b?: BusinessRule;
  sellerDecides?: boolean;
}

/** From here on the table is complete; earlier dates are before the EU's rules of 2015 for digital services. */
export const TABLE_START = '2015-01-01';

/** A row as its data file says it, before it was compared with anything. */
export type RowData = Omit<TaxRow, 'checked' | 'consulted'>;

/** The rows of one tax through its changes of rate: each step holds until the next one begins. */
export function ratesThroughTime(head: RowHead, steps: readonly RateStep[]): RowData[] {
  return steps.map(([from, ratePpm], index) => {
    const next = steps[index + 1];
    const reason = ratePpm === 0 ? (head.reason ?? 'outside_scope') : (head.reason ?? 'standard');
    return {
      country: head.country,
      region: head.region ?? null,
      category: head.category ?? 'any',
      fromMs: Date.parse(from),
      toMs: next === undefined ? null : Date.parse(next[0]),
      ratePpm,
      name: head.name,
      taxable: ratePpm > 0,
      reason,
      b2b: head.b2b ?? 'as_consumer',
      source: head.source,
      sellerDecides: head.sellerDecides ?? false,
    };
  });
}

/** A place where nothing is taxed, told apart from a place that the table does not know. */
export function withoutTax(head: RowHead): RowData[] {
  return ratesThroughTime(head, [[TABLE_START, 0]]);
}
