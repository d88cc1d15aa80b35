/** A buyer's own details in the API. */
import { Type } from 'typebox';
import { Answer, Body, Nullable, StringEnum } from '../shapes.ts';
import { BillingDetails, Details } from '../users/billing-details.schema.ts';

export const ChangeDetails = Body({
  billingDetails: Type.Optional(BillingDetails),
  language: Type.Optional(
    Nullable(
      Type.String({ pattern: '^[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$', description: 'Of mails and pages.' }),
    ),
  ),
});
export const OwnDetailsData = Answer(null, {
  details: Details,
  language: Nullable(Type.String()),
  taxNumberCheck: Nullable(
    StringEnum(['valid', 'invalid', 'unreachable'], {
      description: 'Null without a tax number of a company. What is not valid is taxed.',
    }),
  ),
});
