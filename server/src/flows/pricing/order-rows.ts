/** Copies of the catalogue and of the quote that an order keeps: later edits change no history. */
import type { Step } from '../../context.ts';
import type { BillingDetailsJson } from '../../db/schema/users.ts';
import { toJson } from '../../db/scope.ts';
import { type BuyerForm, listBilled } from '../../domain/checkout/buyer.ts';
import type { CartOffer } from '../../resources/checkouts/carts.queries.ts';
import type { Cart, CartQuote } from './quote-cart.ts';

/** What is bought, at which price, and what the buyer said. */
export interface Purchase {
  cart: Cart;
  quote: CartQuote;
  form: BuyerForm;
}

/** The short forms of an offer and of what it belongs to. */
export function toShortForms(offer: CartOffer) {
  return {
    product: toJson({
      object: 'product',
      id: offer.productId,
      type: offer.productType,
      internalId: offer.productInternalId,
      name: offer.productName,
    }),
    variant:
      offer.variantId === null
        ? null
        : toJson({
            object: 'variant',
            id: offer.variantId,
            internalId: offer.variantInternalId,
            name: offer.variantName,
          }),
    offer: toJson({ object: 'offer', id: offer.id, internalId: offer.internalId, name: offer.name }),
  };
}

/** Only what the buyer has said: absent fields are unset. */
export function toBillingDetails(form: BuyerForm): BillingDetailsJson {
  const said = listBilled(form);
  return Object.keys(said).length === 0 ? {} : { type: form.type, ...said };
}

/** One row per line. In a trial nothing is sold yet: its lines are of 0, the subscription keeps the price. */
export function toOrderItems(ctx: Step, { cart, quote, form }: Purchase, orderId: string) {
  const isTrial = cart.trial !== null;
  return cart.lines.map(({ offer, quantity }, position) => {
    const line = quote.lines[position];
    const price = (minor: bigint | undefined) => (isTrial || minor === undefined ? 0n : minor);
    return {
      id: ctx.ids.next(ctx.nowMs),
      orderId,
      position,
      offerId: offer.id,
      productId: offer.productId,
      variantId: offer.variantId,
      name: offer.name ?? offer.productName,
      internalId: offer.internalId,
      unitPrice: price(line?.unitPriceMinor),
      quantity,
      currency: cart.currency,
      subtotal: price(line?.subtotalMinor),
      discount: price(line?.discountMinor),
      tax: price(line?.taxMinor),
      total: price(line?.totalMinor),
      inclusive: line?.inclusive ?? false,
      taxReason: line?.rule.reason ?? 'outside_scope',
      taxRates: toJson(isTrial ? [] : toTaxRates(line?.rates ?? [])),
      ...toShortForms(offer),
      customFields: toJson(form.customFields),
      limitHeld: offer.salesLimit !== null,
      fulfilment: offer.hasKeys || offer.downloadFileId !== null ? ('waiting' as const) : ('none' as const),
      downloadLimit: offer.downloadLimit,
      downloadDays: offer.downloadDays,
      withdrawal: offer.withdrawal,
      createdAt: ctx.nowMs,
    };
  });
}

type Rates = CartQuote['lines'][number]['rates'];

/** Rates as the API shows them; the sums behind them are exact. */
export function toTaxRates(rates: Rates) {
  return rates.map((rate) => ({
    name: rate.name,
    country: rate.country,
    region: rate.region,
    percentage: rate.ratePpm / 10_000,
    taxable: Number(rate.taxableMinor),
    amount: Number(rate.amountMinor),
    reason: rate.reason,
  }));
}
