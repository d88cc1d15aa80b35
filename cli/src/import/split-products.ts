/** A product here recurs or does not; one of both kinds there becomes two. */
import type { ImportLine, OfferLine } from './lines.ts';

type ProductLine = Extract<ImportLine, { kind: 'product' }>;
type VariantLine = Extract<ImportLine, { kind: 'variant' }>;

export interface Sold {
  offer: OfferLine;
  product: Omit<ProductLine, 'kind' | 'ref' | 'type'>;
  /** Of what does not recur. */
  onceType: Exclude<ProductLine['type'], 'Subscription'>;
  variantName: string | null;
}

/** Products, their variants, then their offers; an offer names its product by the id there. */
export function* listSplit(sold: readonly Sold[]): Generator<ImportLine> {
  const recurring = new Set(sold.filter(({ offer }) => offer.interval).map(({ offer }) => offer.productRef));
  const products = new Map<string, ProductLine>();
  const variants = new Map<string, VariantLine>();
  const offers = sold.map(({ offer, product, onceType, variantName }) => {
    const isOnce = !offer.interval;
    const ref = isOnce && recurring.has(offer.productRef) ? `${offer.productRef}:once` : offer.productRef;
    const before = products.get(ref);
    const hasKeys = onceType === 'SoftwareKey' || before?.type === 'SoftwareKey';
    const type = isOnce ? (hasKeys ? 'SoftwareKey' : onceType) : 'Subscription';
    products.set(ref, { kind: 'product', ref, type, ...product });
    const { variantRef } = offer;
    if (variantRef != null && variantName !== null)
      variants.set(variantRef, { kind: 'variant', ref: variantRef, productRef: ref, name: variantName });
    return { ...offer, productRef: ref };
  });
  yield* products.values();
  yield* variants.values();
  yield* offers;
}
