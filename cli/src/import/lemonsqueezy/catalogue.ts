/** Lemon Squeezy's products, variants with the price they have now, and discounts. */
import type { DiscountLine, ImportLine, Interval } from '../lines.ts';
import type { Source } from '../source.ts';
import { listSplit, type Sold } from '../split-products.ts';
import type { StayCode, Stays } from '../stays.ts';
import { createTaken } from '../taken-codes.ts';
import {
  at,
  type Item,
  toCurrency,
  toInterval,
  toMinorCount,
  toMs,
  toNumber,
  toPlain,
  toRef,
  toText,
} from '../values.ts';

export interface Shop {
  products: Map<string, Item>;
  variants: Map<string, Item>;
  prices: Map<string, Item>;
  /** Of each variant the last one. */
  priceOf: Map<string, Item>;
  account: string | null;
  currency: string;
}

export const attribute = (item: unknown, name: string): unknown => at(item, 'attributes', name);

/** An id in an attribute, or where JSON:API relates to it. */
export const relatedId = (item: Item, name: string): string | null =>
  toRef(attribute(item, `${name}_id`)) ??
  toRef(at(item, 'relationships', name.replaceAll('_', '-'), 'data', 'id'));

const DEFAULT_CURRENCY = 'USD';

export async function readShop(source: Source): Promise<Shop> {
  const [products, variants, prices, priceOf] = [new Map(), new Map(), new Map(), new Map<string, Item>()];
  let [account, currency]: [string | null, string | null] = [null, null];
  for await (const store of source.list('stores')) {
    account ??= toRef(store.id);
    currency ??= toCurrency(attribute(store, 'currency'));
  }
  for await (const product of source.list('products')) products.set(String(product.id), product);
  for await (const variant of source.list('variants')) variants.set(String(variant.id), variant);
  for await (const price of source.list('prices')) {
    prices.set(String(price.id), price);
    const variant = relatedId(price, 'variant') ?? '';
    if (Number(price.id) >= Number(priceOf.get(variant)?.id ?? 0)) priceOf.set(variant, price);
  }
  return { products, variants, prices, priceOf, account, currency: currency ?? DEFAULT_CURRENCY };
}

/** Null = it can be sold here. */
export function refusePrice(price: Item): StayCode | null {
  const [scheme, category] = [attribute(price, 'scheme'), attribute(price, 'category')];
  if (attribute(price, 'usage_aggregation') != null) return 'metered_price';
  if (scheme === 'graduated' || scheme === 'volume') return 'tiered_price';
  if (scheme === 'package') return 'grouped_quantity';
  if (category === 'pwyw') return 'custom_price';
  const amount = toMinorCount(attribute(price, 'unit_price'));
  if (amount === null)
    return attribute(price, 'unit_price_decimal') == null ? 'no_price' : 'fractional_price';
  return amount === 0 && toPriceInterval(price) !== null ? 'free_price' : null;
}

export const toPriceInterval = (price: Item): Interval | null =>
  toInterval(attribute(price, 'renewal_interval_unit'), attribute(price, 'renewal_interval_quantity'));

const toVariantInterval = (variant: Item): Interval | null =>
  attribute(variant, 'is_subscription') === false
    ? null
    : toInterval(attribute(variant, 'interval'), attribute(variant, 'interval_count'));

export interface Offered {
  price: number;
  interval: Interval | null;
}

/** What a variant costs now, or why it stays there. */
export function toOffered(shop: Shop, variant: Item): Offered | StayCode {
  const price = shop.priceOf.get(String(variant.id));
  if (price) {
    const amount = toMinorCount(attribute(price, 'unit_price')) ?? 0;
    return refusePrice(price) ?? { price: amount, interval: toPriceInterval(price) };
  }
  const [amount, interval] = [toMinorCount(attribute(variant, 'price')), toVariantInterval(variant)];
  if (amount === null) return 'no_price';
  return amount === 0 && interval !== null ? 'free_price' : { price: amount, interval };
}

/** Answers which variants are sold here, and how. */
export function* listCatalogue(shop: Shop, stays: Stays): Generator<ImportLine, Map<string, Offered>> {
  const sold: Sold[] = [];
  const offered = new Map<string, Offered>();
  for (const [ref, variant] of shop.variants) {
    const found = toOffered(shop, variant);
    if (typeof found === 'string') {
      stays.add(found, ref);
      continue;
    }
    offered.set(ref, found);
    sold.push(toSold(shop, { ref, variant, offered: found }));
  }
  yield* listSplit(sold);
  return offered;
}

function toSold(
  shop: Shop,
  { ref, variant, offered }: { ref: string; variant: Item; offered: Offered },
): Sold {
  const productRef = relatedId(variant, 'product') ?? 'none';
  const product = shop.products.get(productRef);
  const name = toText(attribute(variant, 'name'), 200);
  // Each product has one of its own that nobody sees.
  const isDefault = name === null || name === 'Default';
  const isSold = attribute(product, 'status') !== 'draft' && attribute(variant, 'status') !== 'draft';
  return {
    offer: {
      ...{ kind: 'offer', ref, productRef, variantRef: isDefault ? null : ref, ...offered },
      ...{ currency: shop.currency, active: isSold },
    },
    product: {
      name: toText(attribute(product, 'name'), 200) ?? productRef,
      description: toPlain(attribute(product, 'description')),
    },
    onceType: attribute(variant, 'has_license_keys') === true ? 'SoftwareKey' : 'DigitalDownload',
    variantName: isDefault ? null : name,
  };
}

const toCode = (discount: Item) => toText(attribute(discount, 'code'), 100);
const isRunning = (discount: Item) => attribute(discount, 'status') !== 'draft';

export async function* listDiscounts(
  source: Source,
  { currency, isMonthly, stays }: { currency: string; isMonthly: boolean; stays: Stays },
): AsyncGenerator<DiscountLine> {
  const running: Array<string | null> = [];
  for await (const discount of source.list('discounts'))
    if (isRunning(discount)) running.push(toCode(discount));
  const taken = createTaken(running);
  for await (const discount of source.list('discounts')) {
    const ref = String(discount.id);
    const isPercent = attribute(discount, 'amount_type') === 'percent';
    const amount = isPercent
      ? toNumber(attribute(discount, 'amount'))
      : toMinorCount(attribute(discount, 'amount'));
    const duration = attribute(discount, 'duration');
    const isLimited =
      attribute(discount, 'is_limited_to_products') === true ||
      attribute(discount, 'is_limited_redemptions') === true;
    if (amount === null || amount <= 0) stays.add('no_price', ref);
    else if (isLimited) stays.add('discount_limited', ref);
    else if (!isRunning(discount) && taken.has(toCode(discount))) stays.add('code_again', ref);
    else {
      taken.add(toCode(discount));
      if (duration === 'repeating' && !isMonthly) stays.add('discount_months', ref);
      yield {
        ...{ kind: 'discount', ref, name: toText(attribute(discount, 'name'), 200) },
        ...{ code: toCode(discount), amount },
        ...{ amountType: isPercent ? 'percentage' : 'fixed', currency: isPercent ? null : currency },
        duration: duration === 'forever' || duration === 'repeating' ? duration : 'once',
        durationIntervals:
          duration === 'repeating' ? toNumber(attribute(discount, 'duration_in_months')) : null,
        validUntil: toMs(attribute(discount, 'expires_at')),
        active: isRunning(discount),
      };
    }
  }
}
