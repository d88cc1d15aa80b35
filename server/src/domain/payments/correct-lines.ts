/** The lines of an unpaid order whose amounts a merchant has corrected: they add up to the new ones. */
import { allocate } from '../money/allocate.ts';

export interface CorrectedRate {
  name: string;
  country: string;
  region: string | null;
  percentage: number;
  /** Minor units, like `amount`. */
  taxable: number;
  amount: number;
  reason: string;
}

/** Minor units; `total` has its tax within. */
export interface CorrectedLine {
  id: string;
  subtotal: bigint;
  total: bigint;
  tax: bigint;
  inclusive: boolean;
  taxReason: string;
  taxRates: CorrectedRate[];
}

export interface LineChange {
  id: string;
  total: bigint;
  tax: bigint;
  discount: bigint;
  taxRates: CorrectedRate[];
}

/**
 * Spreads the amounts over the lines in proportion. Unit prices stay; what the correction takes off, or puts on,
 * shows as the line's discount. `tax` is at most `value`.
 */
export function correctLines(
  lines: readonly CorrectedLine[],
  { value, tax }: { value: bigint; tax: bigint },
): LineChange[] {
  const totals = spread(
    value,
    lines.map((line) => line.total),
  );
  const taxes = spreadTax(tax, lines, totals);
  return lines.map((line, index) => {
    const total = totals[index] ?? 0n;
    const lineTax = taxes[index] ?? 0n;
    const net = total - lineTax;
    return {
      id: line.id,
      total,
      tax: lineTax,
      discount: line.subtotal - (line.inclusive ? total : net),
      taxRates: correctRates(line, { net, tax: lineTax }),
    };
  });
}

/** Where the taxes were, unless a line would have more of it than money. */
function spreadTax(tax: bigint, lines: readonly CorrectedLine[], totals: bigint[]): bigint[] {
  const alike = spread(
    tax,
    lines.map((line) => line.tax),
  );
  const fits = alike.every((part, index) => part <= (totals[index] ?? 0n));
  return fits ? alike : spread(tax, totals);
}

function correctRates(line: CorrectedLine, { net, tax }: { net: bigint; tax: bigint }): CorrectedRate[] {
  if (line.taxRates.length === 0) {
    if (tax === 0n) return [];
    const amounts = { taxable: Number(net), amount: Number(tax) };
    return [{ name: 'Tax', country: '', region: null, percentage: 0, ...amounts, reason: line.taxReason }];
  }
  const parts = spread(
    tax,
    line.taxRates.map(({ amount }) => BigInt(amount)),
  );
  return line.taxRates.map((rate, index) => ({
    ...rate,
    taxable: Number(net),
    amount: Number(parts[index] ?? 0n),
  }));
}

/** By largest remainder; without any weight the first takes all. */
function spread(total: bigint, weights: bigint[]): bigint[] {
  if (weights.some((weight) => weight > 0n)) return allocate(total, weights);
  return weights.map((_, index) => (index === 0 ? total : 0n));
}
