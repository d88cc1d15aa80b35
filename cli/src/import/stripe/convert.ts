/** Stripe: list objects as JSON Lines, or the dashboard's tables. */
import type { Converter, Converting } from '../converter.ts';
import { type ImportLine, toMeta } from '../lines.ts';
import type { Kinds, Source } from '../source.ts';
import type { Stays } from '../stays.ts';
import { at, hasOtherThanMonths, type Item, toCurrency, toRef } from '../values.ts';
import { listCodes, listCoupons, readCoupons } from './coupons.ts';
import { convertCustomers, convertMethods, readFacts } from './customers.ts';
import { listCatalogue, readPrices, toPriceInterval } from './prices.ts';
import { convertSubscription, idOf } from './subscriptions.ts';
import { convertTables, hasTables } from './tables.ts';

const of = (object: string) => (item: Item) => item.object === object;

const KINDS: Kinds = {
  accounts: of('account'),
  customers: of('customer'),
  tax_ids: of('tax_id'),
  payment_methods: of('payment_method'),
  products: of('product'),
  prices: of('price'),
  coupons: of('coupon'),
  promotion_codes: of('promotion_code'),
  subscriptions: of('subscription'),
  invoices: of('invoice'),
  disputes: of('dispute'),
};

export const STRIPE: Converter = { source: 'stripe', kinds: KINDS, convert };

async function* convert(source: Source, { stays }: Converting): AsyncGenerator<ImportLine> {
  if (await hasTables(source)) return yield* convertTables(source, stays);
  for await (const account of source.list('accounts'))
    return yield* convertLists(source, {
      meta: toMeta('stripe', { account: toRef(account.id), currency: toCurrency(account.default_currency) }),
      stays,
    });
  yield* convertLists(source, { meta: toMeta('stripe'), stays });
}

async function* convertLists(
  source: Source,
  { meta, stays }: { meta: ImportLine; stays: Stays },
): AsyncGenerator<ImportLine> {
  yield meta;
  const prices = await readPrices(source);
  yield* listCatalogue(prices, stays);
  const coupons = await readCoupons(source);
  yield* listCoupons(coupons, stays);
  const isMonthly = !hasOtherThanMonths([...prices.byId.values()].map(toPriceInterval));
  yield* listCodes(source, { coupons, isMonthly, stays });
  const facts = await readFacts(source);
  yield* convertCustomers(source, { facts, stays });
  const methods = new Set<string>();
  yield* convertMethods(source, { facts, told: methods });
  const invoices = await readInvoices(source);
  const known = { ...facts, coupons, methods, invoices, stays };
  const told = new Set<string>();
  for await (const subscription of source.list('subscriptions'))
    for (const line of convertSubscription(subscription, known)) {
      if (line.kind === 'discount' && told.has(line.ref)) continue;
      if (line.kind === 'discount') told.add(line.ref);
      yield line;
    }
  for await (const dispute of source.list('disputes'))
    if (!OVER.has(dispute.status))
      stays.add('open_dispute', idOf(at(dispute, 'charge')) ?? String(dispute.id));
}

const OVER: ReadonlySet<unknown> = new Set(['won', 'lost', 'warning_closed', 'charge_refunded', 'prevented']);

/** The last of each subscription, where it is named and not held. */
async function readInvoices(source: Source): Promise<Map<string, Item>> {
  const named = new Set<unknown>();
  for await (const { latest_invoice: id } of source.list('subscriptions'))
    if (typeof id === 'string') named.add(id);
  const invoices = new Map<string, Item>();
  if (named.size === 0) return invoices;
  for await (const invoice of source.list('invoices'))
    if (named.has(invoice.id)) invoices.set(String(invoice.id), invoice);
  return invoices;
}
