/** Variants of a product: editions, sizes, platforms. */

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
  ProductPath,
  toVariant,
  UnarchiveVariant,
  UpdateVariant,
  VariantData,
  VariantParams,
} from '../resources/variants/variants.schema.ts';

const add = write({
  method: 'POST',
  path: '/v0/products/:productId/variants/add',
  operationId: 'addVariant',
  tag: 'variants',
  summary: 'Add a variant to a product',
  params: ProductPath,
  body: AddVariant,
  data: VariantData,
  errors: ['archived'],
  example: { name: 'Deluxe edition', features: [{ value: 'Soundtrack' }], internalId: 'SKU-2' },
  handler: async ({ ctx, tx, scope, params, body }) => {
    const row = await addVariant(ctx, scope, { tx, ...params, kind: 'variant', input: body });
    return { variant: toVariant(row) };
  },
});

const update = write({
  method: 'PATCH',
  path: '/v0/products/:productId/variants/:variantId/update',
  operationId: 'updateVariant',
  tag: 'variants',
  summary: 'Change a variant',
  description: 'Missing fields stay as they are. What was sold keeps the variant as it was.',
  params: VariantParams,
  body: UpdateVariant,
  isEdit: true,
  data: VariantData,
  example: { name: 'Collector’s edition', order: 2 },
  handler: async ({ tx, scope, params, body, audit }) => {
    const { before, after } = await changeVariant(scope, { tx, ...params, input: body });
    audit(toVariant(before));
    return { variant: toVariant(after) };
  },
});

const archive = write({
  method: 'PATCH',
  path: '/v0/products/:productId/variants/:variantId/archive',
  operationId: 'archiveVariant',
  tag: 'variants',
  summary: 'Archive a variant, with its offers if wanted',
  params: VariantParams,
  body: ArchiveVariant,
  data: VariantData,
  handler: async ({ ctx, tx, scope, params, body, audit }) => {
    const archiveOffers = body.archiveOffers ?? false;
    const { before, after } = await archiveVariant(ctx, scope, { tx, ...params, archiveOffers });
    audit(toVariant(before));
    return { variant: toVariant(after) };
  },
});

const unarchive = write({
  method: 'PATCH',
  path: '/v0/products/:productId/variants/:variantId/unarchive',
  operationId: 'unarchiveVariant',
  tag: 'variants',
  summary: 'Take a variant back from the archive',
  description: 'Its offers stay archived until each is taken back.',
  params: VariantParams,
  body: UnarchiveVariant,
  data: VariantData,
  handler: async ({ tx, scope, params, audit }) => {
    const { before, after } = await unarchiveVariant(scope, { tx, ...params });
    audit(toVariant(before));
    return { variant: toVariant(after) };
  },
});

export const variantRoutes: Route[] = [add, update, archive, unarchive];
