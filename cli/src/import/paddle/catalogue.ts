/** Paddle's products, prices and discounts. */
import type { DiscountLine, ImportLine, Interval } from '../lines.ts';
import type { Source } from '../source.ts';
import { listSplit, type Sold } from '../split-products.ts';
import type { StayCode, Stays } from '../stays.ts';
import { createTaken } from '../taken-codes.ts';
import {
  at,
  type Item,
  isItem,
  listAt,
  toCurrency,
  toInterval,
  toMinorCount,
  toMs,
  toNumber,
  toPlain,
  toRef,
  toText,
} from '../values.ts';

export interface Prices {
  byId: Map<string, Item>;
  products: Map<string, Item>;
}

/** Of the lists, and those that only a subscription names still. */
export async function readPrices(source: Source): Promise<Prices> {
  const prices: Prices = { byId: new Map(), products: new Map() };
  for await (const product of source.list('products')) prices.products.set(String(product.id), product);
  for await (const price of source.list('prices')) prices.byId.set(String(price.id), price);
  for await (const subscription of source.list('subscriptions'))
    for (const { price, product } of listAt(subscription, 'items')) {
      if (isItem(price) && !prices.byId.has(String(price.id))) prices.byId.set(String(price.id), price);
      if (isItem(product) && !prices.products.has(String(product.id)))
        prices.products.set(String(product.id), product);
    }
  return prices;
}

export const toPriceInterval = ({ billing_cycle: cycle }: Item): Interval | null =>
  toInterval(at(cycle, 'interval'), at(cycle, 'frequency'));

export const toUnitPrice = (price: unknown): number | null => toMinorCount(at(price, 'unit_price', 'amount'));

/** Null = it can be sold here. */
export function refusePrice(price: Item): StayCode | null {
  const amount = toUnitPrice(price);
  if (amount === null) return 'no_price';
  return amount === 0 && toPriceInterval(price) !== null ? 'free_price' : null;
}

/** In the price, on top of it, or as the account has it, which no list says. */
export const toTaxBehavior = (price: unknown) => {
  const mode = at(price, 'tax_mode');
  return mode === 'internal' ? 'inclusive' : mode === 'external' ? 'exclusive' : null;
};

export function* listCatalogue({ byId, products }: Prices, stays: Stays): Generator<ImportLine> {
  const sold: Sold[] = [];
  for (const price of byId.values()) {
    const code = refusePrice(price);
    if (code) {
      stays.add(code, String(price.id));
      continue;
    }
    const productRef = toRef(price.product_id) ?? 'none';
    const product = products.get(productRef);
    sold.push({
      offer: {
        ...{ kind: 'offer', ref: String(price.id), productRef, price: toUnitPrice(price) ?? 0 },
        name: toText(price.name, 200) ?? toText(price.description, 200),
        currency: toCurrency(at(price, 'unit_price', 'currency_code')) ?? '',
        ...{ interval: toPriceInterval(price), taxBehavior: toTaxBehavior(price) },
        active: price.status !== 'archived' && product?.status !== 'archived',
      },
      product: { name: toText(product?.name, 200) ?? productRef, description: toPlain(product?.description) },
      ...{ onceType: 'OneTimePayment', variantName: null },
    });
  }
  yield* listSplit(sold);
}

export async function readDiscounts(source: Source): Promise<Map<string, Item>> {
  const discounts = new Map<string, Item>();
  for await (const discount of source.list('discounts')) discounts.set(String(discount.id), discount);
  return discounts;
}

const toCode = (discount: Item) => toText(discount.code, 100);
const isActive = (discount: Item) => discount.status === 'active' && discount.enabled_for_checkout !== false;

/** One that is limited comes for the subscriptions that have it, without its code. */
export function* listDiscounts(discounts: ReadonlyMap<string, Item>, stays: Stays): Generator<DiscountLine> {
  const taken = createTaken(
    [...discounts.values()].flatMap((discount) => (isActive(discount) ? [toCode(discount)] : [])),
  );
  for (const [ref, discount] of discounts) {
    const isPercent = discount.type === 'percentage';
    const amount = isPercent ? toNumber(discount.amount) : toMinorCount(discount.amount);
    if (amount === null || amount <= 0) {
      stays.add('no_price', ref);
      continue;
    }
    const isLimited =
      discount.type === 'flat_per_seat' ||
      discount.usage_limit != null ||
      listOf(discount.restrict_to).length > 0;
    const own = toCode(discount);
    if (isLimited && own !== null) stays.add('discount_limited', ref);
    const isAgain = !isLimited && !isActive(discount) && taken.has(own);
    if (isAgain) stays.add('code_again', ref);
    const code = isLimited || isAgain ? null : own;
    taken.add(code);
    const most = toNumber(discount.maximum_recurring_intervals);
    yield {
      ...{ kind: 'discount', ref, name: toText(discount.description, 200), code },
      ...{ amountType: isPercent ? 'percentage' : 'fixed', amount },
      currency: isPercent ? null : toCurrency(discount.currency_code),
      duration: discount.recur !== true ? 'once' : most === null ? 'forever' : 'repeating',
      durationIntervals: discount.recur === true ? most : null,
      validUntil: toMs(discount.expires_at),
      active: isActive(discount),
    };
  }
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
