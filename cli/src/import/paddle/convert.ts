/** Paddle Billing: lists of its API. Its CSV reports hold neither customers nor subscriptions. */
import { CARD_KINDS, readCards } from '../cards.ts';
import type { Converter, Converting } from '../converter.ts';
import { type CustomerLine, type ImportLine, toMeta } from '../lines.ts';
import type { Kinds, Source } from '../source.ts';
import type { Stays } from '../stays.ts';
import { at, type Item, toCountry, toDetails, toMinorCount, toMs, toRef, toText } from '../values.ts';
import { listCatalogue, listDiscounts, readDiscounts, readPrices } from './catalogue.ts';
import { convertSubscription, type Paid } from './subscriptions.ts';

const of = (prefix: string) => (item: Item) => typeof item.id === 'string' && item.id.startsWith(prefix);

const KINDS: Kinds = {
  ...CARD_KINDS,
  customers: of('ctm_'),
  addresses: of('add_'),
  businesses: of('biz_'),
  products: of('pro_'),
  prices: of('pri_'),
  discounts: of('dsc_'),
  subscriptions: of('sub_'),
  transactions: of('txn_'),
};

export const PADDLE: Converter = { source: 'paddle', kinds: KINDS, convert };

async function* convert(source: Source, { stays }: Converting): AsyncGenerator<ImportLine> {
  yield toMeta('paddle');
  const prices = await readPrices(source);
  yield* listCatalogue(prices, stays);
  const discounts = await readDiscounts(source);
  yield* listDiscounts(discounts, stays);
  const customers = new Set<string>();
  yield* convertCustomers(source, { told: customers, stays });
  const cards = await readCards(source, stays);
  for (const card of cards.values()) if (customers.has(card.customerRef)) yield card;
  const paid = await readPaid(source);
  const known = { prices: prices.byId, discounts, customers, cards, paid, stays };
  for await (const subscription of source.list('subscriptions')) {
    const line = convertSubscription(subscription, known);
    if (line) yield line;
  }
}

interface Places {
  /** The address and business that a subscription of theirs names. */
  used: Map<string, { address: string | null; business: string | null }>;
  addresses: Map<string, Item>;
  businesses: Map<string, Item>;
}

async function readPlaces(source: Source): Promise<Places> {
  const places: Places = { used: new Map(), addresses: new Map(), businesses: new Map() };
  for await (const { customer_id: id, address_id, business_id } of source.list('subscriptions'))
    places.used.set(String(id), { address: toRef(address_id), business: toRef(business_id) });
  await readOwned(source.list('addresses'), places.addresses);
  await readOwned(source.list('businesses'), places.businesses);
  return places;
}

/** By its own id, and the first active one by its customer. */
async function readOwned(items: AsyncIterable<Item>, found: Map<string, Item>): Promise<void> {
  for await (const item of items) {
    found.set(String(item.id), item);
    const owner = toRef(item.customer_id);
    if (owner !== null && !found.has(owner) && item.status !== 'archived') found.set(owner, item);
  }
}

async function* convertCustomers(
  source: Source,
  { told, stays }: { told: Set<string>; stays: Stays },
): AsyncGenerator<CustomerLine> {
  const places = await readPlaces(source);
  for await (const customer of source.list('customers')) {
    const ref = String(customer.id);
    const email = toText(customer.email, 320);
    if (email === null) {
      stays.add('no_email', ref);
      continue;
    }
    told.add(ref);
    yield {
      ...{ kind: 'customer', ref, email, name: toText(customer.name, 200) },
      language: toText(customer.locale, 35),
      billingDetails: toBillingDetails(ref, places),
      createdAt: toMs(customer.created_at),
    };
  }
}

function toBillingDetails(ref: string, { used, addresses, businesses }: Places) {
  const named = used.get(ref);
  const address = addresses.get(named?.address ?? '') ?? addresses.get(ref);
  // Somebody who buys for themselves may have a business, too.
  const business = named ? businesses.get(named.business ?? '') : businesses.get(ref);
  return toDetails({
    type: business ? 'company' : null,
    companyName: toText(business?.name, 200),
    address: toText(address?.first_line, 300),
    addressLine2: toText(address?.second_line, 300),
    city: toText(address?.city, 100),
    state: toText(address?.region, 100),
    postalCode: toText(address?.postal_code, 20),
    countryCode: toCountry(address?.country_code),
    taxNumber: toText(business?.tax_identifier, 64),
  });
}

/** What was paid for the last period of each subscription. */
async function readPaid(source: Source): Promise<Map<string, Paid>> {
  const paid = new Map<string, Paid>();
  for await (const transaction of source.list('transactions')) {
    const ref = toRef(transaction.subscription_id);
    const endsAt = toMs(at(transaction, 'billing_period', 'ends_at'));
    const totals = at(transaction, 'details', 'totals');
    const value = toMinorCount(at(totals, 'total'));
    const isPaid = transaction.status === 'completed' || transaction.status === 'paid';
    // A change in the middle of a period pays for a part of it.
    const isWhole =
      transaction.origin !== 'subscription_update' && transaction.origin !== 'subscription_charge';
    if (ref === null || endsAt === null || value === null || !isPaid || !isWhole) continue;
    if (endsAt > (paid.get(ref)?.endsAt ?? 0))
      paid.set(ref, { endsAt, value, tax: toMinorCount(at(totals, 'tax')) ?? 0 });
  }
  return paid;
}
