/** Offer keys in the API. A key's text goes in here and comes out only with the order that it was sold in. */
import { type Static, Type } from 'typebox';
import { pageAnswer, pageQuery, statusQuery } from '../paging.ts';
import { Answer, Body, Component, Ms, Nullable, StringEnum, Text, Uuid } from '../shapes.ts';
import type { OfferKeyRow } from './offer-keys.queries.ts';

const KEY_STATUSES = ['available', 'reserved', 'sold', 'revoked'] as const;
const KeyStatus = StringEnum(KEY_STATUSES);

export const OfferKey = Answer('OfferKey', {
  object: StringEnum(['offer_key']),
  id: Uuid(),
  offerId: Uuid(),
  status: KeyStatus,
  last4: Nullable(Type.String({ description: 'Null for a key of eight characters or fewer.' })),
  fileName: Nullable(Type.String()),
  orderId: Nullable(Uuid()),
  createdAt: Ms(),
  soldAt: Nullable(Ms()),
});

/** A text that is none is told of by its place: a list from a file has empty lines and cut ones. */
const KeyTexts = Type.Array(
  Type.String({ maxLength: 10_000, description: 'White space around a key is left away.' }),
  { minItems: 1, maxItems: 10_000 },
);

export const AddOfferKeys = Body({
  productKeys: Type.Optional(KeyTexts),
  keys: Type.Optional(KeyTexts),
  productId: Type.Optional(Uuid({ description: "When given, it must be the offer's product." })),
  fileName: Type.Optional(Nullable(Text(255))),
  dryRun: Type.Optional(
    Type.Boolean({
      description: 'Only tells what would become of each; writes nothing, and refuses no key.',
    }),
  ),
});
export const OfferKeysPath = Type.Object({ offerId: Uuid() });
export const OfferKeyParams = Type.Object({ offerId: Uuid(), keyId: Uuid() });
export const ListOfferKeys = Type.Object({ ...pageQuery, ...statusQuery(KEY_STATUSES) });

export const OfferKeysData = Answer(null, { keys: Type.Array(Component(OfferKey)), ...pageAnswer });
export const AddedKeysData = Answer(null, {
  success: Type.Boolean(),
  added: Type.Integer(),
  duplicates: Type.Integer({ description: 'Keys named twice or stocked in this offer already.' }),
  invalid: Type.Array(
    Answer(null, {
      index: Type.Integer({ description: 'Its place in the request.' }),
      message: Type.String(),
    }),
    { description: 'Keys that cannot be stocked: of a dry run alone, since an add refuses them.' },
  ),
});
export const RemovedKeysData = Answer(null, { success: Type.Boolean(), removed: Type.Integer() });

export function toOfferKey(row: OfferKeyRow): Static<typeof OfferKey> {
  return {
    object: 'offer_key',
    id: row.id,
    offerId: row.offerId,
    status: row.status,
    last4: row.last4,
    fileName: row.fileName,
    orderId: row.orderId,
    createdAt: row.createdAt,
    soldAt: row.soldAt,
  };
}
