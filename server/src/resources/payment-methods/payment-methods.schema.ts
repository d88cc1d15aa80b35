/** Stored payment methods in the API. */
import { type Static, Type } from 'typebox';
import type { Row } from '../../db/schema.ts';
import { Answer, Nullable, Uuid } from '../shapes.ts';

const FIELDS = {
  id: Uuid(),
  type: Type.String({ description: '`card`, or another word of the processor.' }),
  brand: Nullable(Type.String()),
  last4: Nullable(Type.String()),
  expMonth: Nullable(Type.Integer({ description: 'Null where the processor does not tell.' })),
  expYear: Nullable(Type.Integer()),
};

/** What a subscription is charged by. */
export const ShortPaymentMethod = Answer(null, FIELDS);

/** What a user can be charged by. */
export const PaymentMethod = Answer('PaymentMethod', {
  ...FIELDS,
  isDefault: Type.Boolean({ description: 'Charged where none is named.' }),
});

export type ShownMethod = Pick<Row<'paymentMethods'>, 'id' | 'details' | 'expMonth' | 'expYear'>;

export function toShortPaymentMethod(row: ShownMethod): Static<typeof ShortPaymentMethod> {
  // Written from an outcome of the processor's in this form.
  const { type, brand, last4 } = row.details as Pick<
    Static<typeof ShortPaymentMethod>,
    'type' | 'brand' | 'last4'
  >;
  return { id: row.id, type, brand, last4, expMonth: row.expMonth, expYear: row.expYear };
}

/** Rows in the order of `listPaymentMethods`: what is chosen stands first. */
export function toPaymentMethods(
  rows: ReadonlyArray<Row<'paymentMethods'>>,
): Array<Static<typeof PaymentMethod>> {
  return rows.map((row, place) => ({
    ...toShortPaymentMethod(row),
    isDefault: place === 0 && row.chosenAt !== null,
  }));
}
