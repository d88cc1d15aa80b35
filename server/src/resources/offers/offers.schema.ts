/** Offers in the API: bodies, answers and the way from a row to an answer. */
import { type Static, Type } from 'typebox';
import type { Row } from '../../db/schema.ts';
import { checkDiscount, type DiscountTerms } from '../../domain/pricing/discount.ts';
import { pageAnswer, pageQuery, statusQuery } from '../paging.ts';
import { ProductShort, ProductType, toProductShort } from '../products/products.schema.ts';
import {
  Answer,
  Body,
  Component,
  Currency,
  CurrencyInput,
  Described,
  Lines,
  Minor,
  Ms,
  Nullable,
  PriceInput,
  StringEnum,
  Text,
  TextOrNone,
  Uuid,
  Version,
} from '../shapes.ts';
import { toVariant, Variant } from '../variants/variants.schema.ts';
import type { OfferRow, WholeOfferRow } from './offers.queries.ts';

const IntervalUnit = StringEnum(['day', 'week', 'month', 'year']);
const OfferStatus = StringEnum(['DRAFT', 'ACTIVE']);
const TaxBehavior = StringEnum(['inclusive', 'exclusive']);

const offerAnswer = {
  object: StringEnum(['offer']),
  id: Uuid(),
  internalId: Nullable(Type.String()),
  productId: Uuid(),
  variantId: Nullable(Uuid()),
  price: Minor(),
  originalPrice: Nullable(Minor({ description: 'The price that is shown struck through.' })),
  currency: Currency(),
  recurringInterval: Nullable(IntervalUnit),
  recurringIntervalCount: Nullable(Type.Integer()),
  trialInterval: Nullable(IntervalUnit),
  trialIntervalCount: Nullable(Type.Integer()),
  limit: Nullable(
    Type.Integer({ description: 'Most sales; null = no limit, and null without the secret key.' }),
  ),
  maxPerOrder: Nullable(
    Type.Integer({
      description:
        'Most that a buyer may choose where the quantity is theirs to choose; null = 10 of an offer with keys or a ' +
        'limit, else no bound. A quantity that the merchant sets is not held to it.',
    }),
  ),
  soldItems: Nullable(
    Type.Integer({
      description: 'Paid quantity of first sales; refunds do not give it back. Null without the secret key.',
    }),
  ),
  downloadLimit: Nullable(
    Type.Integer({
      description: 'How often a buyer may download, per item; copied at purchase. Null = no limit.',
    }),
  ),
  downloadDays: Nullable(
    Type.Integer({ description: 'For how many days from the payment; copied at purchase. Null = for ever.' }),
  ),
  freeProduct: Type.Boolean(),
  status: OfferStatus,
  name: Nullable(Type.String()),
  description: Nullable(Type.String()),
  cover: Nullable(Type.String()),
  coverBlurHash: Nullable(Type.String()),
  region: Type.String(),
  platform: Type.String(),
  gtin: Nullable(Type.String()),
  warningMessage: Nullable(Type.String()),
  mutableQuantity: Type.Boolean({ description: 'Whether the buyer may choose the quantity.' }),
  taxBehavior: Nullable(TaxBehavior),
  hasDiscount: Type.Boolean({ description: 'A running sale lowers this offer now.' }),
  download: Nullable(
    Answer(null, {
      fileName: Type.String(),
      size: Type.Integer({ description: 'Bytes.' }),
      type: Type.String(),
      description: Nullable(Type.String()),
    }),
  ),
  tags: Type.Array(Answer(null, { id: Type.String(), name: Type.String() })),
  version: Version(),
  archivedAt: Nullable(Ms()),
  createdAt: Ms(),
};

export const Offer = Answer('Offer', offerAnswer);

/** An offer with what belongs to it: the answer of `get`. */
export const WholeOffer = Answer('WholeOffer', {
  ...offerAnswer,
  product: Component(ProductShort),
  variant: Nullable(Variant),
  keys: Nullable(
    Answer(null, {
      available: Type.Integer({ description: 'Keys that can be sold.' }),
      reserved: Type.Integer({ description: 'Keys that are held for payments under way.' }),
      sold: Type.Integer({ description: 'Keys that were sold.' }),
    }),
  ),
});

/** What an order item keeps of its offer. */
export const OfferShort = Answer(null, {
  object: StringEnum(['offer']),
  id: Uuid(),
  internalId: Nullable(Type.String()),
  name: Nullable(Type.String()),
});

/** An empty text is let pass in what is only shown, since real clients send it for "none". */
const Shown = (max: number) => Nullable(TextOrNone(max));
const IntervalCount = Nullable(Type.Integer({ minimum: 1, maximum: 1200 }));
const Tags = Type.Array(Body({ id: Text(255), name: Text(150) }), { maxItems: 100 });

export const OfferPrice = PriceInput();

/** Fields that create, update and an inline offer of a product share, all optional. */
export const offerInput = {
  internalId: Type.Optional(Shown(255)),
  externalId: Type.Optional(Shown(255)),
  originalPrice: Type.Optional(Nullable(PriceInput())),
  currency: Type.Optional(CurrencyInput({ description: "The store's, which its first offer sets." })),
  recurringInterval: Type.Optional(Nullable(IntervalUnit)),
  recurringIntervalCount: Type.Optional(IntervalCount),
  recurring: Type.Optional(
    Nullable(
      Body({
        interval: Described(IntervalUnit, 'How long one interval is, with its count.'),
        intervalCount: Type.Optional(
          Type.Integer({ minimum: 1, maximum: 1200, description: '1 when missing.' }),
        ),
      }),
    ),
  ),
  trialInterval: Type.Optional(Nullable(IntervalUnit)),
  trialIntervalCount: Type.Optional(IntervalCount),
  limit: Type.Optional(Nullable(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }))),
  maxPerOrder: Type.Optional(Nullable(Type.Integer({ minimum: 1, maximum: 10_000 }))),
  downloadLimit: Type.Optional(Nullable(Type.Integer({ minimum: 1, maximum: 10_000 }))),
  downloadDays: Type.Optional(
    Nullable(
      Type.Integer({
        minimum: 1,
        maximum: 36_500,
        description: 'For how many days from the payment buyers may download; null: for ever.',
      }),
    ),
  ),
  freeProduct: Type.Optional(Type.Boolean()),
  status: Type.Optional(OfferStatus),
  name: Type.Optional(Nullable(Text(150))),
  description: Type.Optional(Nullable(Lines(20_000))),
  cover: Type.Optional(Shown(2048)),
  coverBlurHash: Type.Optional(Shown(200)),
  region: Type.Optional(Text(100)),
  platform: Type.Optional(Text(100)),
  gtin: Type.Optional(Shown(64)),
  warningMessage: Type.Optional(Nullable(Lines(2000))),
  mutableQuantity: Type.Optional(Type.Boolean()),
  taxBehavior: Type.Optional(Nullable(TaxBehavior)),
  downloadFileId: Type.Optional(Nullable(Uuid())),
  downloadDescription: Type.Optional(Nullable(Lines(2000))),
  tags: Type.Optional(Tags),
};

const VariantId = Type.Optional(Nullable(Uuid()));

export const CreateOffer = Body({
  productId: Uuid(),
  variantId: VariantId,
  price: OfferPrice,
  ...offerInput,
});
export const UpdateOffer = Body({
  id: Type.Optional(Uuid()),
  productId: Type.Optional(Uuid({ description: 'Never changes: it may only be repeated.' })),
  variantId: VariantId,
  price: Type.Optional(OfferPrice),
  ...offerInput,
});
export const ArchiveOffer = Body({ id: Type.Optional(Uuid()) });
export const OfferParams = Type.Object({ offerId: Uuid() });
const Term = (description: string) => Type.Optional(Type.String({ maxLength: 200, description }));
export const ListOffers = Type.Object({
  ...pageQuery,
  product: Type.Optional(Uuid({ description: 'Offers of this product.' })),
  'product.types': Type.Optional(
    Type.Array(ProductType, { description: 'Offers of products of these types.' }),
  ),
  term: Term('Part of the name, of the product’s name, of the internalId or of the GTIN, or the id.'),
  termOrId: Term('The same as `term`.'),
  ids: Type.Optional(Type.Array(Uuid(), { maxItems: 100 })),
  ...statusQuery(['DRAFT', 'ACTIVE', 'archived']),
  lowStock: Type.Optional(
    Type.Boolean({ description: 'As few keys left as lowStockThreshold, or fewer. Needs the secret key.' }),
  ),
  archived: Type.Optional(Type.Boolean()),
  withArchived: Type.Optional(Type.Boolean()),
});

export const OfferData = Answer(null, { offer: Component(Offer) });
export const WholeOfferData = Answer(null, { offer: Component(WholeOffer) });
export const OffersData = Answer(null, {
  offers: Type.Array(Component(Offer), { description: 'The offers of this page.' }),
  ...pageAnswer,
});

/** What an answer says about this moment: the sales that may run, and when it is. */
export interface OfferView {
  sales: readonly DiscountTerms[];
  nowMs: number;
}

export function toOffer(row: OfferRow, { sales, nowMs }: OfferView): Static<typeof Offer> {
  const attempt = { nowMs, currency: row.currency, offerIds: [row.id], userRedemptions: 0 };
  return {
    ...toOfferShort(row),
    productId: row.productId,
    variantId: row.variantId,
    price: Number(row.price),
    originalPrice: row.originalPrice === null ? null : Number(row.originalPrice),
    // A currency of the seed's list: checked on the way in.
    currency: row.currency as Static<typeof Offer>['currency'],
    recurringInterval: row.recurringInterval,
    recurringIntervalCount: row.recurringIntervalCount,
    trialInterval: row.trialInterval,
    trialIntervalCount: row.trialIntervalCount,
    limit: row.salesLimit,
    maxPerOrder: row.maxPerOrder,
    soldItems: row.soldCount,
    downloadLimit: row.downloadLimit,
    downloadDays: row.downloadDays,
    freeProduct: row.freeProduct,
    status: row.status,
    description: row.description,
    cover: row.cover,
    coverBlurHash: row.coverBlurHash,
    region: row.region,
    platform: row.platform,
    gtin: row.gtin,
    warningMessage: row.warningMessage,
    mutableQuantity: row.mutableQuantity,
    taxBehavior: row.taxBehavior,
    hasDiscount: sales.some((sale) => checkDiscount(sale, attempt) === null),
    download: toDownload(row),
    tags: row.tags,
    version: row.version,
    archivedAt: row.archivedAt,
    createdAt: row.createdAt,
  };
}

function toDownload(row: OfferRow): Static<typeof Offer>['download'] {
  const { fileName, fileSizeBytes, fileType, downloadDescription } = row;
  if (fileName === null || fileSizeBytes === null || fileType === null) return null;
  return { fileName, size: fileSizeBytes, type: fileType, description: downloadDescription };
}

export function toWholeOffer(
  { keys, ...row }: WholeOfferRow,
  variant: Row<'variants'> | null,
  view: OfferView,
): Static<typeof WholeOffer> {
  return {
    ...toOffer(row, view),
    product: toProductShort({
      id: row.productId,
      type: row.productType,
      internalId: row.productInternalId,
      name: row.productName,
    }),
    variant: variant && toVariant(variant),
    keys,
  };
}

export function toOfferShort(
  row: Pick<Row<'offers'>, 'id' | 'internalId' | 'name'>,
): Static<typeof OfferShort> {
  return { object: 'offer', id: row.id, internalId: row.internalId, name: row.name };
}
