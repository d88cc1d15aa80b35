/** What items keep of what was sold. */
import { Type } from 'typebox';
import { Answer, Nullable, StringEnum, Uuid } from '../shapes.ts';

export const ShortProduct = Answer(null, {
  object: StringEnum(['product']),
  id: Uuid(),
  type: Type.String(),
  internalId: Nullable(Type.String()),
  name: Type.String(),
});
export const ShortVariant = Answer(null, {
  object: StringEnum(['variant']),
  id: Uuid(),
  internalId: Nullable(Type.String()),
  name: Type.String(),
});
export const ShortOffer = Answer(null, {
  object: StringEnum(['offer']),
  id: Uuid(),
  internalId: Nullable(Type.String()),
  name: Nullable(Type.String()),
});
