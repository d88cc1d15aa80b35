/** A buyer's cards in the API. */
import { Type } from 'typebox';
import { PaymentMethod } from '../payment-methods/payment-methods.schema.ts';
import { Answer, Body, Component, IdOrNumber, Nullable, Text, Uuid } from '../shapes.ts';

export const OwnMethod = Answer('OwnPaymentMethod', {
  ...PaymentMethod.properties,
  subscriptionIds: Type.Array(Type.String(), { description: 'That it pays.' }),
});

const subscriptionIds = Type.Optional(Type.Array(IdOrNumber(), { maxItems: 100 }));

export const AddMethod = Body({
  card: Type.Optional(Text(40, { description: 'Test mode: the number of a sandbox card.' })),
  payment: Type.Optional(Body({ option: Text(64), token: Text(500) })),
  subscriptionIds,
});
export const UseMethod = Body({ subscriptionIds });
export const MethodParams = Type.Object({ paymentMethodId: Uuid() });
export const OwnMethodsData = Answer(null, { paymentMethods: Type.Array(Component(OwnMethod)) });
export const OwnMethodData = Answer(null, {
  paymentMethod: Component(OwnMethod),
  action: Nullable(Answer(null, { url: Type.String({ description: 'Where the bank asks the buyer.' }) })),
});
