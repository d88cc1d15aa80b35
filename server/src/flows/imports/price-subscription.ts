/** What an imported subscription will be charged here: by the code that composes every payment of a period. */
import type { Step } from '../../context.ts';
import type { Db } from '../../db/database.ts';
import type { BillingDetailsJson } from '../../db/schema/users.ts';
import type { Row } from '../../db/schema.ts';
import { type Scope, toJson } from '../../db/scope.ts';
import { assert } from '../../domain/assert.ts';
import type { PlanItem } from '../../domain/billing/line.ts';
import { mergeDetails } from '../../domain/billing-details.ts';
import { type ImportedPeriod, listCharges, toDay, toImportedPeriod } from '../../domain/imports/calendar.ts';
import type { PlannedCharge, PriceChange } from '../../domain/imports/decide.ts';
import type { CustomerLine, SubscriptionLine } from '../../domain/imports/lines.ts';
import type { DiscountTerms } from '../../domain/pricing/discount.ts';
import { toCodeNormal } from '../../domain/pricing/discount-code.ts';
import { boundaryMs, type Interval } from '../../domain/subscriptions/period.ts';
import { storeTerms } from '../../domain/subscriptions/stored-plan.ts';
import { toTerms } from '../../resources/discounts/discounts.schema.ts';
import { composePeriodPayment } from '../pricing/compose-period-payment.ts';
import type { Facts } from './find-fault.ts';
import { hashBody } from './hash-body.ts';
import type { KnownLines } from './known-lines.ts';
import { findOfferFacts, toImportedItems } from './offer-facts.ts';

export interface PricedSubscription {
  items: PlanItem[];
  interval: Interval;
  period: ImportedPeriod;
  billingDetails: BillingDetailsJson;
  /** As the row keeps it; null = none. */
  discount: object | null;
  discountUses: number;
  warnings: string[];
  charges: PlannedCharge[];
  priceChange: PriceChange | null;
}

interface Pricing {
  db: Db;
  line: SubscriptionLine;
  known: KnownLines;
  facts: Facts;
}

export async function priceSubscription(
  ctx: Step,
  scope: Scope,
  { db, line, known, facts }: Pricing,
): Promise<PricedSubscription> {
  const items = toImportedItems(line, known);
  const [first] = line.items;
  const interval = first ? (findOfferFacts(known, first.offerRef)?.interval ?? null) : null;
  assert(interval, 'an offer that does not recur was refused');
  const anchorAt = line.status === 'trialing' ? line.paidUntil : line.anchorAt;
  const period = toImportedPeriod({ anchorAt, paidUntil: line.paidUntil }, interval);
  const billingDetails = findDetails(line.customerRef, { known, facts });
  const terms = findTerms(line, { known, facts });
  const discountUses = terms ? countUses(terms, line) : 0;
  const discount = terms ? storeTerms(terms) : null;
  const compose = (startMs: number, endMs: number, uses: number) =>
    composePeriodPayment(ctx, scope, {
      db,
      // No row of payments names it yet.
      subscription: {
        ...{ id: '', billingDetails, currency: line.currency, discount, discountUses: uses },
        paymentMethodId: null,
      },
      ...{ items, startMs, endMs, waiting: [] },
    });
  const monthEndMs = boundaryMs(ctx.nowMs, { unit: 'month', count: 1 }, 1);
  const charges: PlannedCharge[] = [];
  const [next] = listCharges(period, interval, period.endMs + 1);
  assert(next, 'the period after what was paid for begins with its end');
  const composed = await compose(next.startMs, next.endMs, discountUses);
  for (const [place, { startMs, endMs }] of listCharges(period, interval, monthEndMs).entries()) {
    if (line.cancelAtIntervalEnd || startMs < ctx.nowMs) continue;
    const one = place === 0 ? composed : await compose(startMs, endMs, discountUses + place);
    charges.push({ day: toDay(startMs), amount: Number(one.valueMinor) });
  }
  const ours = Number(composed.valueMinor);
  const isDearer = line.nextTotal != null && !line.cancelAtIntervalEnd && line.nextTotal !== ours;
  const taxed = items.map((item, place) => {
    const { taxReason, taxRates } = composed.lines[place] ?? item;
    return { ...item, taxReason, taxRates };
  });
  return {
    ...{ items: taxed, interval, period, billingDetails, discount, discountUses, charges },
    warnings: warn(ctx.nowMs, { line, period, billingDetails }),
    priceChange: isDearer ? { theirs: line.nextTotal ?? 0, ours } : null,
  };
}

function warn(
  nowMs: number,
  {
    line,
    period,
    billingDetails,
  }: { line: SubscriptionLine; period: ImportedPeriod; billingDetails: BillingDetailsJson },
): string[] {
  const found: Array<[string, boolean]> = [
    ['anchor_moved', period.isMoved && line.status !== 'trialing'],
    ['paid_until_passed', line.paidUntil <= nowMs],
    ['no_payment_method', line.paymentMethodRef == null],
    ['no_country', billingDetails.countryCode === undefined],
  ];
  return found.flatMap(([code, isSo]) => (isSo ? [code] : []));
}

/** Ours where there are some, since what was typed here wins; what is missing is filled in. */
function findDetails(ref: string, { known, facts }: Omit<Pricing, 'db' | 'line'>): BillingDetailsJson {
  const { inFile, brought } = known.find('customer', ref);
  const line = inFile?.body.kind === 'customer' ? inFile.body : null;
  if (brought) {
    const user = facts.usersById.get(brought.objectId);
    const isChanged = line !== null && hashBody(line) !== brought.bodyHash;
    const isOurs = user?.version !== brought.objectVersion;
    return line && isChanged && !isOurs ? changeDetails(user, line) : (user?.billingDetails ?? {});
  }
  return line ? fillDetails(facts.findUser(line.email), line) : {};
}

type Named = Pick<Row<'users'>, 'billingDetails'> | undefined;

function toDetails({ billingDetails = {} }: CustomerLine): BillingDetailsJson {
  // Held to the schema, whose words they are; null unsets.
  return mergeDetails<BillingDetailsJson>({}, billingDetails as Partial<BillingDetailsJson>);
}

/** As they are there now: what is said there changes here. */
export function changeDetails(user: Named, line: CustomerLine): BillingDetailsJson {
  return { ...user?.billingDetails, ...toDetails(line) };
}

/** Of somebody who was here before: what was typed here stays. */
export function fillDetails(user: Named, line: CustomerLine): BillingDetailsJson {
  return { ...toDetails(line), ...user?.billingDetails };
}

/** Ours where it is here; else as the file says it. */
function findTerms(
  line: SubscriptionLine,
  { known, facts }: Omit<Pricing, 'db' | 'line'>,
): DiscountTerms | null {
  if (line.discountRef == null) return null;
  const { inFile, brought } = known.find('discount', line.discountRef);
  const row = brought ? facts.discountsById.get(brought.objectId) : undefined;
  if (row) return toTerms(row);
  if (inFile?.body.kind !== 'discount') return null;
  const { name, code, amountType, amount, currency, duration, durationIntervals } = inFile.body;
  return {
    ...{ id: '', type: 'code', status: 'active', archived: false, includesAllOffers: true },
    ...{ includedOffers: [], excludedOffers: [], purchaseLimit: null, limitPerUser: null },
    ...{ heldCount: 0, usedCount: 0, validFromMs: null, validUntilMs: null },
    ...{ amountType, duration, name: name ?? null, discountCode: code == null ? null : toCodeNormal(code) },
    amount: BigInt(amountType === 'percentage' ? Math.round(amount * 100) : amount),
    currency: amountType === 'fixed' ? (currency ?? line.currency) : null,
    durationIntervals: duration === 'repeating' ? (durationIntervals ?? null) : null,
  };
}

/** How many payments it has lowered already. */
function countUses(
  { duration, durationIntervals }: DiscountTerms,
  { discountIntervalsLeft }: SubscriptionLine,
): number {
  if (duration === 'forever') return 0;
  if (discountIntervalsLeft == null) return duration === 'once' ? 1 : 0;
  const all = duration === 'once' ? 1 : (durationIntervals ?? discountIntervalsLeft);
  return Math.max(0, all - discountIntervalsLeft);
}

export function toStoredDiscount(discount: object | null): string | null {
  return discount === null ? null : toJson(discount);
}
