/** Why a line carries the tax that it does; the words are the API's. */
export type TaxReason =
  | 'standard'
  | 'reduced'
  | 'reverse_charge'
  | 'not_registered'
  | 'exempt'
  | 'zero_rated'
  | 'outside_scope';

/** One tax of one authority on a line, before any amount is known. */
export interface TaxRate {
  /** What the tax is called where it is levied: VAT, GST, QST, sales tax. */
  name: string;
  /** ISO 3166-1 alpha-2. */
  country: string;
  /** State, province or special territory; null where the tax is the whole country's. */
  region: string | null;
  /** The rate in millionths, which are 1/10,000 of a percent: 9.975 % is 99,750. Never a fraction. */
  ratePpm: number;
  reason: TaxReason;
}

/** What the tax decision gives a line: one rate per tax, at least one, so that a zero carries its reason too. */
export interface LineTaxRule {
  reason: TaxReason;
  rates: readonly TaxRate[];
  /** The sentence that the invoice must carry, such as the reverse charge's. */
  sentence: string | null;
}

/** A rate of 100 % in `ratePpm`. */
export const RATE_ONE_PPM = 1_000_000n;

/** The percentage as the API shows it: 99,750 → 9.975. For display only; sums use `ratePpm`. */
export function toPercentage(ratePpm: number): number {
  return ratePpm / 10_000;
}
