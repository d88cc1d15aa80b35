/** What the payment of a period will be made of; nothing is written, so that the preview is this very code. */
import type { Step } from '../../context.ts';
import type { Db } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import {
  type Composed,
  composePayment,
  deferPayment,
  type Fraction,
  type ItemPricing,
  isInForce,
  taxBy,
  toCategories,
  toPeriodLines,
} from '../../domain/billing/compose.ts';
import { type BillingLine, lowerLine, type PlanItem, type StoredRate } from '../../domain/billing/line.ts';
import { findUnborne } from '../../domain/billing/pay-back.ts';
import type { DiscountTerms } from '../../domain/pricing/discount.ts';
import { toTaxedBuyer } from '../../domain/pricing/quote.ts';
import { refuseUntaxable } from '../../domain/pricing/totals.ts';
import { toSettings } from '../../domain/settings.ts';
import { readTerms } from '../../domain/subscriptions/stored-plan.ts';
import type { LineTaxRule } from '../../domain/tax/rate.ts';
import type { TaxNumberAnswer } from '../../domain/tax/tax-number.ts';
import { findPaymentMethod } from '../../resources/payment-methods/payment-methods.queries.ts';
import { listWaitingLines } from '../../resources/payments/payment-lines.queries.ts';
import { toBillingLines } from '../../resources/payments/payment-lines.schema.ts';
import { getStore } from '../../resources/workspaces/workspaces.queries.ts';
import { recallTaxNumber, toNumberedBuyer } from './check-tax-number.ts';
import { findStepMinor } from './find-step.ts';

/** What of a subscription bears on its payments. */
export type BilledSubscription = Pick<
  Row<'subscriptions'>,
  'id' | 'billingDetails' | 'currency' | 'discount' | 'discountUses' | 'paymentMethodId'
>;

export interface Interval {
  db: Db;
  subscription: BilledSubscription;
  items: readonly PlanItem[];
  startMs: number;
  endMs: number;
  /** Of a first period that is shorter than the interval. */
  fraction?: Fraction | null;
  /** Instead of those in the store: of a preview, and [] for a payment that is not going to be charged. */
  waiting?: readonly BillingLine[];
  /** Beside those of the period: the unused rest of another plan. */
  extraLines?: readonly BillingLine[];
  /** It is not charged, or was already: it is what it comes to, however little that is. */
  isWhole?: boolean;
}

export interface ComposedPayment extends Composed {
  currency: string;
  /** In force for this payment; null = none. */
  discount: DiscountTerms | null;
  country: string | null;
  taxDecision: TaxDecision;
  /** Items that were taxed by other rates than before: a credit of this period is by these. */
  retaxed: ItemTax[];
  /** Taxes, by their keys, that credits are left of and nobody is charged any more: they are paid back. */
  unborne: ReadonlySet<string>;
}

/** How an item was last taxed, by the id of its row. */
export interface ItemTax {
  id: string;
  taxReason: string;
  taxRates: readonly StoredRate[];
}

/** What the tax of a payment rests on, kept with it. */
export interface TaxDecision {
  place: unknown;
  reason: string;
  taxNumberValid: boolean;
  taxNumberAnswer: TaxNumberAnswer | null;
  sentences: string[];
  sellerCountry: string | null;
}

/**
 * Composes the payment of a period: its items at the tax of its first day, and all that waits for it. One that comes to
 * less than its method's processor charges is of 0, and all of it waits for the next; a part of what that counts its
 * currency in is nobody's.
 */
export async function composePeriodPayment(
  ctx: Step,
  scope: Scope,
  interval: Interval,
): Promise<ComposedPayment> {
  const { db, subscription, items, startMs, endMs } = interval;
  const terms = readTerms(subscription.discount);
  const discount = terms && isInForce(terms, subscription.discountUses) ? terms : null;
  const [taxing, waiting, stepMinor] = await Promise.all([
    decideTax(ctx, scope, { db, subscription, items, atMs: startMs }),
    interval.waiting ?? listWaiting(db, scope, subscription.id),
    interval.isWhole ? 1n : findStepMinor(ctx, scope, { db, subscription }),
  ]);
  const { currency } = subscription;
  const own = toPeriodLines(
    { items, discount, tax: taxing.tax, fraction: interval.fraction ?? null },
    { kind: 'interval', currency, description: null, startMs, endMs },
  );
  const lines = [...own.map((line) => lowerLine(line, stepMinor)), ...(interval.extraLines ?? [])];
  const whole = composePayment(lines, waiting);
  const isTooSmall =
    interval.isWhole !== true &&
    (await isBelowMinimum(ctx, scope, { db, subscription, amountMinor: whole.valueMinor }));
  const composed = isTooSmall ? deferPayment(lines) : whole;
  // What is left may lower the payment after this one, should its items be taxed as today.
  const next = { ...subscription, discountUses: subscription.discountUses + 1 };
  const following = toNextLines({ subscription: next, items, tax: taxing.tax });
  return {
    ...composed,
    unborne: isTooSmall
      ? new Set()
      : findUnborne([...composed.rests, ...composed.left], [...composed.lines, ...following]),
    currency,
    discount,
    country: taxing.country,
    taxDecision: taxing.decision,
    retaxed: findRetaxed(items, own),
  };
}

/** Whether the processor of a subscription's method charges no sum as small as this. */
export async function isBelowMinimum(
  ctx: Step,
  scope: Scope,
  {
    db,
    subscription: { paymentMethodId, currency },
    amountMinor,
  }: {
    db: Db;
    subscription: Pick<BilledSubscription, 'paymentMethodId' | 'currency'>;
    amountMinor: bigint;
  },
): Promise<boolean> {
  const kinds = amountMinor > 0n ? ctx.payments.listTooSmallFor({ amountMinor, currency }) : [];
  if (kinds.length === 0) return false;
  const method = await findPaymentMethod(db, scope, paymentMethodId);
  return method !== null && kinds.includes(method.processor);
}

/** The charges of the next period, as far as their tax is concerned. */
export function toNextLines({
  subscription: { discount: stored, discountUses, currency },
  items,
  tax,
}: {
  subscription: BilledSubscription;
  items: readonly PlanItem[];
  tax: (item: PlanItem) => LineTaxRule;
}): BillingLine[] {
  const terms = readTerms(stored);
  const discount = terms && isInForce(terms, discountUses) ? terms : null;
  return toPeriodLines(
    { items, discount, tax, fraction: null },
    { kind: 'interval', currency, description: null, startMs: null, endMs: null },
  );
}

/**
 * A period at its full price, with what waits for it, is to be billed one day, when no request is there to be refused.
 * Throws amount_too_large.
 */
export function refuseUnbillable(
  pricing: Omit<ItemPricing, 'discount' | 'fraction'>,
  { currency, waiting }: { currency: string; waiting: readonly BillingLine[] },
): void {
  const about = { kind: 'interval', currency, description: null, startMs: null, endMs: null } as const;
  refuseUntaxable(pricing.items.map(({ unitPrice, ...item }) => ({ ...item, unitPriceMinor: unitPrice })));
  composePayment(toPeriodLines({ ...pricing, discount: null, fraction: null }, about), waiting);
}

async function listWaiting(db: Db, scope: Scope, subscriptionId: string): Promise<BillingLine[]> {
  return toBillingLines(await listWaitingLines(db, scope, subscriptionId));
}

function findRetaxed(items: readonly PlanItem[], lines: readonly BillingLine[]): ItemTax[] {
  return items.flatMap((item, index) => {
    const line = lines[index];
    if (item.id === null || !line || describeTax(item) === describeTax(line)) return [];
    return [{ id: item.id, taxReason: line.taxReason, taxRates: line.taxRates }];
  });
}

function describeTax({ taxReason, taxRates }: Pick<ItemTax, 'taxReason' | 'taxRates'>): string {
  const rates = taxRates.map(({ name, country, region, percentage }) => [name, country, region, percentage]);
  return JSON.stringify([taxReason, rates]);
}

export interface Taxing {
  tax: (item: PlanItem) => LineTaxRule;
  country: string | null;
  decision: TaxDecision;
}

export interface TaxedItems {
  db: Db;
  subscription: Pick<BilledSubscription, 'billingDetails'>;
  items: readonly PlanItem[];
  atMs: number;
}

/** The tax of items by the subscription's own billing details; the tax number stays with them. */
export async function decideTax(
  ctx: Step,
  scope: Scope,
  { db, subscription, items, atMs }: TaxedItems,
): Promise<Taxing> {
  const settings = toSettings((await getStore(db, scope)).settings);
  const details = subscription.billingDetails ?? {};
  const given = toNumberedBuyer(details);
  const country = given.countryCode;
  // Nobody outside is asked here, since rows may be locked; whoever calls has asked before.
  const finding = recallTaxNumber(ctx, settings, given);
  const { state = null, postalCode = null } = details;
  const buyer = toTaxedBuyer({ ...given, state, postalCode, ...finding });
  const rules = ctx.tax.decide({
    ...buyer,
    categories: toCategories(items),
    seller: { countryCode: settings.sellerCountry },
    settings,
    supplyDateMs: atMs,
  });
  const all = [...rules.values()];
  const sentences = all.flatMap(({ sentence }) => (sentence === null ? [] : [sentence]));
  return {
    tax: taxBy(rules),
    country,
    decision: {
      place: buyer.place,
      reason: all[0]?.reason ?? 'outside_scope',
      taxNumberValid: buyer.customer.taxNumberValid,
      taxNumberAnswer: finding.taxNumberAnswer,
      sentences: [...new Set(sentences)],
      sellerCountry: settings.sellerCountry,
    },
  };
}
