/** A subscription of Stripe's as it runs: its items, its calendar, its tax and its next sum. */
import type { ImportLine, SubscriptionItem, SubscriptionLine, TaxBehavior } from '../lines.ts';
import type { StayCode, Stays } from '../stays.ts';
import {
  at,
  fromSeconds,
  type Item,
  isItem,
  listAt,
  toCurrency,
  toMinorCount,
  toNumber,
  toRef,
} from '../values.ts';
import { toStripeMinor } from './amounts.ts';
import { couponOf, findCoupon, findDiscount, type Given, toGiven } from './coupons.ts';
import { refusePrice, toPriceAmount, toPriceInterval, toTaxBehavior } from './prices.ts';

export interface Known {
  coupons: ReadonlyMap<string, Item>;
  /** Of customers: what is charged where the subscription names nothing. */
  defaults: ReadonlyMap<string, string>;
  /** Discounts that customers have on all they pay. */
  discounts: ReadonlyMap<string, Item>;
  withoutEmail: ReadonlySet<string>;
  methods: ReadonlySet<string>;
  invoices: ReadonlyMap<string, Item>;
  stays: Stays;
}

const OVER: ReadonlySet<unknown> = new Set(['canceled', 'incomplete_expired']);

export const idOf = (value: unknown): string | null => toRef(isItem(value) ? value.id : value);

export function* convertSubscription(subscription: Item, known: Known): Generator<ImportLine> {
  const ref = String(subscription.id);
  const code = refuse(subscription, known);
  const line = code === null ? toLine(subscription, known) : code;
  if (typeof line === 'string') return known.stays.add(line, ref);
  if (line.given?.line) yield line.given.line;
  const cancelMs = fromSeconds(subscription.cancel_at);
  const isLater = cancelMs !== null && cancelMs > line.subscription.paidUntil;
  if (subscription.schedule != null || isLater) known.stays.add('later_change', ref);
  yield line.subscription;
}

function refuse(subscription: Item, { withoutEmail }: Known): StayCode | null {
  if (OVER.has(subscription.status)) return 'ended';
  if (subscription.collection_method === 'send_invoice') return 'send_invoice';
  if (isItem(subscription.pause_collection) || subscription.status === 'paused') return 'paused_collection';
  for (const { price } of listAt(subscription, 'items', 'data')) {
    const code = isItem(price) ? refusePrice(price) : 'unknown_offer';
    if (code) return code;
  }
  if (withoutEmail.has(idOf(subscription.customer) ?? '')) return 'no_email';
  const { discounts } = subscription;
  return Array.isArray(discounts) && discounts.length > 1 ? 'several_discounts' : null;
}

function toLine(
  subscription: Item,
  known: Known,
): StayCode | { subscription: SubscriptionLine; given: Given | null } {
  const isTrial = subscription.status === 'trialing';
  const [first] = listAt(subscription, 'items', 'data');
  const periodEnd = fromSeconds(subscription.current_period_end) ?? fromSeconds(first?.current_period_end);
  const paidUntil = (isTrial ? fromSeconds(subscription.trial_end) : null) ?? periodEnd;
  const interval = isItem(first?.price) ? toPriceInterval(first.price) : null;
  if (paidUntil === null || interval === null) return 'no_period';
  const items = toItems(subscription);
  const customerRef = idOf(subscription.customer);
  const createdAt = fromSeconds(subscription.start_date) ?? fromSeconds(subscription.created);
  if (items.length === 0 || customerRef === null || createdAt === null) return 'no_price';
  const given = findGiven(subscription, { known, interval, paidUntil });
  if (typeof given === 'string') return given;
  const cancelMs = fromSeconds(subscription.cancel_at);
  const invoice = findInvoice(subscription, known);
  const tax = readTax(subscription, invoice);
  const line: SubscriptionLine = {
    ...{ kind: 'subscription', ref: String(subscription.id), customerRef, items },
    ...{ status: String(subscription.status), currency: toCurrency(subscription.currency) ?? '' },
    taxBehavior: tax.behavior,
    discountRef: given?.ref ?? null,
    discountIntervalsLeft: given?.left ?? null,
    cancelAtIntervalEnd:
      subscription.cancel_at_period_end === true || (cancelMs !== null && cancelMs <= paidUntil),
    ...{ createdAt, anchorAt: fromSeconds(subscription.billing_cycle_anchor) ?? createdAt, paidUntil },
    paymentMethodRef: findMethod(subscription, known),
    paidForPeriod: isTrial || !invoice ? null : toPaid(invoice),
    nextTotal: toNextTotal({ items, tax, given, invoice }),
  };
  return { subscription: line, given };
}

function toItems(subscription: Item): SubscriptionItem[] {
  return listAt(subscription, 'items', 'data').flatMap(({ price, quantity }) => {
    const [offerRef, unitPrice] = [idOf(price), toPriceAmount(price)];
    const count = quantity === undefined || quantity === null ? 1 : toMinorCount(quantity);
    return offerRef === null || unitPrice === null || !count
      ? []
      : [{ offerRef, quantity: count, unitPrice }];
  });
}

function findMethod(subscription: Item, { defaults, methods, stays }: Known): string | null {
  const own = idOf(subscription.default_payment_method) ?? idOf(subscription.default_source);
  const ref = own ?? defaults.get(idOf(subscription.customer) ?? '') ?? null;
  if (ref === null || methods.has(ref)) return ref;
  stays.add(ref.startsWith('pm_') ? 'card' : 'source_card', String(subscription.id));
  return null;
}

function findGiven(
  subscription: Item,
  {
    known,
    interval,
    paidUntil,
  }: { known: Known; interval: Parameters<typeof toGiven>[1]['interval']; paidUntil: number },
): Given | StayCode | null {
  const discount = findDiscount(subscription);
  const isNamed = Array.isArray(subscription.discounts) && subscription.discounts.length > 0;
  if (discount === null && isNamed) return 'discount_unknown';
  const ofCustomer = known.discounts.get(idOf(subscription.customer) ?? '') ?? null;
  const used = discount ?? ofCustomer;
  if (used === null) return null;
  const said = couponOf(used);
  const coupon = findCoupon(said, known.coupons);
  if (!coupon) return 'discount_unknown';
  if (!isOfAll(coupon, subscription)) return 'discount_limited';
  return toGiven({ discount: used, coupon }, { interval, paidUntil });
}

/** Whether it lowers all that is charged: one for some products lowers the others' items here, too. */
function isOfAll({ applies_to: some }: Item, subscription: Item): boolean {
  if (!isItem(some)) return true;
  const products = Array.isArray(some.products) ? some.products : [];
  return listAt(subscription, 'items', 'data').every(({ price }) => products.includes(productOf(price)));
}

const productOf = (price: unknown) => idOf(at(price, 'product'));

interface Tax {
  behavior: TaxBehavior;
  /** Percent on top; null = it is worked out there, by the place. */
  percent: number | null;
}

/** Who pays no tax there pays the price alone here, too: the tax is in it. */
function readTax(subscription: Item, invoice: Item | null): Tax {
  const rates = [
    ...listAt(subscription, 'default_tax_rates'),
    ...listAt(subscription, 'items', 'data').flatMap((item) => listAt(item, 'tax_rates')),
  ];
  const onTop = rates.filter(({ inclusive }) => inclusive !== true);
  if (onTop.length > 0) {
    const percent = onTop.reduce((sum, rate) => sum + (toNumber(rate.percentage) ?? 0), 0);
    return { behavior: 'exclusive', percent };
  }
  if (rates.length > 0 || at(subscription, 'automatic_tax', 'enabled') === false)
    return { behavior: 'inclusive', percent: 0 };
  const said = toTaxBehavior(at(listAt(subscription, 'items', 'data'), 0, 'price', 'tax_behavior'));
  // A price that does not say follows the account, and an invoice shows how.
  const isOnTop = said === null && (toNumber(invoice?.total) ?? 0) > (toNumber(invoice?.subtotal) ?? 0);
  return said === 'exclusive' || isOnTop
    ? { behavior: 'exclusive', percent: null }
    : { behavior: 'inclusive', percent: 0 };
}

function findInvoice({ latest_invoice: said }: Item, { invoices }: Known): Item | null {
  const invoice = isItem(said) ? said : invoices.get(String(said));
  const isOfPeriod = ['subscription_cycle', 'subscription_create'].includes(String(invoice?.billing_reason));
  return invoice && isOfPeriod && invoice.status === 'paid' ? invoice : null;
}

function toPaid(invoice: Item): { value: number; tax: number } | null {
  const { currency } = invoice;
  const value = toStripeMinor(invoice.total, currency);
  const parts = [...listAt(invoice, 'total_tax_amounts'), ...listAt(invoice, 'total_taxes')];
  const tax =
    toStripeMinor(invoice.tax, currency) ??
    parts.reduce((sum, { amount }) => sum + (toStripeMinor(amount, currency) ?? 0), 0);
  return value === null ? null : { value, tax };
}

interface Next {
  items: readonly SubscriptionItem[];
  tax: Tax;
  given: Given | null;
  invoice: Item | null;
}

function toNextTotal({ items, tax, given, invoice }: Next): number | null {
  const full = items.reduce((sum, { quantity, unitPrice }) => sum + quantity * unitPrice, 0);
  const percent = toNumber(given?.coupon.percent_off);
  const off =
    percent === null
      ? (toStripeMinor(given?.coupon.amount_off, given?.coupon.currency) ?? 0)
      : Math.round((full * percent) / 100);
  const net = Math.max(0, full - off);
  if (tax.percent !== null) return net + Math.round((net * tax.percent) / 100);
  // What it was the last time, where nothing has changed since.
  return invoice && given === null && toStripeMinor(invoice.subtotal, invoice.currency) === full
    ? toStripeMinor(invoice.total, invoice.currency)
    : null;
}
