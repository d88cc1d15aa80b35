/** All SQL of variants, which are the plans of a Subscription product. */
import type { Insertable, Updateable } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import type { VariantsTable } from '../../db/schema/products.ts';
import type { Row } from '../../db/schema.ts';
import { inScope, type Scope, scopeColumns, toJson } from '../../db/scope.ts';

/** A product's unarchived variants in their order. */
export async function listVariants(db: Db, scope: Scope, productId: string): Promise<Array<Row<'variants'>>> {
  return db
    .selectFrom('variants')
    .selectAll()
    .where(inScope(scope))
    .where('productId', '=', productId)
    .where('archivedAt', 'is', null)
    .orderBy('position')
    .orderBy('id')
    .execute();
}

export async function lockVariant(
  tx: Tx,
  scope: Scope,
  { productId, variantId }: { productId: string; variantId: string },
): Promise<Row<'variants'> | undefined> {
  return tx
    .selectFrom('variants')
    .selectAll()
    .where(inScope(scope))
    .where('productId', '=', productId)
    .where('id', '=', variantId)
    .forUpdate()
    .executeTakeFirst();
}

/** The place behind a product's last variant, archived ones included. */
export async function findNextPosition(tx: Tx, scope: Scope, productId: string): Promise<number> {
  const row = await tx
    .selectFrom('variants')
    .select((eb) => eb.fn.max('position').as('last'))
    .where(inScope(scope))
    .where('productId', '=', productId)
    .executeTakeFirst();
  return row?.last == null ? 0 : row.last + 1;
}

interface Lists {
  features?: Array<{ value: string }>;
}
type NewVariant = Omit<Insertable<VariantsTable>, 'workspaceId' | 'testMode' | keyof Lists> & Lists;
type VariantChanges = Omit<Updateable<VariantsTable>, keyof Lists> & Lists & { id: string };

/** Inserts in one statement; answers in the order given. */
export async function insertVariants(
  tx: Tx,
  scope: Scope,
  variants: NewVariant[],
): Promise<Array<Row<'variants'>>> {
  if (variants.length === 0) return [];
  return tx
    .insertInto('variants')
    .values(
      variants.map((variant) => ({
        ...variant,
        features: toJson(variant.features ?? []),
        ...scopeColumns(scope),
      })),
    )
    .returningAll()
    .execute();
}

export async function updateVariant(
  tx: Tx,
  scope: Scope,
  { id, features, ...changes }: VariantChanges,
): Promise<Row<'variants'>> {
  return (
    tx
      .updateTable('variants')
      // With the id in it, an update that changes nothing is one, too. An archiving is no edit.
      .set((eb) => ({
        ...changes,
        id,
        features: features && toJson(features),
        ...('archivedAt' in changes ? {} : { version: eb('version', '+', 1) }),
      }))
      .where(inScope(scope))
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
  );
}
