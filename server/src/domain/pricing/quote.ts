import { assert } from '../assert.ts';
import type { ErrorCode } from '../errors.ts';
import type { TaxRequest, TaxRules } from '../tax/decide-by-table.ts';
import { type Address, type Place, toPlace } from '../tax/location.ts';
import type { LineTaxRule, TaxReason } from '../tax/rate.ts';
import type { TaxCustomer, TaxSettings } from '../tax/tax.ts';
import { checkTaxNumber, type TaxNumberAnswer } from '../tax/tax-number.ts';
import type { TaxCategory } from '../tax/taxability.ts';
import { chooseDiscount, type GivenCode } from './choose-discount.ts';
import type { DiscountTerms } from './discount.ts';
import type { PricedLine, Totals } from './totals.ts';

export interface QuoteLine extends Omit<PricedLine, 'inclusive'> {
  category: TaxCategory;
  /** The offer's own; null = as `pricesIncludeTax` says. */
  taxBehavior: 'inclusive' | 'exclusive' | null;
}

/** What is known of the buyer when the quote is asked for. */
export interface QuoteBuyer extends Omit<Address, 'countryCode'> {
  /** Null until the buyer has chosen one: nothing is taxed yet. */
  countryCode: string | null;
  type: 'individual' | 'company';
  taxNumber: string | null;
  /** An answer got elsewhere (VIES); null = check format and digits here. */
  taxNumberValid: boolean | null;
  /** What the register said, to be kept with the sale. */
  taxNumberAnswer?: TaxNumberAnswer | null;
}

export interface QuoteInput {
  /** Stamps the discount windows and, without `supplyDateMs`, the date of supply. */
  nowMs: number;
  currency: string;
  lines: readonly QuoteLine[];
  pricesIncludeTax: boolean;
  sales: readonly DiscountTerms[];
  code: GivenCode;
  /** Held and used redemptions of this buyer by discount id, without this very purchase's; missing = 0. */
  userRedemptions: ReadonlyMap<string, number>;
  buyer: QuoteBuyer;
  /** `countryCode` null = established outside the EU. */
  seller: { countryCode: string | null };
  taxSettings: TaxSettings;
  supplyDateMs?: number;
}

export interface Quote extends Totals {
  discount: DiscountTerms | null;
  /** Why the given code cannot be used; the sums are those without it. */
  codeRefusal: ErrorCode | null;
  /** The given code is valid and was not used: a sale is at least as good, or it takes nothing off. */
  codeUnused: boolean;
  /** Whether tax is part of every price. */
  inclusive: boolean;
  /** The cart's: a taxed line's before an untaxed one's. Each line has its own. */
  reason: TaxReason;
  place: Place | null;
  /** What the tax rested on: false also when there is no number. */
  taxNumberValid: boolean;
  /** What the register said of the number; null where it was not asked. */
  taxNumberAnswer: TaxNumberAnswer | null;
  /** Sentences that the invoice must carry, each once. */
  sentences: string[];
}

/**
 * The price of a purchase, from catalogue lines to the amount to pay: one discount chosen, each line taxed at
 * the buyer's place by the rules that the tax provider gave for `toTaxRequest`. Checkout, test purchases and the tax operation all call this, so that they cannot differ.
 * Refuses only `amount_too_large`; a code that cannot be used is told in `codeRefusal`.
 */
export function computeQuote(input: QuoteInput, taxRules: TaxRules): Quote {
  const lines = input.lines.map((line) => ({
    ...line,
    inclusive: isInclusive(line, input.pricesIncludeTax),
  }));
  const { nowMs, currency, userRedemptions } = input;
  const choice = chooseDiscount(
    lines,
    { sales: input.sales, code: input.code },
    { nowMs, currency, userRedemptions, tax: ({ category }) => ruleOf(taxRules, category) },
  );
  const rules = choice.totals.lines.map(({ rule }) => rule);
  return {
    ...choice.totals,
    discount: choice.discount,
    codeRefusal: choice.codeRefusal,
    codeUnused: choice.codeUnused,
    inclusive: lines.every(({ inclusive }) => inclusive),
    reason: toCartReason(rules),
    place: toBuyerPlace(input.buyer),
    taxNumberValid: toTaxCustomer(input.buyer).taxNumberValid,
    taxNumberAnswer: input.buyer.taxNumberAnswer ?? null,
    sentences: [...new Set(rules.flatMap(({ sentence }) => (sentence === null ? [] : [sentence])))],
  };
}

/** What is asked of the tax provider before the cart is priced. */
export function toTaxRequest(input: QuoteInput): TaxRequest {
  return {
    ...toTaxedBuyer(input.buyer),
    // Carts have many lines and few categories.
    categories: [...new Set(input.lines.map(({ category }) => category))],
    seller: input.seller,
    settings: input.taxSettings,
    supplyDateMs: input.supplyDateMs ?? input.nowMs,
  };
}

/** What of a buyer decides their tax. */
export function toTaxedBuyer(buyer: QuoteBuyer): Pick<TaxRequest, 'place' | 'customer'> {
  return { place: toBuyerPlace(buyer), customer: toTaxCustomer(buyer) };
}

function ruleOf(taxRules: TaxRules, category: TaxCategory): LineTaxRule {
  const rule = taxRules.get(category);
  assert(rule, `the tax provider answers for every category, and not for ${category}`);
  return rule;
}

function toBuyerPlace({ countryCode, state, postalCode }: QuoteBuyer): Place | null {
  return countryCode === null ? null : toPlace({ countryCode, state, postalCode });
}

function toTaxCustomer({ type, taxNumber, taxNumberValid, countryCode }: QuoteBuyer): TaxCustomer {
  const isGiven = taxNumber !== null && countryCode !== null;
  const valid = isGiven && (taxNumberValid ?? checkTaxNumber(countryCode, taxNumber).valid);
  return { type, taxNumber, taxNumberValid: valid };
}

function isInclusive({ taxBehavior }: QuoteLine, pricesIncludeTax: boolean): boolean {
  return taxBehavior === null ? pricesIncludeTax : taxBehavior === 'inclusive';
}

const REASONS_BY_WEIGHT: readonly TaxReason[] = [
  'standard',
  'reduced',
  'reverse_charge',
  'zero_rated',
  'exempt',
  'not_registered',
  'outside_scope',
];

function toCartReason(rules: readonly LineTaxRule[]): TaxReason {
  return REASONS_BY_WEIGHT.find((reason) => rules.some((rule) => rule.reason === reason)) ?? 'outside_scope';
}
