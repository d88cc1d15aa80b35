/** Adding and changing variants and plans: one kind of row under two names. */
import type { Static } from 'typebox';
import type { Step } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import { assert } from '../../domain/assert.ts';
import { Refusal } from '../../domain/errors.ts';
import { toInternalId } from '../../domain/internal-id.ts';
import { requireMediaAddresses } from '../../domain/media-addresses.ts';
import { requireWords } from '../../domain/require-words.ts';
import { archiveOffersOf } from '../../resources/offers/offers.queries.ts';
import { lockProduct } from '../../resources/products/products.queries.ts';
import {
  findNextPosition,
  insertVariants,
  lockVariant,
  updateVariant,
} from '../../resources/variants/variants.queries.ts';
import type { AddVariant, UpdateVariant } from '../../resources/variants/variants.schema.ts';

/** What a route calls the row: plans exist on Subscription products only. */
export type VariantKind = 'variant' | 'plan';
interface AddedVariant {
  tx: Tx;
  productId: string;
  kind: VariantKind;
  input: Static<typeof AddVariant>;
}
interface Target {
  tx: Tx;
  productId: string;
  variantId: string;
}
interface Change {
  before: Row<'variants'>;
  after: Row<'variants'>;
}

export async function addVariant(
  ctx: Step,
  scope: Scope,
  { tx, productId, kind, input }: AddedVariant,
): Promise<Row<'variants'>> {
  requireWords({ name: input.name });
  requireMediaAddresses(input);
  // The lock keeps two variants that are added at once from taking one place.
  const product = await lockProduct(tx, scope, productId);
  if (!product) throw new Refusal('not_found');
  if (product.archivedAt !== null) throw new Refusal('archived', { message: 'The product is archived.' });
  if (kind === 'plan' && product.type !== 'Subscription') throw new Refusal('plans_need_subscription');
  const { order, externalId: _externalId, description, ...fields } = input;
  const [variant] = await insertVariants(tx, scope, [
    {
      ...fields,
      id: ctx.ids.next(ctx.nowMs),
      productId,
      internalId: toInternalId(input),
      description: description === undefined ? '' : description,
      position: order ?? (await findNextPosition(tx, scope, productId)),
      createdAt: ctx.nowMs,
    },
  ]);
  assert(variant, 'an insert answers its row');
  return variant;
}

export async function changeVariant(
  scope: Scope,
  { tx, productId, variantId, input }: Target & { input: Static<typeof UpdateVariant> },
): Promise<Change> {
  requireWords({ name: input.name });
  const before = await lockVariant(tx, scope, { productId, variantId });
  if (!before) throw new Refusal('not_found');
  requireMediaAddresses(input, before);
  const { id: _id, externalId: _externalId, order, ...fields } = input;
  const after = await updateVariant(tx, scope, {
    ...fields,
    id: variantId,
    internalId: toInternalId(input),
    position: order,
  });
  return { before, after };
}

/** Its offers stay archived until each is taken back. */
export async function unarchiveVariant(scope: Scope, { tx, productId, variantId }: Target): Promise<Change> {
  const before = await lockVariant(tx, scope, { productId, variantId });
  if (!before) throw new Refusal('not_found');
  return { before, after: await updateVariant(tx, scope, { id: variantId, archivedAt: null }) };
}

/** `archiveOffers` takes the variant's offers along; else they stay and sell on. */
export async function archiveVariant(
  ctx: Step,
  scope: Scope,
  { tx, productId, variantId, archiveOffers }: Target & { archiveOffers: boolean },
): Promise<Change> {
  const before = await lockVariant(tx, scope, { productId, variantId });
  if (!before) throw new Refusal('not_found');
  const archivedAt = before.archivedAt ?? ctx.nowMs;
  const after = await updateVariant(tx, scope, { id: variantId, archivedAt });
  if (archiveOffers) await archiveOffersOf(tx, scope, { productId, variantId, nowMs: ctx.nowMs });
  return { before, after };
}
