/** An offer that a line names, be it ours already or only in the file. */
import type { PlanItem } from '../../domain/billing/line.ts';
import { toInterval } from '../../domain/checkout/cart.ts';
import type { SubscriptionLine } from '../../domain/imports/lines.ts';
import type { Interval } from '../../domain/subscriptions/period.ts';
import type { CartOffer } from '../../resources/checkouts/carts.queries.ts';
import { toShortForms } from '../pricing/order-rows.ts';
import type { KnownLines } from './known-lines.ts';

export interface OfferFacts {
  productType: string;
  interval: Interval | null;
  name: string;
  /** Ours; null while it is only in the file. */
  offer: CartOffer | null;
}

/** Ours where there is one: what was changed here is what is sold. */
export function findOfferFacts(known: KnownLines, ref: string): OfferFacts | null {
  const { inFile, brought } = known.find('offer', ref);
  const offer = brought ? (known.offers.get(brought.objectId) ?? null) : null;
  if (offer) {
    const { productType, productName } = offer;
    return { productType, interval: toInterval(offer), name: offer.name ?? productName, offer };
  }
  if (inFile?.body.kind !== 'offer') return null;
  const { interval = null, productRef, name } = inFile.body;
  const product = known.find('product', productRef).inFile?.body;
  const [productType, productName] =
    product?.kind === 'product'
      ? [product.type, product.name]
      : [interval === null ? 'OneTimePayment' : 'Subscription', ''];
  return { productType, interval, name: name ?? productName, offer: null };
}

/** The items of a subscription at the prices that its buyer pays there. */
export function toImportedItems(line: SubscriptionLine, known: KnownLines): PlanItem[] {
  return line.items.map(({ offerRef, quantity, unitPrice }) => {
    const facts = findOfferFacts(known, offerRef);
    const offer = facts?.offer ?? null;
    const forms = offer ? toShortForms(offer) : null;
    return {
      id: null,
      // While it is planned an offer has no id of ours, and is an offer all the same: discounts lower it.
      offerId: offer?.id ?? offerRef,
      productId: offer?.productId ?? null,
      variantId: offer?.variantId ?? null,
      name: facts?.name ?? '',
      internalId: offer?.internalId ?? null,
      unitPrice: BigInt(unitPrice),
      quantity,
      // What the source has not said is in the price: nobody pays more than there.
      inclusive: line.taxBehavior !== 'exclusive',
      product: forms ? JSON.parse(forms.product) : { type: facts?.productType },
      variant: forms?.variant ? JSON.parse(forms.variant) : null,
      offer: forms ? JSON.parse(forms.offer) : null,
      customFields: {},
      taxReason: 'outside_scope',
      taxRates: [],
    };
  });
}
