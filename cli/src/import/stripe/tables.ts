/** The tables that Stripe's dashboard writes: customers and subscriptions, with sums as people read them. */
import {
  type CustomerLine,
  type ImportLine,
  type OfferLine,
  type SubscriptionLine,
  toMeta,
} from '../lines.ts';
import type { Source, TableRow } from '../source.ts';
import type { StayCode, Stays } from '../stays.ts';
import {
  toCountry,
  toCurrency,
  toDetails,
  toInterval,
  toMinor,
  toMs,
  toNumber,
  toPercent,
  toText,
} from '../values.ts';

const SUBSCRIPTIONS = ['Customer ID', 'Plan', 'Status', 'Current Period End (UTC)'] as const;
const CUSTOMERS = ['id', 'Email'] as const;

export async function hasTables(source: Source): Promise<boolean> {
  for await (const _row of source.table(SUBSCRIPTIONS)) return true;
  return false;
}

export async function* convertTables(source: Source, stays: Stays): AsyncGenerator<ImportLine> {
  yield toMeta('stripe');
  const running: SubscriptionLine[] = [];
  const customers = await readCustomers(source);
  const catalogue: { products: Map<string, ImportLine>; offers: Map<string, OfferLine> } = {
    products: new Map(),
    offers: new Map(),
  };
  for await (const row of source.table(SUBSCRIPTIONS)) {
    const ref = row.id || `${row['Customer ID']}:${row.Plan}`;
    const found = toSubscription(row, ref);
    if (typeof found === 'string') {
      stays.add(found, ref);
      continue;
    }
    const { line, offer } = found;
    if (!customers.has(line.customerRef)) {
      const email = toText(row['Customer Email'], 320);
      if (email === null) {
        stays.add('no_email', ref);
        continue;
      }
      const name = toText(row['Customer Name'], 200);
      customers.set(line.customerRef, { kind: 'customer', ref: line.customerRef, email, name });
    }
    const name = toText(row['Plan Name'], 200) ?? toText(row.Product, 200) ?? offer.ref;
    catalogue.products.set(offer.productRef, {
      kind: 'product',
      ref: offer.productRef,
      type: 'Subscription',
      name,
    });
    if (!catalogue.offers.has(offer.ref)) catalogue.offers.set(offer.ref, offer);
    running.push(line);
    stays.add('card', ref);
  }
  yield* catalogue.products.values();
  yield* catalogue.offers.values();
  yield* customers.values();
  yield* running;
}

async function readCustomers(source: Source): Promise<Map<string, CustomerLine>> {
  const customers = new Map<string, CustomerLine>();
  for await (const row of source.table(CUSTOMERS)) {
    const [ref, email] = [row.id ?? '', toText(row.Email, 320)];
    if (!ref.startsWith('cus_') || email === null) continue;
    const [vat, country] = [
      toText(row['Business Vat ID'], 64),
      toCountry(row['Address Country']) ?? toCountry(row['Card Address Country']),
    ];
    const billingDetails = toDetails({
      type: vat === null ? null : 'company',
      companyName: vat === null ? null : toText(row.Name, 200),
      address: toText(row['Address Line1'] ?? row['Card Address Line1'], 300),
      city: toText(row['Address City'] ?? row['Card Address City'], 100),
      state: toText(row['Address State'] ?? row['Card Address State'], 100),
      postalCode: toText(row['Address Postal Code'] ?? row['Card Address Zip'], 20),
      countryCode: country,
      taxNumber: vat,
    });
    const [name, createdAt] = [toText(row.Name, 200), toMs(row['Created (UTC)'])];
    customers.set(ref, { kind: 'customer', ref, email, name, billingDetails, createdAt });
  }
  return customers;
}

const OVER: ReadonlySet<string> = new Set(['canceled', 'cancelled', 'incomplete_expired']);

/** `month`, `3 months`. */
function readInterval(text: string) {
  const [, count, unit] = /^(\d+)?\s*(day|week|month|year)s?$/i.exec(text) ?? [];
  return toInterval(unit?.toLowerCase(), count);
}

function toSubscription(row: TableRow, ref: string): StayCode | { line: SubscriptionLine; offer: OfferLine } {
  const status = (row.Status ?? '').toLowerCase();
  if (OVER.has(status) || row['Ended At (UTC)']) return 'ended';
  if (status === 'paused') return 'paused_collection';
  if (row.Coupon) return 'discount_unknown';
  const [currency, interval] = [toCurrency(row.Currency) ?? 'USD', readInterval(row.Interval ?? '')];
  const unitPrice = toMinor(row.Amount ?? '', currency);
  const quantity = row.Quantity ? toNumber(row.Quantity) : 1;
  const [customerRef, planRef] = [row['Customer ID'] ?? '', row.Plan ?? ''];
  if (unitPrice === null || planRef === '' || customerRef === '' || !quantity) return 'no_price';
  if (unitPrice === 0) return 'free_price';
  const isTrial = status === 'trialing';
  const periodEnd = toMs(row['Current Period End (UTC)']);
  const paidUntil = (isTrial ? toMs(row['Trial End (UTC)']) : null) ?? periodEnd;
  const createdAt =
    toMs(row['Start (UTC)']) ?? toMs(row['Created (UTC)']) ?? toMs(row['Current Period Start (UTC)']);
  if (paidUntil === null || interval === null) return 'no_period';
  const percent = toPercent(row['Tax Percent']) ?? 0;
  const full = unitPrice * quantity;
  const startMs = createdAt ?? paidUntil - 1;
  const taxBehavior = percent > 0 ? 'exclusive' : 'inclusive';
  const line: SubscriptionLine = {
    ...{ kind: 'subscription', ref, customerRef, status, currency, taxBehavior },
    items: [{ offerRef: planRef, quantity, unitPrice }],
    cancelAtIntervalEnd: /^(true|yes|1)$/i.test(row['Cancel At Period End'] ?? ''),
    ...{ createdAt: startMs, anchorAt: createdAt ?? paidUntil, paidUntil },
    nextTotal: full + Math.round((full * percent) / 100),
  };
  const productRef = row.Product || planRef;
  const offer: OfferLine = {
    kind: 'offer',
    ref: planRef,
    productRef,
    price: unitPrice,
    currency,
    interval,
    taxBehavior,
  };
  return { line, offer };
}
