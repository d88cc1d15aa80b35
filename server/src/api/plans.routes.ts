/** Plans: the variants of a Subscription product, under the seed's paths. */

import {
  addVariant,
  archiveVariant,
  changeVariant,
  unarchiveVariant,
} from '../flows/catalogue/edit-variant.ts';
import { type Route, write } from '../http/route.ts';
import {
  AddVariant,
  ArchiveVariant,
  PlanData,
  PlanParams,
  ProductPath,
  toVariant,
  UnarchiveVariant,
  UpdateVariant,
} from '../resources/variants/variants.schema.ts';

const add = write({
  method: 'POST',
  path: '/v0/products/:productId/plans/add',
  operationId: 'addPlan',
  tag: 'plans',
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
  summary: 'Change a plan',
  description: 'Missing fields stay as they are. Running subscriptions keep the plan they were sold.',
  params: PlanParams,
  body: UpdateVariant,
  isEdit: true,
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

const unarchive = write({
  method: 'PATCH',
  path: '/v0/products/:productId/plans/:planId/unarchive',
  operationId: 'unarchivePlan',
  tag: 'plans',
  summary: 'Take a plan back from the archive',
  description: 'Its offers stay archived until each is taken back.',
  params: PlanParams,
  body: UnarchiveVariant,
  data: PlanData,
  handler: async ({ tx, scope, params, audit }) => {
    const { productId, planId: variantId } = params;
    const { before, after } = await unarchiveVariant(scope, { tx, productId, variantId });
    audit(toVariant(before));
    return { plan: toVariant(after) };
  },
});

export const planRoutes: Route[] = [add, update, archive, unarchive];
