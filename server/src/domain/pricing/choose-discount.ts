import type { ErrorCode } from '../errors.ts';
import type { LineTaxRule } from '../tax/rate.ts';
import { checkDiscount, type DiscountTerms } from './discount.ts';
import { computeTotals, type PricedLine, type Totals } from './totals.ts';

export interface DiscountContext<Line extends PricedLine = PricedLine> {
  nowMs: number;
  currency: string;
  /** Held and used redemptions of this buyer by discount id, without this very purchase's; missing = 0. */
  userRedemptions: ReadonlyMap<string, number>;
  tax: (line: Line) => LineTaxRule;
}

/** The code of a purchase: its discount, `unknown` when no discount has it, null when none was given. */
export type GivenCode = DiscountTerms | 'unknown' | null;

export interface DiscountChoice {
  discount: DiscountTerms | null;
  totals: Totals;
  /** Why the given code cannot be used. The price then is the one without it, for a quote to show. */
  codeRefusal: ErrorCode | null;
  /** A valid code was given and is kept for another time: a sale is at least as good, or it takes nothing off. */
  codeUnused: boolean;
}

interface Candidate {
  discount: DiscountTerms;
  totals: Totals;
}

/**
 * Picks the one discount of a purchase: whichever leaves the buyer paying less in the end, tax included; on a
 * tie the sale, among sales the smaller id. What takes nothing off is not used, a code no more than a sale: it would be
 * spent for nothing.
 */
export function chooseDiscount<Line extends PricedLine>(
  lines: readonly Line[],
  offered: { sales: readonly DiscountTerms[]; code: GivenCode },
  context: DiscountContext<Line>,
): DiscountChoice {
  const price = (discount: DiscountTerms | null) => computeTotals({ lines, discount, tax: context.tax });
  const sale = findBestSale(offered.sales, { lines, context, price });
  const codeRefusal = checkCode(offered.code, lines, context);
  const known = offered.code === 'unknown' ? null : offered.code;
  const code = known !== null && codeRefusal === null ? { discount: known, totals: price(known) } : null;
  const isLower = code !== null && (sale === null || code.totals.totalMinor < sale.totals.totalMinor);
  if (isLower && code.totals.discountMinor > 0n) return { ...code, codeRefusal, codeUnused: false };
  const chosen = sale ?? { discount: null, totals: price(null) };
  return { ...chosen, codeRefusal, codeUnused: code !== null };
}

interface Trial<Line extends PricedLine> {
  lines: readonly Line[];
  context: DiscountContext<Line>;
  price: (discount: DiscountTerms) => Totals;
}

function findBestSale<Line extends PricedLine>(
  sales: readonly DiscountTerms[],
  { lines, context, price }: Trial<Line>,
): Candidate | null {
  const candidates = sales
    .filter((sale) => checkAttempt(sale, lines, context) === null)
    .map((discount) => ({ discount, totals: price(discount) }))
    .filter(({ totals }) => totals.discountMinor > 0n);
  return candidates.reduce<Candidate | null>((best, candidate) => {
    return best === null || isBetter(candidate, best) ? candidate : best;
  }, null);
}

function isBetter(a: Candidate, b: Candidate): boolean {
  if (a.totals.totalMinor !== b.totals.totalMinor) return a.totals.totalMinor < b.totals.totalMinor;
  return a.discount.id < b.discount.id;
}

function checkCode<Line extends PricedLine>(
  code: GivenCode,
  lines: readonly Line[],
  context: DiscountContext<Line>,
): ErrorCode | null {
  if (code === null) return null;
  return code === 'unknown' ? 'discount_code_unknown' : checkAttempt(code, lines, context);
}

function checkAttempt<Line extends PricedLine>(
  discount: DiscountTerms,
  lines: readonly Line[],
  { nowMs, currency, userRedemptions }: DiscountContext<Line>,
): ErrorCode | null {
  const offerIds = lines.flatMap(({ offerId }) => (offerId === null ? [] : [offerId]));
  const attempt = { nowMs, currency, offerIds, userRedemptions: userRedemptions.get(discount.id) ?? 0 };
  return checkDiscount(discount, attempt);
}
