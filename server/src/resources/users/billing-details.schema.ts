/** Billing details in the API: of a user, of a subscription, and on input of both. */
import { type Static, Type } from 'typebox';
import type { BillingDetailsJson } from '../../db/schema/users.ts';
import { Answer, Nullable, StringEnum, Text } from '../shapes.ts';

const text = () => Nullable(Type.String());
const optional = (max: number) => Type.Optional(Nullable(Text(max)));

/** The billing details as they are echoed. */
export const Details = Answer(null, {
  type: Nullable(StringEnum(['individual', 'company'])),
  firstName: text(),
  lastName: text(),
  companyName: text(),
  dialCode: text(),
  phoneNumber: text(),
  address: text(),
  addressLine2: text(),
  city: text(),
  state: text(),
  postalCode: text(),
  countryCode: text(),
  taxIdType: text(),
  taxId: Nullable(Type.String({ description: 'The same as `taxIdType`.' })),
  taxNumber: text(),
});

/** Billing details on input; `countryCode` is required for payments, `postalCode` for US, CA, UA and IN. */
export const BillingDetails = Type.Object(
  {
    type: Type.Optional(Nullable(StringEnum(['individual', 'company']))),
    firstName: optional(100),
    lastName: optional(100),
    companyName: optional(200),
    dialCode: optional(8),
    phoneNumber: optional(32),
    address: optional(300),
    addressLine2: optional(300),
    city: optional(100),
    state: optional(100),
    postalCode: optional(20),
    countryCode: Type.Optional(Nullable(Type.String({ pattern: '^[A-Z]{2}$' }))),
    taxIdType: optional(32),
    taxId: Type.Optional(Nullable(Text(32, { description: 'The same as `taxIdType`.' }))),
    taxNumber: optional(64),
  },
  { additionalProperties: false },
);

export function toDetails(details: BillingDetailsJson): Static<typeof Details> {
  return {
    type: details.type ?? null,
    firstName: details.firstName ?? null,
    lastName: details.lastName ?? null,
    companyName: details.companyName ?? null,
    dialCode: details.dialCode ?? null,
    phoneNumber: details.phoneNumber ?? null,
    address: details.address ?? null,
    addressLine2: details.addressLine2 ?? null,
    city: details.city ?? null,
    state: details.state ?? null,
    postalCode: details.postalCode ?? null,
    countryCode: details.countryCode ?? null,
    taxIdType: details.taxIdType ?? null,
    taxId: details.taxIdType ?? null,
    taxNumber: details.taxNumber ?? null,
  };
}
