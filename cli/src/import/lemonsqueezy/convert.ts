/** Lemon Squeezy: JSON:API lists. */
import { CARD_KINDS, readCards } from '../cards.ts';
import type { Converter, Converting } from '../converter.ts';
import { type CustomerLine, type ImportLine, toMeta } from '../lines.ts';
import type { Kinds, Source } from '../source.ts';
import type { Stays } from '../stays.ts';
import { hasOtherThanMonths, type Item, toCountry, toDetails, toMs, toText } from '../values.ts';
import { attribute, listCatalogue, listDiscounts, readShop } from './catalogue.ts';
import { convertSales } from './sales.ts';
import { convertSubscription, readInvoices } from './subscriptions.ts';

const LISTS = [
  ...['stores', 'customers', 'products', 'variants', 'prices', 'discounts', 'orders', 'order-items'],
  ...['license-keys', 'subscriptions', 'subscription-invoices'],
];

const KINDS: Kinds = {
  ...CARD_KINDS,
  ...Object.fromEntries(
    LISTS.map((type) => [type.replaceAll('-', '_'), (item: Item) => item.type === type] as const),
  ),
};

export const LEMONSQUEEZY: Converter = { source: 'lemonsqueezy', kinds: KINDS, convert };

async function* convert(source: Source, { stays, nowMs }: Converting): AsyncGenerator<ImportLine> {
  const shop = await readShop(source);
  const { account, currency } = shop;
  yield toMeta('lemonsqueezy', { account, currency });
  const offered = yield* listCatalogue(shop, stays);
  const isMonthly = !hasOtherThanMonths([...offered.values()].map(({ interval }) => interval));
  yield* listDiscounts(source, { currency, isMonthly, stays });
  const customers = new Set<string>();
  yield* convertCustomers(source, { told: customers, stays });
  const cards = await readCards(source, stays);
  for (const card of cards.values()) if (customers.has(card.customerRef)) yield card;
  yield* convertSales({ source, offered, customers, stays });
  const [invoices, orders] = [await readInvoices(source), new Map<string, Item>()];
  for await (const order of source.list('orders')) orders.set(String(order.id), order);
  const known = { shop, offered, customers, cards, invoices, orders, nowMs, stays };
  const told = new Set<string>();
  for await (const subscription of source.list('subscriptions'))
    for (const line of convertSubscription(subscription, known)) {
      if (line.kind === 'offer' && told.has(line.ref)) continue;
      if (line.kind === 'offer') told.add(line.ref);
      yield line;
    }
}

async function* convertCustomers(
  source: Source,
  { told, stays }: { told: Set<string>; stays: Stays },
): AsyncGenerator<CustomerLine> {
  for await (const customer of source.list('customers')) {
    const ref = String(customer.id);
    const email = toText(attribute(customer, 'email'), 320);
    if (email === null) {
      stays.add('no_email', ref);
      continue;
    }
    told.add(ref);
    const billingDetails = toDetails({
      city: toText(attribute(customer, 'city'), 100),
      state: toText(attribute(customer, 'region'), 100),
      countryCode: toCountry(attribute(customer, 'country')),
    });
    const [name, createdAt] = [
      toText(attribute(customer, 'name'), 200),
      toMs(attribute(customer, 'created_at')),
    ];
    yield { kind: 'customer', ref, email, name, billingDetails, createdAt };
  }
}
