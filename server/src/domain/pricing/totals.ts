import { allocate } from '../money/allocate.ts';
import { checkedTotal, smallerAmount } from '../money/money.ts';
import type { LineTaxRule } from '../tax/rate.ts';
import { computePercentageOff, type DiscountTerms, isEligibleOffer } from './discount.ts';
import { computeLineTax, type LineRate, sumRatePpm } from './line-tax.ts';

/** A line to be priced. A negative unit price is a credit: it is taxed like any line and never discounted. */
export interface PricedLine {
  /** The caller's own name for the line, unique in the cart. */
  key: string;
  /** Null for a line with a name and a price of its own. */
  offerId: string | null;
  unitPriceMinor: bigint;
  quantity: number;
  /** Whether the tax is part of the price. */
  inclusive: boolean;
}

/** A priced line with every input of its sum, to be stored and shown as it stood at the purchase. */
export interface LineTotals extends PricedLine {
  /** unit price × quantity, in the price's own tax behaviour. */
  subtotalMinor: bigint;
  /** This line's share of the discount, in the price's own tax behaviour. */
  discountMinor: bigint;
  /** After discount, without tax. */
  netMinor: bigint;
  taxMinor: bigint;
  /** What the buyer pays for the line: net + tax. */
  totalMinor: bigint;
  rates: LineRate[];
  rule: LineTaxRule;
}

export interface Totals {
  subtotalMinor: bigint;
  discountMinor: bigint;
  taxMinor: bigint;
  totalMinor: bigint;
  /** In the order of the input. */
  lines: LineTotals[];
}

export interface TotalsInput<Line extends PricedLine = PricedLine> {
  lines: readonly Line[];
  /** Already found eligible by `checkDiscount`; null = none. */
  discount: DiscountTerms | null;
  tax: (line: Line) => LineTaxRule;
}

interface RuledLine {
  line: PricedLine;
  rule: LineTaxRule;
  subtotalMinor: bigint;
}

/**
 * Prices a cart: per line unit price × quantity, less its share of the discount, then tax on what is left.
 * The sums do not depend on the order of the lines. Refuses `amount_too_large` when any of them, or any step
 * on the way to them, is beyond what can be stored.
 */
export function computeTotals<Line extends PricedLine>(input: TotalsInput<Line>): Totals {
  const ruled = input.lines.map((line) => ({
    line: toPricedLine(line),
    rule: input.tax(line),
    subtotalMinor: checkedTotal(line.unitPriceMinor * BigInt(line.quantity)),
  }));
  const discounts = computeDiscountShares(ruled, input.discount);
  const lines = ruled.map((entry, index) => computeLine(entry, discounts[index] ?? 0n));
  return {
    subtotalMinor: sumOf(lines, 'subtotalMinor'),
    discountMinor: sumOf(lines, 'discountMinor'),
    taxMinor: sumOf(lines, 'taxMinor'),
    totalMinor: sumOf(lines, 'totalMinor'),
    lines,
  };
}

function computeLine({ line, rule, subtotalMinor }: RuledLine, discountMinor: bigint): LineTotals {
  const tax = computeLineTax(subtotalMinor - discountMinor, line.inclusive, rule);
  const totalMinor = checkedTotal(tax.netMinor + tax.taxMinor);
  return { ...line, subtotalMinor, discountMinor, ...tax, totalMinor, rule };
}

/** Each line's part of the discount: 0 for lines that are not eligible, never more than the line itself. */
function computeDiscountShares(ruled: readonly RuledLine[], discount: DiscountTerms | null): bigint[] {
  if (discount === null) return ruled.map(() => 0n);
  const eligible = ruled.map(({ line, subtotalMinor }) =>
    subtotalMinor > 0n && isEligibleOffer(discount, line.offerId) ? subtotalMinor : 0n,
  );
  if (discount.amountType === 'percentage') {
    return eligible.map((subtotalMinor) => computePercentageOff(discount, subtotalMinor));
  }
  const sum = eligible.reduce((total, subtotalMinor) => total + subtotalMinor, 0n);
  return allocate(smallerAmount(discount.amount, sum), eligible, rankLines(ruled));
}

/** The order in which lines win a tie: lower tax rate, smaller offer id, smaller unit price. */
function rankLines(ruled: readonly RuledLine[]): number[] {
  const order = ruled
    .map((entry, index) => ({ entry, index }))
    .toSorted((a, b) => compareLines(a.entry, b.entry));
  const ranks = ruled.map(() => 0);
  for (const [rank, { index }] of order.entries()) ranks[index] = rank;
  return ranks;
}

// Beyond the rule's three steps everything that bears on a line's sum takes part, so that lines which are still
// equal are interchangeable and the total cannot depend on their order.
function compareLines(a: RuledLine, b: RuledLine): number {
  return (
    compare(sumRatePpm(a.rule), sumRatePpm(b.rule)) ||
    compare(a.line.offerId ?? '', b.line.offerId ?? '') ||
    compare(a.line.unitPriceMinor, b.line.unitPriceMinor) ||
    a.line.quantity - b.line.quantity ||
    Number(a.line.inclusive) - Number(b.line.inclusive) ||
    compare(describeRates(a.rule), describeRates(b.rule)) ||
    compare(a.line.key, b.line.key)
  );
}

function describeRates(rule: LineTaxRule): string {
  return rule.rates.map((rate) => `${rate.country} ${rate.region} ${rate.name} ${rate.ratePpm}`).join(', ');
}

function compare<T extends bigint | string>(a: T, b: T): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

// The fields are picked so that what else a caller's line carries does not slip into the stored inputs.
function toPricedLine({ key, offerId, unitPriceMinor, quantity, inclusive }: PricedLine): PricedLine {
  return { key, offerId, unitPriceMinor, quantity, inclusive };
}

type SummedField = 'subtotalMinor' | 'discountMinor' | 'taxMinor' | 'totalMinor';

function sumOf(lines: readonly LineTotals[], field: SummedField): bigint {
  return checkedTotal(lines.reduce((sum, line) => sum + line[field], 0n));
}

type PricedAlone = Pick<PricedLine, 'unitPriceMinor' | 'quantity' | 'inclusive'>;

/**
 * What renews is taxed anew each time, wherever its buyer lives by then, when no request is there to be refused. Refuses
 * `amount_too_large` where a price without its tax could not be stored with one of 100 %, beyond which no rate is.
 */
export function refuseUntaxable(lines: readonly PricedAlone[]): void {
  const most = ({ unitPriceMinor, quantity, inclusive }: PricedAlone) =>
    unitPriceMinor * BigInt(quantity) * (inclusive ? 1n : 2n);
  checkedTotal(lines.reduce((sum, line) => sum + most(line), 0n));
}
