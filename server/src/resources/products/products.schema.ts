/** Products in the API: bodies, answers and the way from a row to an answer. */
import { type Static, Type } from 'typebox';
import type { Row } from '../../db/schema.ts';
import { STOCK_MAX } from '../../domain/stock.ts';
import { CustomField, toCustomField } from '../custom-fields/custom-fields.schema.ts';
import { pageAnswer, pageQuery, statusQuery } from '../paging.ts';
import {
  Answer,
  Body,
  Component,
  Lines,
  Minor,
  Ms,
  Nullable,
  StringEnum,
  Text,
  TextOrNone,
  TimeInput,
  Uuid,
  Version,
} from '../shapes.ts';
import type { ListedProductRow } from './products.queries.ts';

export const ProductType = StringEnum([
  'DigitalDownload',
  'Game',
  'GiftCard',
  'SoftwareKey',
  'VirtualCurrency',
  'VirtualItem',
  'Subscription',
  'OneTimePayment',
]);
const ProductStatus = StringEnum(['DRAFT', 'ACTIVE', 'HIDDEN']);
const Withdrawal = StringEnum(['service', 'content', 'excluded'], {
  description: 'Which right to withdraw a consumer has; by the type when it is not given.',
});
const PegiRating = StringEnum(['3', '7', '12', '16', '18', '!']);

/** What an order item keeps of its product. */
export const ProductShort = Answer('ProductShort', {
  object: StringEnum(['product']),
  id: Uuid(),
  type: ProductType,
  internalId: Nullable(Type.String()),
  name: Type.String(),
});

/** Fields of every answer that shows a product; `whole-product.schema.ts` adds what hangs on it. */
export const productAnswer = {
  object: StringEnum(['product']),
  id: Uuid(),
  type: ProductType,
  internalId: Nullable(Type.String()),
  name: Type.String(),
  slug: Type.String({ description: 'Unique in the store.' }),
  description: Nullable(Type.String()),
  developer: Nullable(Type.String()),
  publisher: Nullable(Type.String()),
  pegiRating: Nullable(PegiRating),
  releaseDate: Nullable(Ms()),
  systems: Type.Array(Type.String()),
  genres: Type.Array(Type.String()),
  status: StringEnum(['DRAFT', 'ACTIVE', 'HIDDEN'], {
    description: 'HIDDEN sells by link only, DRAFT does not sell.',
  }),
  cover: Nullable(Type.String()),
  coverBlurHash: Nullable(Type.String()),
  coverVideo: Nullable(Type.String()),
  trailer: Nullable(Type.String()),
  gallery: Type.Array(
    Answer(null, {
      value: Type.String({ description: 'Address of the picture.' }),
      blurHash: Nullable(Type.String()),
    }),
  ),
  features: Type.Array(Answer(null, { value: Type.String({ description: 'One of them.' }) })),
  projectId: Nullable(Uuid()),
  customFields: Type.Array(Component(CustomField), {
    description: 'What a buyer is asked: the definitions of the store and of the product’s project.',
  }),
  withdrawal: Withdrawal,
  version: Version(),
  archivedAt: Nullable(Ms()),
  createdAt: Ms(),
  updatedAt: Ms(),
};

export const Product = Answer('Product', productAnswer);

/** An address of a picture or film; an empty text is let pass, since real clients send it for "none". */
export const Link = () => Nullable(TextOrNone(2048));
export const InternalId = () => Nullable(TextOrNone(255));
export const Features = Type.Array(
  Body({ value: Lines(1000, { minLength: 1, description: 'One of them.' }) }),
  { maxItems: 200 },
);
const Words = Type.Array(Text(100), { maxItems: 100 });

/** Fields that create and update share, all optional. */
export const productInput = {
  internalId: Type.Optional(InternalId()),
  externalId: Type.Optional(InternalId()),
  slug: Type.Optional(
    Text(150, {
      pattern: '^[\\p{L}\\p{M}\\p{N}._~-]+$',
      description: 'Unique in the store; made from the name when missing.',
    }),
  ),
  description: Type.Optional(Nullable(Lines(20_000))),
  developer: Type.Optional(Nullable(TextOrNone(150))),
  publisher: Type.Optional(Nullable(TextOrNone(150))),
  pegiRating: Type.Optional(Nullable(PegiRating)),
  releaseDate: Type.Optional(Nullable(TimeInput())),
  systems: Type.Optional(Words),
  genres: Type.Optional(Words),
  status: Type.Optional(ProductStatus),
  cover: Type.Optional(Link()),
  coverBlurHash: Type.Optional(Nullable(TextOrNone(200))),
  coverVideo: Type.Optional(Link()),
  trailer: Type.Optional(Link()),
  gallery: Type.Optional(
    Type.Array(
      Body({
        value: Text(2048, { description: 'Address of the picture.' }),
        blurHash: Type.Optional(Nullable(TextOrNone(200))),
      }),
      {
        maxItems: 100,
      },
    ),
  ),
  features: Type.Optional(Features),
  projectId: Type.Optional(Nullable(Uuid())),
  withdrawal: Type.Optional(Withdrawal),
};

export const ProductName = Text(150);

export const UpdateProduct = Body({
  id: Type.Optional(Uuid()),
  type: Type.Optional(ProductType),
  name: Type.Optional(ProductName),
  ...productInput,
});
export const ArchiveProduct = Body({ id: Type.Optional(Uuid()) });
export const UnarchiveProduct = Body({
  id: Type.Optional(Uuid()),
  withOffers: Type.Optional(
    Type.Boolean({ description: 'Takes back, too, the offers that were archived with it.' }),
  ),
});
export const ProductParams = Type.Object({ productId: Uuid() });
export const ListProducts = Type.Object({
  ...pageQuery,
  term: Type.Optional(
    Type.String({ maxLength: 200, description: 'Part of the name, slug or internalId, or the id.' }),
  ),
  termOrId: Type.Optional(Type.String({ maxLength: 200, description: 'The same as `term`.' })),
  ids: Type.Optional(Type.Array(Uuid(), { maxItems: 100 })),
  ...statusQuery(['DRAFT', 'ACTIVE', 'HIDDEN', 'archived']),
  types: Type.Optional(Type.Array(ProductType)),
  projectId: Type.Optional(Uuid()),
  lowStock: Type.Optional(
    Type.Boolean({
      description:
        'An offer of it has as few keys left as lowStockThreshold, or fewer. Needs the secret key.',
    }),
  ),
  archived: Type.Optional(Type.Boolean()),
  withArchived: Type.Optional(Type.Boolean()),
  orderDirection: Type.Optional(StringEnum(['ASC', 'DESC'])),
});

export const ProductData = Answer(null, { product: Component(Product) });
/** A row of the list. */
export const ListedProduct = Answer('ListedProduct', {
  ...productAnswer,
  offerCount: Type.Integer({ description: 'Offers that are not archived.' }),
  fromPrice: Nullable(Minor({ description: 'The lowest price of its ACTIVE offers.' })),
  stock: Nullable(
    Type.Integer({
      description: `Keys on the shelf; ${STOCK_MAX} stands for as many or more. Null where it sells none, and without the secret key.`,
    }),
  ),
});
export const ProductsData = Answer(null, { products: Type.Array(Component(ListedProduct)), ...pageAnswer });

export function toProductShort(
  row: Pick<Row<'products'>, 'id' | 'type' | 'internalId' | 'name'>,
): Static<typeof ProductShort> {
  return {
    object: 'product',
    id: row.id,
    type: row.type as Static<typeof ProductType>,
    internalId: row.internalId,
    name: row.name,
  };
}

export function toListedProduct(
  { beside, ...row }: ListedProductRow,
  definitions: ReadonlyArray<Row<'customFields'>>,
): Static<typeof ListedProduct> {
  return { ...toProduct(row, definitions), ...beside };
}

/** `definitions`: the store's unarchived custom fields; those that apply to the product are shown. */
export function toProduct(
  row: Row<'products'>,
  definitions: ReadonlyArray<Row<'customFields'>>,
): Static<typeof Product> {
  const applies = ({ projectId }: Row<'customFields'>) => projectId === null || projectId === row.projectId;
  return {
    ...toProductShort(row),
    slug: row.slug,
    description: row.description,
    developer: row.developer,
    publisher: row.publisher,
    // One of the list's words: checked on the way in.
    pegiRating: row.pegiRating as Static<typeof PegiRating> | null,
    releaseDate: row.releaseDate,
    systems: row.systems,
    genres: row.genres,
    status: row.status,
    cover: row.cover,
    coverBlurHash: row.coverBlurHash,
    coverVideo: row.coverVideo,
    trailer: row.trailer,
    gallery: row.gallery,
    features: row.features,
    projectId: row.projectId,
    customFields: definitions.filter(applies).map(toCustomField),
    withdrawal: row.withdrawal,
    version: row.version,
    archivedAt: row.archivedAt,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}
