/** A buyer's cards in the API. */
import { Type } from 'typebox';
import { PaymentMethod } from '../payment-methods/payment-methods.schema.ts';
import {
  Answer,
  Body,
  Component,
  Described,
  IdOrNumber,
  Nullable,
  StringEnum,
  Text,
  Uuid,
} from '../shapes.ts';

export const OwnMethod = Answer('OwnPaymentMethod', {
  ...PaymentMethod.properties,
  subscriptionIds: Type.Array(Type.String(), { description: 'That it pays.' }),
  kept: Type.Boolean({
    description:
      'Whether it can pay for more; else it was given for the subscriptions that it pays, and for these alone.',
  }),
});

const subscriptionIds = Type.Optional(Type.Array(IdOrNumber(), { maxItems: 100 }));

export const AddMethod = Body({
  card: Type.Optional(Text(40, { description: 'Test mode: the number of a sandbox card.' })),
  payment: Type.Optional(
    Body({
      option: StringEnum(['token', 'redirect'], {
        description: '`token`: of the processor’s own fields; `redirect`: on its page.',
      }),
      token: Type.Optional(Text(255, { description: 'What the processor’s fields made of what was typed.' })),
    }),
  ),
  subscriptionIds,
});
export const UseMethod = Body({ subscriptionIds });
export const MethodParams = Type.Object({ paymentMethodId: Uuid() });
export const OwnMethodsData = Answer(null, { paymentMethods: Type.Array(Component(OwnMethod)) });
export const OwnMethodData = Answer(null, { paymentMethod: Component(OwnMethod) });
export const AddedMethodData = Answer(null, {
  paymentMethod: Nullable(Component(OwnMethod)),
  action: Nullable(Answer(null, { url: Type.String({ description: 'Where the bank asks the buyer.' }) })),
  failure: Described(
    Nullable(
      Answer(null, {
        reason: Type.String({ description: 'A stable word.' }),
        message: Type.String({ description: 'For the buyer.' }),
      }),
    ),
    'Why it was refused; null where it was not.',
  ),
});
