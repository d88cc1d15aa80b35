/** Changing products: the rules that a schema cannot say. Making, copying and archiving them are flows. */
import type { Static } from 'typebox';
import type { Step } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import { violatedKey } from '../../db/transaction.ts';
import { invalidField, Refusal } from '../../domain/errors.ts';
import { toInternalId } from '../../domain/internal-id.ts';
import { requireMediaAddresses } from '../../domain/media-addresses.ts';
import { requireWords } from '../../domain/require-words.ts';
import { findCoverHash } from '../../resources/files/files.queries.ts';
import { unarchiveOffersOf } from '../../resources/offers/offers.queries.ts';
import { lockProduct, updateProduct } from '../../resources/products/products.queries.ts';
import type { UpdateProduct } from '../../resources/products/products.schema.ts';

type UpdateInput = Static<typeof UpdateProduct>;
interface Change {
  before: Row<'products'>;
  after: Row<'products'>;
}

/** Missing fields stay as they are. What was sold keeps the product as it was. */
export async function changeProduct(
  ctx: Step,
  scope: Scope,
  { tx, id, input }: { tx: Tx; id: string; input: UpdateInput },
): Promise<Change> {
  requireWords({ name: input.name });
  const before = await lockProduct(tx, scope, id);
  if (!before) throw new Refusal('not_found');
  requireMediaAddresses(input, before);
  const { id: _id, type, externalId, ...changes } = input;
  if (type !== undefined && type !== before.type) throw invalidField('type', 'never changes');
  const internalId = toInternalId(input);
  const coverBlurHash = await findCoverHash(tx, scope, input);
  const after = await explainConflict(() =>
    updateProduct(tx, scope, { ...changes, id, internalId, coverBlurHash, updatedAt: ctx.nowMs }),
  );
  return { before, after };
}

/** Takes a product back, with the offers that were archived with it if wanted: else each is taken back by itself. */
export async function unarchiveProduct(
  ctx: Step,
  scope: Scope,
  { tx, id, withOffers }: { tx: Tx; id: string; withOffers: boolean },
): Promise<Change> {
  const before = await lockProduct(tx, scope, id);
  if (!before) throw new Refusal('not_found');
  const after = await updateProduct(tx, scope, { id, archivedAt: null, updatedAt: ctx.nowMs });
  if (withOffers) await unarchiveOffersOf(tx, scope, { productId: id, nowMs: ctx.nowMs });
  return { before, after };
}

async function explainConflict<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (violatedKey(error)?.includes('slug'))
      throw new Refusal('slug_taken', { cause: error, details: [{ path: 'slug', message: 'is taken' }] });
    throw error;
  }
}
