/** The method that a buyer gives on a page of a payment or of a card. */
import { type Static, Type } from 'typebox';
import { checkCard } from '../domain/checkout/card.ts';
import { invalidField, Refusal } from '../domain/errors.ts';
import type { ProcessorFields } from '../providers/payment/page-fields.ts';
import type { ChargeMethod } from '../providers/payment/payment-provider.ts';
import { StringEnum } from '../resources/shapes.ts';

export const GivenMethod = {
  card: Type.Optional(
    Type.Object(
      {
        number: Type.String({ maxLength: 40 }),
        expiry: Type.String({ maxLength: 12 }),
        cvc: Type.String({ maxLength: 8 }),
        name: Type.Optional(Type.String({ maxLength: 200 })),
      },
      { additionalProperties: false },
    ),
  ),
  payment: Type.Optional(
    Type.Object(
      {
        option: StringEnum(['card', 'redirect', 'token', 'transfer']),
        /** Of the fields of the processor, for `token`. */
        token: Type.Optional(Type.String({ maxLength: 255 })),
      },
      { additionalProperties: false },
    ),
  ),
};

const Given = Type.Object(GivenMethod);

interface ShownPage {
  /** As they are shown on the page: the processor takes a token by the very same list alone. */
  fields: ProcessorFields | null;
  /** Something can be paid or given there; what is over takes nothing, and refuses nothing. */
  isOpen: boolean;
  nowMs: number;
}

/** Null = none was given. Throws card_invalid, invalid_input, and processor_not_configured. */
export function toGivenMethod(
  { card, payment }: Static<typeof Given>,
  { fields, isOpen, nowMs }: ShownPage,
): ChargeMethod | null {
  if (payment?.option === 'transfer' || payment?.option === 'redirect') return { kind: payment.option };
  if (payment?.option === 'token') {
    if (payment.token === undefined) throw invalidField('payment.token', 'is missing');
    if (!fields && isOpen) throw new Refusal('processor_not_configured');
    return { kind: 'token', reference: payment.token, types: fields?.types ?? [], isInPage: true };
  }
  if (!card) return null;
  const { number, expiry, cvc, name = null } = card;
  const issues = checkCard({ number, expiry, cvc, name }, nowMs);
  const [first] = issues;
  if (first)
    throw new Refusal('card_invalid', { message: `${first.path} ${first.message}`, details: issues });
  return { kind: 'card', number, expiry, cvc, holder: name };
}
