/** What the checkout page sends. */
import { type Static, Type } from 'typebox';
import type { BuyerForm } from '../../domain/checkout/buyer.ts';
import { Nullable, StringEnum, TextOrNone } from '../shapes.ts';

const text = (maxLength: number) => Type.Optional(TextOrNone(maxLength));

const formFields = {
  email: text(320),
  firstName: text(100),
  lastName: text(100),
  countryCode: text(2),
  state: text(100),
  city: text(100),
  postalCode: text(20),
  address: text(300),
  type: Type.Optional(StringEnum(['individual', 'company'])),
  companyName: text(200),
  taxNumber: text(64),
  quantity: Type.Optional(Type.Integer()),
  quantities: Type.Optional(
    Type.Record(Type.String({ format: 'uuid' }), Type.Integer(), { maxProperties: 100 }),
  ),
  discountCode: text(64),
  customFields: Type.Optional(
    Type.Record(Type.String({ maxLength: 64 }), TextOrNone(500), { maxProperties: 50 }),
  ),
  /** A mail is wanted if this is not finished. */
  remind: Type.Optional(Type.Boolean()),
};

/** What the page's link said of the purchase: kept with a session that comes into being, passed over later. */
const said = (maxLength: number) => Type.Optional(Nullable(TextOrNone(maxLength)));
const linkFields = {
  reference: said(200),
  redirectUrl: said(2000),
  /** In which frame of a shop's page this one is looked at. */
  frame: Type.Optional(Nullable(StringEnum(['overlay', 'embed']))),
};

export const QuoteBody = Type.Object({ ...formFields, ...linkFields }, { additionalProperties: false });
export const SubmitBody = Type.Object(
  {
    ...formFields,
    ...linkFields,
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
    /** A stored one, for whoever has proved to be its owner. */
    paymentMethodId: Type.Optional(Type.String({ format: 'uuid' })),
    /** What is paid with becomes the buyer's own; for whoever has proved who they are. */
    keepMethod: Type.Optional(Type.Boolean()),
    payment: Type.Optional(
      Type.Object(
        {
          option: StringEnum(['card', 'redirect', 'token', 'transfer']),
          /** What the processor's own fields made of what was typed there. */
          token: Type.Optional(Type.String({ maxLength: 255 })),
        },
        { additionalProperties: false },
      ),
    ),
    consents: Type.Optional(
      Type.Array(
        Type.Object(
          {
            kind: StringEnum(['content', 'service']),
            textVersion: Type.String({ maxLength: 20 }),
            language: Type.String({ maxLength: 20 }),
          },
          { additionalProperties: false },
        ),
        { maxItems: 2 },
      ),
    ),
    expectedTotal: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
    fingerprint: text(100),
  },
  { additionalProperties: false },
);

const toSaid = (value: string | undefined): string | null => (value?.trim() ? value.trim() : null);

/** Empty texts are unanswered questions; what the page never asks for stays as it was kept. */
export function toBuyerForm(body: Static<typeof QuoteBody>, kept: BuyerForm): BuyerForm {
  const isCompany = body.type === 'company';
  const isChosen = body.quantity !== undefined || body.quantities !== undefined;
  return {
    ...kept,
    email: toSaid(body.email),
    firstName: toSaid(body.firstName),
    lastName: toSaid(body.lastName),
    countryCode: toSaid(body.countryCode)?.toUpperCase() ?? null,
    state: toSaid(body.state),
    city: toSaid(body.city),
    postalCode: toSaid(body.postalCode),
    address: toSaid(body.address),
    addressLine2: toSaid(body.address) === kept.address ? kept.addressLine2 : null,
    type: body.type ?? 'individual',
    companyName: isCompany ? toSaid(body.companyName) : null,
    taxNumber: isCompany ? toSaid(body.taxNumber) : null,
    taxIdType: isCompany ? kept.taxIdType : null,
    ...(isChosen && { quantity: body.quantity ?? null, quantities: body.quantities ?? {} }),
    discountCode: toSaid(body.discountCode),
    customFields: body.customFields ?? {},
  };
}
