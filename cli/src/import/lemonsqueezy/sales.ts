/** What was bought at Lemon Squeezy, with its keys. */
import type { ImportLine } from '../lines.ts';
import type { Source } from '../source.ts';
import type { Stays } from '../stays.ts';
import { type Item, toCurrency, toMinorCount, toMs, toNumber, toText } from '../values.ts';
import { attribute, type Offered, relatedId } from './catalogue.ts';

interface BoughtItem {
  orderRef: string;
  variantRef: string;
  quantity: number;
}

export interface Sales {
  source: Source;
  offered: ReadonlyMap<string, Offered>;
  customers: ReadonlySet<string>;
  stays: Stays;
}

export async function* convertSales({
  source,
  offered,
  customers,
  stays,
}: Sales): AsyncGenerator<ImportLine> {
  const items = await readItems(source);
  const byOrder = new Map<string, BoughtItem[]>();
  for (const item of items.values())
    byOrder.set(item.orderRef, [...(byOrder.get(item.orderRef) ?? []), item]);
  const bought = new Set<string>();
  for await (const order of source.list('orders')) {
    const ref = String(order.id);
    const own = byOrder.get(ref) ?? [];
    const customerRef = relatedId(order, 'customer') ?? '';
    // The first payment of a subscription comes with it.
    if (own.length > 0 && own.every(({ variantRef }) => offered.get(variantRef)?.interval)) continue;
    const code = refuseOrder(order);
    if (code) stays.add(code, ref);
    else if (!customers.has(customerRef)) stays.add('unknown_customer', ref);
    else if (own.length === 0 || !own.every(({ variantRef }) => offered.has(variantRef)))
      stays.add('unknown_offer', ref);
    else {
      bought.add(ref);
      yield toPurchase(order, { customerRef, own });
    }
  }
  yield* convertKeys({ source, offered, customers, stays }, { items, byOrder, bought });
}

/** By their own id; an order says of itself only the first. */
async function readItems(source: Source): Promise<Map<string, BoughtItem>> {
  const items = new Map<string, BoughtItem>();
  for await (const item of source.list('order_items')) {
    const [orderRef, variantRef] = [relatedId(item, 'order'), relatedId(item, 'variant')];
    const quantity = toMinorCount(attribute(item, 'quantity') ?? 1) || 1;
    if (orderRef !== null && variantRef !== null)
      items.set(String(item.id), { orderRef, variantRef, quantity });
  }
  for await (const order of source.list('orders')) {
    const first = attribute(order, 'first_order_item') as Item | null | undefined;
    const [id, variant] = [first?.id, first?.variant_id];
    if (id == null || variant == null || items.has(String(id))) continue;
    const quantity = toMinorCount(first?.quantity ?? 1) || 1;
    items.set(String(id), { orderRef: String(order.id), variantRef: String(variant), quantity });
  }
  return items;
}

function refuseOrder(order: Item): 'refunded' | 'disputed' | 'unpaid' | 'no_price' | null {
  const status = attribute(order, 'status');
  if (attribute(order, 'refunded') === true || status === 'refunded') return 'refunded';
  if (status === 'fraudulent') return 'disputed';
  if (status !== undefined && status !== 'paid' && status !== 'partial_refund') return 'unpaid';
  const isWhole =
    toMinorCount(attribute(order, 'total')) !== null && toMs(attribute(order, 'created_at')) !== null;
  return isWhole ? null : 'no_price';
}

function toPurchase(
  order: Item,
  { customerRef, own }: { customerRef: string; own: BoughtItem[] },
): ImportLine {
  const createdAt = toMs(attribute(order, 'created_at')) ?? 0;
  return {
    ...{ kind: 'purchase', ref: String(order.id), customerRef, createdAt, paidAt: createdAt },
    items: own.map(({ variantRef, quantity }) => ({ offerRef: variantRef, quantity })),
    value: toMinorCount(attribute(order, 'total')) ?? 0,
    tax: toMinorCount(attribute(order, 'tax')) ?? 0,
    currency: toCurrency(attribute(order, 'currency')) ?? '',
  };
}

interface Bought {
  items: ReadonlyMap<string, BoughtItem>;
  byOrder: ReadonlyMap<string, BoughtItem[]>;
  bought: ReadonlySet<string>;
}

async function* convertKeys(
  { source, offered, stays }: Sales,
  { items, byOrder, bought }: Bought,
): AsyncGenerator<ImportLine> {
  for await (const key of source.list('license_keys')) {
    const ref = String(key.id);
    const orderRef = relatedId(key, 'order');
    const item = items.get(relatedId(key, 'order_item') ?? '') ?? byOrder.get(orderRef ?? '')?.[0];
    const text = toText(attribute(key, 'key'), 512);
    const offer = item && offered.get(item.variantRef);
    if (!item || !offer || text === null) stays.add('unknown_offer', ref);
    else if (offer.interval) stays.add('key_of_subscription', ref);
    else if (!bought.has(item.orderRef)) stays.add('refunded', ref);
    else {
      const status = attribute(key, 'status');
      const isOver = attribute(key, 'disabled') === true || status === 'disabled' || status === 'expired';
      yield {
        ...{ kind: 'key', ref, offerRef: item.variantRef, purchaseRef: item.orderRef, key: text },
        state: isOver ? 'revoked' : 'sold',
        limit: toNumber(attribute(key, 'activation_limit')),
        uses: toNumber(attribute(key, 'activation_usage') ?? attribute(key, 'instances_count')),
      };
    }
  }
}
