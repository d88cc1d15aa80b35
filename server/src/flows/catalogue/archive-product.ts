/** Archiving a product takes its offers along: nothing of it is sold any more. */
import type { Step } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import { Refusal } from '../../domain/errors.ts';
import { archiveOffersOf } from '../../resources/offers/offers.queries.ts';
import { lockProduct, updateProduct } from '../../resources/products/products.queries.ts';

/** Archiving twice keeps the first moment, but catches offers that came or were taken back since. */
export async function archiveProduct(
  ctx: Step,
  scope: Scope,
  { tx, id }: { tx: Tx; id: string },
): Promise<{ before: Row<'products'>; after: Row<'products'> }> {
  const before = await lockProduct(tx, scope, id);
  if (!before) throw new Refusal('not_found');

  await archiveOffersOf(tx, scope, { productId: id, nowMs: ctx.nowMs });
  const archivedAt = before.archivedAt ?? ctx.nowMs;
  const after = await updateProduct(tx, scope, { id, archivedAt, updatedAt: ctx.nowMs });
  return { before, after };
}
