/** How the total of what was sold came about: the checkout's own lines, from what each item keeps of them. */
import type { StoredRate } from '../billing/line.ts';

/** What an item or a line of a payment keeps of its price, in minor units of its currency. */
export interface SoldSums {
  subtotal: number;
  discount: number;
  inclusive: boolean;
  taxRates: ReadonlyArray<Pick<StoredRate, 'name' | 'country' | 'region' | 'percentage' | 'amount'>>;
}

export interface TaxLine {
  name: string;
  country: string;
  region: string | null;
  /** Of a hundred. */
  percentage: number;
  /** Minor units. */
  amount: number;
}

export interface Breakdown {
  /** Whether the prices hold their tax. */
  inclusive: boolean;
  subtotal: number;
  discount: number;
  /** One per tax, in the order in which the items name them; nothing of 0. */
  taxLines: TaxLine[];
}

/**
 * Of nothing sold it is all 0. Where only some prices hold their tax it is taken out of these, so that subtotal, discount
 * and taxes come to the total.
 */
export function toBreakdown(sold: readonly SoldSums[]): Breakdown {
  const inclusive = sold.length > 0 && sold.every((one) => one.inclusive);
  const heldBy = (one: SoldSums) =>
    one.inclusive && !inclusive ? one.taxRates.reduce((sum, { amount }) => sum + amount, 0) : 0;
  return {
    inclusive,
    subtotal: sold.reduce((sum, one) => sum + one.subtotal - heldBy(one), 0),
    discount: sold.reduce((sum, { discount }) => sum + discount, 0),
    taxLines: sumTaxLines(sold.flatMap(({ taxRates }) => taxRates)),
  };
}

/** Amounts of the same tax as one. */
export function sumTaxLines(rates: SoldSums['taxRates']): TaxLine[] {
  const sums = new Map<string, TaxLine>();
  for (const { name, country, region, percentage, amount } of rates) {
    const key = `${name} ${country} ${region} ${percentage}`;
    const before = sums.get(key)?.amount ?? 0;
    sums.set(key, { name, country, region, percentage, amount: before + amount });
  }
  return [...sums.values()].filter(({ amount }) => amount !== 0);
}
