/** Gumroad: the table of sales, whose memberships are a row for each charge. */
import type { Converter, Converting } from '../converter.ts';
import {
  type CustomerLine,
  type ImportLine,
  type OfferLine,
  type SubscriptionLine,
  toMeta,
} from '../lines.ts';
import type { Source } from '../source.ts';
import { listSplit, type Sold } from '../split-products.ts';
import type { Stays } from '../stays.ts';
import { addIntervals, toDetails } from '../values.ts';
import { COLUMNS, CURRENCY, readRow, type Sale } from './rows.ts';

export const GUMROAD: Converter = { source: 'gumroad', kinds: {}, convert };

/** The charges of one membership. */
interface Membership {
  first: Sale;
  last: Sale;
}

interface Found {
  offers: Map<string, Sale>;
  withKeys: Set<string>;
  customers: Map<string, CustomerLine>;
  memberships: Map<string, Membership>;
}

async function* convert(source: Source, { stays, nowMs }: Converting): AsyncGenerator<ImportLine> {
  yield toMeta('gumroad', { currency: CURRENCY });
  const found = await readAll(source, stays);
  const sold = [...found.offers.values()].flatMap((sale) => toSold(sale, found));
  yield* listSplit(sold);
  yield* found.customers.values();
  yield* convertPurchases(source, stays);
  for (const membership of found.memberships.values()) {
    const line = toSubscription(membership, { stays, nowMs });
    if (line) yield line;
  }
}

async function* listSales(source: Source, stays: Stays | null): AsyncGenerator<Sale> {
  for await (const row of source.table(COLUMNS)) {
    const read = readRow(row);
    if (read && 'sale' in read) yield read.sale;
    else if (read) stays?.add(read.leaves, read.ref);
  }
}

const customerRefOf = ({ email }: Sale) => email.toLowerCase().slice(0, 255);

async function readAll(source: Source, stays: Stays): Promise<Found> {
  const found: Found = {
    offers: new Map(),
    withKeys: new Set(),
    customers: new Map(),
    memberships: new Map(),
  };
  for await (const sale of listSales(source, stays)) {
    const { offerRef, productRef, interval, key } = sale;
    const customerRef = customerRefOf(sale);
    const offered = found.offers.get(offerRef);
    if (!offered || isBetterPrice(sale, offered)) found.offers.set(offerRef, sale);
    if (key) found.withKeys.add(productRef);
    found.customers.set(customerRef, toCustomer(sale, found.customers.get(customerRef)));
    // Who has changed the tier has the same membership.
    const membership = `${customerRef}\n${productRef}`;
    if (interval !== null) found.memberships.set(membership, addTo(found.memberships.get(membership), sale));
  }
  return found;
}

function addTo(both: Membership | undefined, sale: Sale): Membership {
  if (!both) return { first: sale, last: sale };
  // Somebody who has come back has a new one: its first charge is no recurring one.
  const isAnew = sale.interval !== null && !sale.isRecurringCharge && sale.atMs > both.last.atMs;
  const first = isAnew || sale.atMs < both.first.atMs ? sale : both.first;
  return { first, last: sale.atMs >= both.last.atMs ? sale : both.last };
}

/** The last that nobody paid less for by a code. */
const isBetterPrice = (sale: Sale, before: Sale) =>
  sale.isDiscounted === before.isDiscounted && sale.isFreeTrial === before.isFreeTrial
    ? sale.atMs >= before.atMs
    : !sale.isDiscounted && !sale.isFreeTrial;

function toSold(sale: Sale, { withKeys }: Found): Sold[] {
  const { offerRef, productRef, productName, variantName, interval, unitPrice, isTaxIn } = sale;
  if (interval !== null && unitPrice === 0) return [];
  const variantRef = variantName === null ? null : toVariantRef(sale);
  const offer: OfferLine = {
    ...{
      kind: 'offer',
      ref: offerRef,
      productRef,
      variantRef,
      price: unitPrice,
      currency: CURRENCY,
      interval,
    },
    taxBehavior: isTaxIn ? 'inclusive' : null,
  };
  const onceType = withKeys.has(productRef) ? 'SoftwareKey' : 'DigitalDownload';
  return [{ offer, product: { name: productName }, onceType, variantName }];
}

const toVariantRef = ({ productRef, variantName, interval }: Sale) =>
  `${productRef}:${variantName}${interval === null ? '' : ':membership'}`.slice(0, 255);

/** As the last sale in the table has them, since the first. */
function toCustomer(sale: Sale, before: CustomerLine | undefined): CustomerLine {
  const { email, name, details, country, atMs } = sale;
  return {
    ...{ kind: 'customer', ref: customerRefOf(sale), email, name: name ?? before?.name ?? null },
    billingDetails: country === null && before ? before.billingDetails : toDetails(details),
    createdAt: Math.min(atMs, before?.createdAt ?? atMs),
  };
}

async function* convertPurchases(source: Source, stays: Stays): AsyncGenerator<ImportLine> {
  for await (const sale of listSales(source, null)) {
    const { ref, offerRef, quantity, value, tax, country, atMs, interval, key } = sale;
    if (interval !== null) {
      if (key && !sale.isRecurringCharge) stays.add('key_of_subscription', ref);
      continue;
    }
    yield {
      ...{ kind: 'purchase', ref, customerRef: customerRefOf(sale), items: [{ offerRef, quantity }] },
      ...{ value, tax, currency: CURRENCY, country, createdAt: atMs, paidAt: atMs },
    };
    if (key)
      yield {
        ...{ kind: 'key', ref, offerRef, purchaseRef: ref, key: key.text },
        ...{ state: key.isRevoked ? 'revoked' : 'sold', uses: key.uses },
      };
  }
}

function toSubscription(
  { first, last }: Membership,
  { stays, nowMs }: { stays: Stays; nowMs: number },
): SubscriptionLine | null {
  const { interval, unitPrice, quantity, value, tax, isTaxIn, endsAt, offerRef } = last;
  if (interval === null || (endsAt !== null && endsAt <= nowMs)) {
    stays.add('ended', first.ref);
    return null;
  }
  if (unitPrice === 0) {
    stays.add('free_price', first.ref);
    return null;
  }
  stays.add('card', first.ref);
  const taxBehavior = isTaxIn || tax === 0 ? 'inclusive' : 'exclusive';
  return {
    ...{ kind: 'subscription', ref: first.ref, customerRef: customerRefOf(first), status: 'active' },
    ...{ items: [{ offerRef, quantity, unitPrice }], currency: CURRENCY, taxBehavior },
    cancelAtIntervalEnd: endsAt !== null,
    ...{ createdAt: first.atMs, anchorAt: last.atMs, paidUntil: addIntervals(last.atMs, interval, 1) },
    paidForPeriod: { value, tax },
    nextTotal: value,
  };
}
