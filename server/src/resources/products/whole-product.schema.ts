/** A product with all that hangs on it. Apart from `products.schema.ts` because offers build on that file. */
import { type Static, Type } from 'typebox';
import type { Row } from '../../db/schema.ts';
import { toTerms } from '../discounts/discounts.schema.ts';
import type { OfferRow } from '../offers/offers.queries.ts';
import { Offer, OfferPrice, offerInput, toOffer } from '../offers/offers.schema.ts';
import { Answer, Body, Component, Described } from '../shapes.ts';
import { AddVariant, toVariant, Variant } from '../variants/variants.schema.ts';
import { ProductName, ProductType, productAnswer, productInput, toProduct } from './products.schema.ts';

const parts = {
  variants: Type.Array(Component(Variant)),
  plans: Type.Array(Component(Variant), { description: 'The variants again, for a Subscription product.' }),
  offers: Type.Array(Component(Offer), { description: 'Its offers.' }),
};

export const WholeProduct = Answer('WholeProduct', { ...productAnswer, ...parts });

/** An offer's body without the ids that come into being with it. */
const InlineOffer = Body({
  price: OfferPrice,
  ...offerInput,
  variantIdx: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 99, description: 'Place of its variant or plan in this request.' }),
  ),
});
const InlineVariants = Type.Array(AddVariant, { maxItems: 100 });

export const CreateProduct = Body({
  type: ProductType,
  name: ProductName,
  ...productInput,
  variants: Type.Optional(InlineVariants),
  plans: Type.Optional(Described(InlineVariants, 'The same as variants, of a Subscription product.')),
  offers: Type.Optional(
    Type.Array(InlineOffer, {
      maxItems: 100,
      description: 'Made with it, each with its price in minor units.',
    }),
  ),
});

export const WholeProductData = Answer(null, { product: Component(WholeProduct), ...parts });

export interface ProductParts {
  definitions: ReadonlyArray<Row<'customFields'>>;
  variants: ReadonlyArray<Row<'variants'>>;
  offers: readonly OfferRow[];
  /** The sales that may run, which tell whether an offer has a discount at `nowMs`. */
  sales: ReadonlyArray<Row<'discounts'>>;
  nowMs: number;
}

/** The product with its parts inside and, for clients that read them there, beside it. */
export function toWholeProduct(
  row: Row<'products'>,
  { definitions, sales, nowMs, ...rows }: ProductParts,
): Static<typeof WholeProductData> {
  const variants = rows.variants.map(toVariant);
  const view = { sales: sales.map(toTerms), nowMs };
  const offers = rows.offers.map((offer) => toOffer(offer, view));
  const plans = row.type === 'Subscription' ? variants : [];
  const all = { variants, plans, offers };
  return { product: { ...toProduct(row, definitions), ...all }, ...all };
}
