/** Variants in the API; a variant of a Subscription product is a plan and has the same shape. */
import { type Static, Type } from 'typebox';
import type { Row } from '../../db/schema.ts';
import { Features, InternalId, Link } from '../products/products.schema.ts';
import {
  Answer,
  Body,
  Component,
  Lines,
  Ms,
  Nullable,
  StringEnum,
  Text,
  TextOrNone,
  Uuid,
  Version,
} from '../shapes.ts';

export const Variant = Answer('Variant', {
  object: StringEnum(['variant']),
  id: Uuid(),
  internalId: Nullable(Type.String()),
  productId: Uuid(),
  name: Type.String(),
  description: Nullable(Type.String()),
  features: Type.Array(Answer(null, { value: Type.String({ description: 'One of them.' }) })),
  cover: Nullable(Type.String()),
  coverBlurHash: Nullable(Type.String()),
  coverVideo: Nullable(Type.String()),
  order: Type.Integer({ description: 'Its place among the product’s variants, smallest first.' }),
  version: Version(),
  archivedAt: Nullable(Ms()),
});

const fields = {
  internalId: Type.Optional(InternalId()),
  externalId: Type.Optional(InternalId()),
  description: Type.Optional(Nullable(Lines(20_000))),
  features: Type.Optional(Features),
  cover: Type.Optional(Link()),
  coverBlurHash: Type.Optional(Nullable(TextOrNone(200))),
  coverVideo: Type.Optional(Link()),
  order: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 1_000_000,
      description: 'Its place among the product’s variants, smallest first.',
    }),
  ),
};

export const AddVariant = Body({ name: Text(150), ...fields });
export const UpdateVariant = Body({ id: Type.Optional(Uuid()), name: Type.Optional(Text(150)), ...fields });
export const UnarchiveVariant = Body({ id: Type.Optional(Uuid()) });
export const ArchiveVariant = Body({
  id: Uuid(),
  archiveOffers: Type.Optional(
    Type.Boolean({ description: 'Whether its offers are archived with it; else they stay and sell on.' }),
  ),
});

export const ProductPath = Type.Object({ productId: Uuid() });
export const VariantParams = Type.Object({ productId: Uuid(), variantId: Uuid() });
export const PlanParams = Type.Object({ productId: Uuid(), planId: Uuid() });

export const VariantData = Answer(null, { variant: Component(Variant) });
export const PlanData = Answer(null, { plan: Component(Variant) });

export function toVariant(row: Row<'variants'>): Static<typeof Variant> {
  return {
    object: 'variant',
    id: row.id,
    internalId: row.internalId,
    productId: row.productId,
    name: row.name,
    description: row.description,
    features: row.features,
    cover: row.cover,
    coverBlurHash: row.coverBlurHash,
    coverVideo: row.coverVideo,
    order: row.position,
    version: row.version,
    archivedAt: row.archivedAt,
  };
}
