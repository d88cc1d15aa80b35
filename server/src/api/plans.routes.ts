/** Plans: the variants of a Subscription product, under the seed's paths. */

import { addVariant, archiveVariant, changeVariant } from '../flows/catalogue/edit-variant.ts';
import { type Route, write } from '../http/route.ts';
import {
  AddVariant,
  ArchiveVariant,
  PlanData,
  PlanParams,
  ProductPath,
  toVariant,
  UpdateVariant,
} from '../resources/variants/variants.schema.ts';

const add = write({
  method: 'POST',
  path: '/v0/products/:productId/plans/add',
  operationId: 'addPlan',
  tag: 'plans',
  area: 'products',
  summary: 'Add a plan to a Subscription product',
  params: ProductPath,
  body: AddVariant,
  data: PlanData,
  errors: ['plans_need_subscription', 'archived'],
  example: { name: 'Team', description: 'Up to ten seats', features: [{ value: 'Shared library' }] },
  handler: async ({ ctx, tx, scope, params, body }) => {
    const row = await addVariant(ctx, scope, { tx, ...params, kind: 'plan', input: body });
    return { plan: toVariant(row) };
  },
});

const update = write({
  method: 'PATCH',
  path: '/v0/products/:productId/plans/:planId/update',
  operationId: 'updatePlan',
  tag: 'plans',
  area: 'products',
  summary: 'Change a plan',
  description: 'Missing fields stay as they are. Running subscriptions keep the plan they were sold.',
  params: PlanParams,
  body: UpdateVariant,
  data: PlanData,
  example: { name: 'Team', description: 'Up to twenty seats' },
  handler: async ({ tx, scope, params, body, audit }) => {
    const { productId, planId: variantId } = params;
    const { before, after } = await changeVariant(scope, { tx, productId, variantId, input: body });
    audit(toVariant(before));
    return { plan: toVariant(after) };
  },
});

const archive = write({
  method: 'PATCH',
  path: '/v0/products/:productId/plans/:planId/archive',
  operationId: 'archivePlan',
  tag: 'plans',
  area: 'products',
  summary: 'Archive a plan, with its offers if wanted',
  params: PlanParams,
  body: ArchiveVariant,
  data: PlanData,
  handler: async ({ ctx, tx, scope, params, body, audit }) => {
    const target = { productId: params.productId, variantId: params.planId };
    const archiveOffers = body.archiveOffers ?? false;
    const { before, after } = await archiveVariant(ctx, scope, { tx, ...target, archiveOffers });
    audit(toVariant(before));
    return { plan: toVariant(after) };
  },
});

export const planRoutes: Route[] = [add, update, archive];
