/** What the checkout page sends. */
import { type Static, Type } from 'typebox';
import type { BuyerForm } from '../../domain/checkout/buyer.ts';
import { StringEnum } from '../shapes.ts';

const text = (maxLength: number) => Type.Optional(Type.String({ maxLength }));

const formFields = {
  email: text(320),
  firstName: text(100),
  lastName: text(100),
  countryCode: text(2),
  state: text(100),
  city: text(100),
  postalCode: text(20),
  type: Type.Optional(StringEnum(['individual', 'company'])),
  companyName: text(200),
  taxNumber: text(64),
  quantity: Type.Optional(Type.Integer()),
  discountCode: text(64),
  customFields: Type.Optional(
    Type.Record(Type.String({ maxLength: 64 }), Type.String({ maxLength: 500 }), { maxProperties: 50 }),
  ),
};

export const QuoteBody = Type.Object(formFields, { additionalProperties: false });
export const SubmitBody = Type.Object(
  {
    ...formFields,
    card: Type.Optional(
      Type.Object(
        {
          number: Type.String({ maxLength: 40 }),
          expiry: Type.String({ maxLength: 12 }),
          cvc: Type.String({ maxLength: 8 }),
          name: text(200),
        },
        { additionalProperties: false },
      ),
    ),
    expectedTotal: Type.Optional(Type.Integer()),
    fingerprint: text(100),
  },
  { additionalProperties: false },
);

const said = (value: string | undefined): string | null => (value?.trim() ? value.trim() : null);

/** Empty texts are unanswered questions. */
export function toBuyerForm(body: Static<typeof QuoteBody>): BuyerForm {
  const isCompany = body.type === 'company';
  return {
    email: said(body.email),
    firstName: said(body.firstName),
    lastName: said(body.lastName),
    countryCode: said(body.countryCode)?.toUpperCase() ?? null,
    state: said(body.state),
    city: said(body.city),
    postalCode: said(body.postalCode),
    type: body.type ?? 'individual',
    companyName: isCompany ? said(body.companyName) : null,
    taxNumber: isCompany ? said(body.taxNumber) : null,
    quantity: body.quantity ?? null,
    discountCode: said(body.discountCode),
    customFields: body.customFields ?? {},
  };
}
