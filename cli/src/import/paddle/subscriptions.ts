/** A subscription of Paddle's as it runs. */

import type { Cards } from '../cards.ts';
import type { SubscriptionItem, SubscriptionLine } from '../lines.ts';
import type { StayCode, Stays } from '../stays.ts';
import {
  at,
  countCharges,
  type Item,
  isItem,
  listAt,
  toCurrency,
  toInterval,
  toMinorCount,
  toMs,
  toNumber,
  toRef,
} from '../values.ts';
import { refusePrice, toTaxBehavior, toUnitPrice } from './catalogue.ts';

export interface Known {
  prices: ReadonlyMap<string, Item>;
  discounts: ReadonlyMap<string, Item>;
  customers: ReadonlySet<string>;
  cards: Cards;
  paid: ReadonlyMap<string, Paid>;
  stays: Stays;
}

export interface Paid {
  endsAt: number;
  value: number;
  tax: number;
}

/** Null = it stays there, and that was said. */
export function convertSubscription(subscription: Item, known: Known): SubscriptionLine | null {
  const ref = String(subscription.id);
  const line = refuse(subscription, known) ?? toLine(subscription, known);
  if (typeof line !== 'string') {
    if (!line.paymentMethodRef) known.stays.add('card', ref);
    const action = at(subscription, 'scheduled_change', 'action');
    if (action !== undefined && action !== 'cancel') known.stays.add('later_change', ref);
    return line;
  }
  known.stays.add(line, ref);
  return null;
}

const priceOf = (item: Item, { prices }: Known): Item | undefined =>
  isItem(item.price) ? item.price : prices.get(String(item.price_id));

/** What an item added once is charged once. */
const listRecurring = (subscription: Item) =>
  listAt(subscription, 'items').filter(
    ({ recurring, status }) => recurring !== false && status !== 'inactive',
  );

function refuse(subscription: Item, known: Known): StayCode | null {
  if (subscription.status === 'canceled') return 'ended';
  if (subscription.status === 'paused') return 'paused_collection';
  if (subscription.collection_mode === 'manual') return 'send_invoice';
  if (!known.customers.has(toRef(subscription.customer_id) ?? '')) return 'unknown_customer';
  for (const item of listRecurring(subscription)) {
    const price = priceOf(item, known);
    const code = price ? refusePrice(price) : 'unknown_offer';
    if (code) return code;
  }
  return null;
}

function toLine(subscription: Item, known: Known): SubscriptionLine | StayCode {
  const ref = String(subscription.id);
  const items = listRecurring(subscription).flatMap((item): SubscriptionItem[] => {
    const price = priceOf(item, known);
    const [unitPrice, quantity] = [toUnitPrice(price), toMinorCount(item.quantity ?? 1)];
    return price && unitPrice !== null && quantity
      ? [{ offerRef: String(price.id), quantity, unitPrice }]
      : [];
  });
  const currency = toCurrency(subscription.currency_code);
  if (items.length === 0 || currency === null) return 'no_price';
  const isTrial = subscription.status === 'trialing';
  const endsAt = toMs(at(subscription, 'current_billing_period', 'ends_at'));
  const paidUntil = toMs(subscription.next_billed_at) ?? endsAt;
  const createdAt = toMs(subscription.started_at) ?? toMs(subscription.created_at);
  const cycle = subscription.billing_cycle;
  const interval = toInterval(at(cycle, 'interval'), at(cycle, 'frequency'));
  if (paidUntil === null || createdAt === null || interval === null) return 'no_period';
  const given = findGiven(subscription, { known, next: { paidUntil, interval } });
  if (typeof given === 'string') return given;
  const [first] = listRecurring(subscription);
  const behavior = toTaxBehavior(first && priceOf(first, known));
  const paid = known.paid.get(ref);
  const customerRef = toRef(subscription.customer_id) ?? '';
  return {
    ...{ kind: 'subscription', ref, customerRef, status: String(subscription.status), items, currency },
    taxBehavior: behavior ?? 'inclusive',
    ...given,
    cancelAtIntervalEnd: at(subscription, 'scheduled_change', 'action') === 'cancel',
    ...{ createdAt, anchorAt: toMs(subscription.first_billed_at) ?? createdAt, paidUntil },
    paymentMethodRef: known.cards.get(customerRef)?.ref ?? null,
    paidForPeriod: paid && !isTrial ? { value: paid.value, tax: paid.tax } : null,
    nextTotal: toNextTotal(subscription, { items, hasDiscount: given.discountRef !== null, behavior }),
  };
}

function findGiven(
  { discount }: Item,
  {
    known,
    next,
  }: { known: Known; next: { paidUntil: number; interval: NonNullable<ReturnType<typeof toInterval>> } },
): { discountRef: string | null; discountIntervalsLeft: number | null } | StayCode {
  const none = { discountRef: null, discountIntervalsLeft: null };
  const ref = toRef(at(discount, 'id'));
  if (ref === null) return none;
  const terms = known.discounts.get(ref);
  if (!terms) return 'discount_unknown';
  if (terms.type === 'flat_per_seat') return 'discount_limited';
  const endsAt = toMs(at(discount, 'ends_at'));
  if (terms.recur === true && endsAt === null) return { discountRef: ref, discountIntervalsLeft: null };
  const left = endsAt === null ? 0 : countCharges(next.paidUntil, next.interval, endsAt);
  const most = toNumber(terms.maximum_recurring_intervals) ?? left;
  return left === 0 ? none : { discountRef: ref, discountIntervalsLeft: Math.min(left, most) || left };
}

interface Next {
  items: readonly SubscriptionItem[];
  hasDiscount: boolean;
  behavior: 'inclusive' | 'exclusive' | null;
}

/** As Paddle reckons it where the answer says so; else the prices, where the tax is in them. */
function toNextTotal(subscription: Item, { items, hasDiscount, behavior }: Next): number | null {
  const told = toMinorCount(at(subscription, 'next_transaction', 'details', 'totals', 'total'));
  if (told !== null) return told;
  if (hasDiscount || behavior === 'exclusive') return null;
  return items.reduce((sum, { quantity, unitPrice }) => sum + quantity * unitPrice, 0);
}
