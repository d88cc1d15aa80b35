/** A subscription of Lemon Squeezy's as it runs. */
import type { Cards } from '../cards.ts';
import type { ImportLine, OfferLine, SubscriptionLine } from '../lines.ts';
import type { Source } from '../source.ts';
import type { StayCode, Stays } from '../stays.ts';
import { at, type Item, toCurrency, toMinorCount, toMs, toRef } from '../values.ts';
import { attribute, type Offered, refusePrice, relatedId, type Shop, toPriceInterval } from './catalogue.ts';

export interface Known {
  shop: Shop;
  offered: ReadonlyMap<string, Offered>;
  customers: ReadonlySet<string>;
  cards: Cards;
  /** The last payment of each. */
  invoices: ReadonlyMap<string, Item>;
  /** Whether tax was in the first order's prices. */
  orders: ReadonlyMap<string, Item>;
  nowMs: number;
  stays: Stays;
}

/** The service's words for them. */
const STATUSES: Readonly<Record<string, string>> = { on_trial: 'trialing', cancelled: 'active' };

/** The last whole payment of each subscription. */
export async function readInvoices(source: Source): Promise<Map<string, Item>> {
  const invoices = new Map<string, Item>();
  const timeOf = (invoice: Item | undefined) => toMs(attribute(invoice, 'created_at')) ?? 0;
  for await (const invoice of source.list('subscription_invoices')) {
    const ref = relatedId(invoice, 'subscription');
    const isWhole = ['initial', 'renewal'].includes(String(attribute(invoice, 'billing_reason')));
    if (ref === null || !isWhole || attribute(invoice, 'status') !== 'paid') continue;
    if (timeOf(invoice) >= timeOf(invoices.get(ref))) invoices.set(ref, invoice);
  }
  return invoices;
}

export function* convertSubscription(subscription: Item, known: Known): Generator<ImportLine> {
  const ref = String(subscription.id);
  const found = refuse(subscription, known) ?? toLine(subscription, known);
  if (typeof found === 'string') return known.stays.add(found, ref);
  const { line, offer } = found;
  if (!line.paymentMethodRef) known.stays.add('card', ref);
  if (offer) yield offer;
  yield line;
}

function refuse(subscription: Item, { customers, nowMs }: Known): StayCode | null {
  const status = attribute(subscription, 'status');
  if (status === 'expired') return 'ended';
  if (status === 'paused' || attribute(subscription, 'pause') != null) return 'paused_collection';
  if (status === 'cancelled' && (toMs(attribute(subscription, 'ends_at')) ?? 0) <= nowMs) return 'ended';
  if (attribute(subscription, 'first_subscription_item') != null && isMetered(subscription))
    return 'metered_price';
  return customers.has(relatedId(subscription, 'customer') ?? '') ? null : 'unknown_customer';
}

const isMetered = (subscription: Item) =>
  at(subscription, 'attributes', 'first_subscription_item', 'is_usage_based') === true;

interface Priced {
  offerRef: string;
  unitPrice: number;
  interval: NonNullable<Offered['interval']>;
  /** Where its price is no longer the variant's, and recurs by another interval: an offer that is sold to nobody. */
  offer: OfferLine | null;
}

function toPriced(subscription: Item, { shop, offered }: Known): Priced | StayCode {
  const variantRef = relatedId(subscription, 'variant') ?? '';
  const now = offered.get(variantRef);
  const price = shop.prices.get(
    toRef(at(subscription, 'attributes', 'first_subscription_item', 'price_id')) ?? '',
  );
  const code = price && refusePrice(price);
  if (code) return code;
  const unitPrice = price ? toMinorCount(attribute(price, 'unit_price')) : now?.price;
  const interval = (price && toPriceInterval(price)) ?? now?.interval ?? null;
  if (!unitPrice || interval === null || !now?.interval) return 'unknown_offer';
  if (now.interval.unit === interval.unit && now.interval.count === interval.count)
    return { offerRef: variantRef, unitPrice, interval, offer: null };
  const offerRef = `${variantRef}:${interval.count}${interval.unit}`;
  const productRef = relatedId(subscription, 'product') ?? '';
  const offer: OfferLine = {
    ...{ kind: 'offer', ref: offerRef, productRef, price: unitPrice, currency: shop.currency, interval },
    active: false,
  };
  return { offerRef, unitPrice, interval, offer };
}

function toLine(
  subscription: Item,
  known: Known,
): { line: SubscriptionLine; offer: OfferLine | null } | StayCode {
  const priced = toPriced(subscription, known);
  if (typeof priced === 'string') return priced;
  const { offerRef, unitPrice, offer } = priced;
  const ref = String(subscription.id);
  const said = String(attribute(subscription, 'status'));
  const endsAt = toMs(attribute(subscription, 'ends_at'));
  const trialEndsAt = said === 'on_trial' ? toMs(attribute(subscription, 'trial_ends_at')) : null;
  const renewsAt = toMs(attribute(subscription, 'renews_at'));
  const isEnding = said === 'cancelled' || attribute(subscription, 'cancelled') === true;
  const paidUntil = (isEnding ? endsAt : null) ?? trialEndsAt ?? renewsAt;
  const createdAt = toMs(attribute(subscription, 'created_at'));
  if (paidUntil === null || createdAt === null) return 'no_period';
  const customerRef = relatedId(subscription, 'customer') ?? '';
  const item = attribute(subscription, 'first_subscription_item');
  const quantity = toMinorCount(at(item, 'quantity') ?? 1) || 1;
  const { currency } = known.shop;
  const invoice = known.invoices.get(ref);
  const source = invoice ?? known.orders.get(relatedId(subscription, 'order') ?? '');
  const isOnTop =
    attribute(source, 'tax_inclusive') === false && (toMinorCount(attribute(source, 'tax')) ?? 0) > 0;
  const isOwnCurrency = invoice !== undefined && toCurrency(attribute(invoice, 'currency')) === currency;
  const total = isOwnCurrency ? toMinorCount(attribute(invoice, 'total')) : null;
  const isRepeated =
    attribute(invoice, 'billing_reason') === 'renewal' &&
    toMinorCount(attribute(invoice, 'subtotal')) === unitPrice * quantity;
  const line: SubscriptionLine = {
    ...{ kind: 'subscription', ref, customerRef, status: STATUSES[said] ?? said, currency },
    items: [{ offerRef, quantity, unitPrice }],
    taxBehavior: isOnTop ? 'exclusive' : 'inclusive',
    cancelAtIntervalEnd: isEnding,
    ...{ createdAt, anchorAt: trialEndsAt ?? createdAt, paidUntil },
    paymentMethodRef: known.cards.get(customerRef)?.ref ?? null,
    paidForPeriod: total === null || trialEndsAt !== null ? null : { value: total, tax: taxOf(invoice) },
    nextTotal: isRepeated ? total : isOnTop ? null : unitPrice * quantity,
  };
  return { line, offer };
}

const taxOf = (invoice: unknown) => toMinorCount(attribute(invoice, 'tax')) ?? 0;
