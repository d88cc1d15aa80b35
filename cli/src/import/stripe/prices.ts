/** Stripe's products and prices: which can be sold here, and as what. */
import type { ImportLine, Interval } from '../lines.ts';
import type { Source } from '../source.ts';
import { listSplit, type Sold } from '../split-products.ts';
import type { StayCode, Stays } from '../stays.ts';
import { at, type Item, isItem, listAt, toCurrency, toInterval, toPlain, toRef, toText } from '../values.ts';
import { toStripeMinor } from './amounts.ts';

export interface Prices {
  byId: Map<string, Item>;
  products: Map<string, Item>;
}

/** Of the lists, and those that only a subscription names still. */
export async function readPrices(source: Source): Promise<Prices> {
  const prices: Prices = { byId: new Map(), products: new Map() };
  for await (const product of source.list('products')) prices.products.set(String(product.id), product);
  for await (const price of source.list('prices')) addPrice(prices, price);
  for await (const subscription of source.list('subscriptions'))
    for (const { price } of listAt(subscription, 'items', 'data'))
      if (isItem(price) && !prices.byId.has(String(price.id))) addPrice(prices, price);
  return prices;
}

function addPrice({ byId, products }: Prices, price: Item): void {
  byId.set(String(price.id), price);
  const { product } = price;
  if (isItem(product) && !products.has(String(product.id))) products.set(String(product.id), product);
}

/** Of one, in minor units. */
export const toPriceAmount = (price: unknown): number | null =>
  toStripeMinor(at(price, 'unit_amount'), at(price, 'currency'));

/** Null = it can be sold here. */
export function refusePrice(price: Item): StayCode | null {
  if (price.billing_scheme === 'tiered') return 'tiered_price';
  if (at(price, 'recurring', 'usage_type') === 'metered') return 'metered_price';
  if (isItem(price.custom_unit_amount)) return 'custom_price';
  if (isItem(price.transform_quantity)) return 'grouped_quantity';
  const amount = toPriceAmount(price);
  if (amount === null) return price.unit_amount_decimal == null ? 'no_price' : 'fractional_price';
  return amount === 0 && toPriceInterval(price) !== null ? 'free_price' : null;
}

export const toPriceInterval = (price: Item): Interval | null =>
  toInterval(at(price, 'recurring', 'interval'), at(price, 'recurring', 'interval_count'));

const productOf = ({ product }: Item): string =>
  (isItem(product) ? toRef(product.id) : toRef(product)) ?? 'none';

export function* listCatalogue({ byId, products }: Prices, stays: Stays): Generator<ImportLine> {
  const sold: Sold[] = [];
  for (const price of byId.values()) {
    const code = refusePrice(price);
    if (code) stays.add(code, String(price.id));
    else sold.push(toSold(price, products));
  }
  yield* listSplit(sold);
}

function toSold(price: Item, products: ReadonlyMap<string, Item>): Sold {
  const productRef = productOf(price);
  const product = products.get(productRef);
  const name = toText(product?.name, 200) ?? toText(price.nickname, 200) ?? productRef;
  return {
    offer: {
      ...{ kind: 'offer', ref: String(price.id), productRef, name: toText(price.nickname, 200) },
      ...{ price: toPriceAmount(price) ?? 0, currency: toCurrency(price.currency) ?? '' },
      interval: toPriceInterval(price),
      taxBehavior: toTaxBehavior(price.tax_behavior),
      active: price.active !== false && product?.active !== false,
    },
    product: { name, description: toPlain(product?.description) },
    ...{ onceType: 'OneTimePayment', variantName: null },
  };
}

export const toTaxBehavior = (value: unknown) =>
  value === 'inclusive' || value === 'exclusive' ? value : null;
