/** A copy of a product to go on from: its variants come along, its offers (prices, stock, limits) do not. */
import type { Step } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import { Refusal } from '../../domain/errors.ts';
import { toSlug } from '../../domain/slug.ts';
import { findProduct, insertProductUnderFreeSlug } from '../../resources/products/products.queries.ts';
import { insertVariants, listVariants } from '../../resources/variants/variants.queries.ts';

const NAME_LENGTH_MAX = 150;
const MARK = ' (copy)';

/** The copy is unarchived; internal ids stay with the original, since they name one object elsewhere. */
export async function duplicateProduct(
  ctx: Step,
  scope: Scope,
  { tx, id }: { tx: Tx; id: string },
): Promise<{ product: Row<'products'>; variants: Array<Row<'variants'>> }> {
  const original = await findProduct(tx, scope, id);
  if (!original) throw new Refusal('not_found');
  const originalVariants = await listVariants(tx, scope, id);

  const name = cut(original.name, NAME_LENGTH_MAX - MARK.length) + MARK;
  const fresh = { internalId: null, archivedAt: null, createdAt: ctx.nowMs };
  const product = await insertProductUnderFreeSlug(tx, scope, {
    ...original,
    ...fresh,
    id: ctx.ids.next(ctx.nowMs),
    name,
    slug: toSlug(name, 'product'),
    updatedAt: ctx.nowMs,
  });
  const copies = originalVariants.map((variant) => ({
    ...variant,
    ...fresh,
    id: ctx.ids.next(ctx.nowMs),
    productId: product.id,
  }));
  return { product, variants: await insertVariants(tx, scope, copies) };
}

/** By characters as people count them, so that no emoji is cut in half. */
function cut(text: string, lengthMax: number): string {
  return [...text].slice(0, lengthMax).join('');
}
