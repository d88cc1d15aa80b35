/** Tax before a purchase: the checkout's own price, of offers and of products at a price of one's own. */
import type { Context } from '../../context.ts';
import type { Db } from '../../db/database.ts';
import type { Scope } from '../../db/scope.ts';
import { type BuyerForm, checkAddress } from '../../domain/checkout/buyer.ts';
import { invalidField, notFound, otherCurrency, Refusal } from '../../domain/errors.ts';
import type { Quote, QuoteLine } from '../../domain/pricing/quote.ts';
import { toSettings } from '../../domain/settings.ts';
import { type ProductType, toTaxCategory } from '../../domain/tax/taxability.ts';
import { isShown } from '../../resources/paging.ts';
import { findProduct } from '../../resources/products/products.queries.ts';
import { getStore } from '../../resources/workspaces/workspaces.queries.ts';
import { type CartLine, loadCart, quoteLines, toQuoteLine } from './quote-cart.ts';

/** One line that is asked about: an offer, or a product with the price of one. */
export interface TaxItem {
  /** Where it stands in the request, for messages: `items.0`, or empty. */
  path: string;
  offerId: string | null;
  productId: string | null;
  /** Null = the offer's. */
  unitPriceMinor: bigint | null;
  quantity: number;
}

export interface TaxQuestion {
  items: TaxItem[];
  /** Null = the store's. */
  currency: string | null;
  form: BuyerForm;
  /** Whether who asks may read products that are not for everybody. */
  withSecret: boolean;
}

/** What a line was, beside its sums. */
interface Named {
  offerId: string | null;
  productId: string;
  name: string;
}

export interface TaxAnswer {
  currency: string;
  quote: Quote;
  named: Named[];
}

const QUANTITY_MAX = 10_000;

/** Throws the checkout's refusals: unknown or unsaleable offers, mixed carts, codes that cannot be used. */
export async function calculateTax(
  ctx: Context,
  scope: Scope,
  { items, currency: asked, form, withSecret }: TaxQuestion,
): Promise<TaxAnswer> {
  checkCustomer(form);
  const { db } = ctx;
  const store = await getStore(db, scope);
  const merged = mergeItems(items);
  const offers = await loadOffers(db, scope, merged);
  const lines = await Promise.all(merged.map((item) => toLine(db, scope, { item, offers, withSecret })));
  const currency = store.currency ?? asked;
  if (currency === null) throw invalidField('currency', 'is required while the workspace has no offer');
  if (asked !== null && asked !== currency) throw otherCurrency(currency);
  const { quote } = await quoteLines(ctx, scope, {
    db,
    priced: { lines: lines.map(({ line }) => line), currency, settings: toSettings(store.settings) },
    form,
    exceptOrderId: null,
  });
  if (quote.codeRefusal) throw new Refusal(quote.codeRefusal);
  return { currency, quote, named: lines.map(({ named }) => named) };
}

function checkCustomer(form: BuyerForm): void {
  const issues = checkAddress(form).map(({ path, message }) => ({ path: `customer.${path}`, message }));
  const [first] = issues;
  if (first)
    throw new Refusal('invalid_input', { message: `${first.path} ${first.message}`, details: issues });
}

/** What is named twice at one price is one line of the cart, as at the checkout: tax is rounded once for it. */
function mergeItems(items: readonly TaxItem[]): TaxItem[] {
  const merged = new Map<string, TaxItem>();
  for (const item of items) {
    const { offerId, productId, unitPriceMinor, quantity, path } = item;
    const key = `${offerId}:${productId}:${unitPriceMinor}`;
    const sum = (merged.get(key)?.quantity ?? 0) + quantity;
    if (sum > QUANTITY_MAX)
      throw invalidField(path ? `${path}.quantity` : 'quantity', `must be at most ${QUANTITY_MAX} in all`);
    merged.set(key, { ...(merged.get(key) ?? item), quantity: sum });
  }
  return [...merged.values()];
}

async function loadOffers(
  db: Db,
  scope: Scope,
  items: readonly TaxItem[],
): Promise<ReadonlyMap<string, CartLine['offer']>> {
  const offerIds = [...new Set(items.flatMap(({ offerId }) => (offerId === null ? [] : [offerId])))];
  if (offerIds.length === 0) return new Map();
  const { lines } = await loadCart(db, scope, { offerIds, quantity: null, quantityBy: 'merchant' });
  return new Map(lines.map(({ offer }) => [offer.id, offer]));
}

async function toLine(
  db: Db,
  scope: Scope,
  {
    item,
    offers,
    withSecret,
  }: { item: TaxItem; offers: ReadonlyMap<string, CartLine['offer']>; withSecret: boolean },
): Promise<{ line: QuoteLine; named: Named }> {
  const { offerId, productId, unitPriceMinor, quantity } = item;
  const key = `${offerId}:${productId}:${unitPriceMinor}`;
  const offer = offerId === null ? undefined : offers.get(offerId);
  if (offer) {
    const line = toQuoteLine({ offer, quantity });
    return {
      line: { ...line, key, unitPriceMinor: unitPriceMinor ?? line.unitPriceMinor },
      named: { offerId, productId: offer.productId, name: offer.name ?? offer.productName },
    };
  }
  const product = productId === null ? undefined : await findProduct(db, scope, productId);
  if (!product || !isShown(product, withSecret)) throw notFound('product', productId ?? '');
  return {
    line: {
      key,
      offerId: null,
      unitPriceMinor: unitPriceMinor ?? 0n,
      quantity,
      // The column holds only the types that the product schema lets in.
      category: toTaxCategory(product.type as ProductType),
      taxBehavior: null,
    },
    named: { offerId: null, productId: product.id, name: product.name },
  };
}
