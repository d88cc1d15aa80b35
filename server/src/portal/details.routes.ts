/** Who a buyer is on documents to come. */
import type { Context } from '../context.ts';
import type { BillingDetailsJson } from '../db/schema/users.ts';
import type { Row } from '../db/schema.ts';
import { changeDetails } from '../domain/billing-details.ts';
import type { Settings } from '../domain/settings.ts';
import {
  askTaxNumber,
  recallTaxNumber,
  toNumberedBuyer,
  toTaxNumberWord,
} from '../flows/pricing/check-tax-number.ts';
import { changeUser } from '../flows/users/edit-user.ts';
import { buyerRead, buyerWrite } from '../http/portal-route.ts';
import type { Route } from '../http/route.ts';
import { ChangeDetails, OwnDetailsData } from '../resources/portal/details.schema.ts';
import { toDetails } from '../resources/users/billing-details.schema.ts';

const get = buyerRead({
  method: 'GET',
  path: '/v0/portal/details',
  operationId: 'getPortalDetails',
  tag: 'portal',
  summary: 'Get the billing details of this buyer',
  data: OwnDetailsData,
  handler: async ({ ctx, buyer: { user, settings } }) => {
    await askTaxNumber(ctx, settings, toNumberedBuyer(user.billingDetails));
    return showDetails(ctx, { user, settings });
  },
});

const update = buyerWrite({
  method: 'PATCH',
  path: '/v0/portal/details',
  operationId: 'updatePortalDetails',
  tag: 'portal',
  summary: 'Change the billing details of this buyer',
  description:
    'Missing fields stay; null unsets one. They are said of all subscriptions that run, too: renewals and documents to come take them, those of before stay as they are.',
  body: ChangeDetails,
  data: OwnDetailsData,
  example: { billingDetails: { firstName: 'Ada', lastName: 'Lovelace' } },
  // The register is asked before anything is locked; what it said is remembered.
  checkOutside: ({ ctx, body, buyer: { user, settings } }) => {
    const details = changeDetails<BillingDetailsJson>(user.billingDetails, body.billingDetails);
    return askTaxNumber(ctx, settings, toNumberedBuyer(details));
  },
  handler: async ({ ctx, tx, scope, body, buyer: { user, settings }, audit }) => {
    const { billingDetails, language } = body;
    const { before, after } = await changeUser(ctx, scope, {
      tx,
      id: user.id,
      input: {
        ...(billingDetails ? { billingDetails } : {}),
        ...(language === undefined ? {} : { language }),
      },
      passwordHash: undefined,
    });
    audit({ details: toDetails(before.billingDetails), language: before.language }, user.id);
    return showDetails(ctx, { user: after, settings });
  },
});

function showDetails(ctx: Context, { user, settings }: { user: Row<'users'>; settings: Settings }) {
  const { billingDetails, language } = user;
  const buyer = toNumberedBuyer(billingDetails);
  return {
    details: toDetails(billingDetails),
    language,
    taxNumberCheck: toTaxNumberWord(buyer, recallTaxNumber(ctx, settings, buyer)),
  };
}

export const detailsRoutes: Route[] = [get, update];
