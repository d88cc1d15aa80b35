/** SQL of what a restored store is to learn of its processors before it goes on as ever. */
import { sql } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import { inScope, isOfThese, type OfStores, type Scope } from '../../db/scope.ts';

/** Connections of these stores that are let go, and whose account lets us in. */
export async function listToAdopt(db: Db, stores: OfStores): Promise<Array<Row<'processors'>>> {
  return db
    .selectFrom('processors')
    .selectAll()
    .where(isOfThese('processors', stores))
    .where('adoptFrom', 'is not', null)
    .where('health', '<>', 'broken')
    .where('credentials', 'like', 'v1.%')
    .execute();
}

export interface LostSince {
  connectionName: string;
  /** The last that its rows know of, in real ms. */
  restoredAt: number;
}

/**
 * What happened since a day before the last that a store's rows tell of, until it was held, is to be adopted. Answers its
 * connections and that moment.
 */
export async function beginAdoption(
  tx: Tx,
  scope: Scope,
  { heldSince, beforeMs }: { heldSince: number; beforeMs: number },
): Promise<LostSince[]> {
  const last = (table: 'events' | 'audit_log') => sql`(
    select w.written_real_ms from ${sql.table(table)} w where ${inScope(scope, 'w')}
      and w.written_real_ms < ${heldSince}::bigint order by w.written_real_ms desc limit 1)`;
  const { rows } = await sql<LostSince>`
    with known as (select greatest(${last('events')}, ${last('audit_log')}) as at)
    update processors p set adopt_from = least(p.adopt_from,
      coalesce(known.at, least(p.created_at, ${heldSince}::bigint)) - ${beforeMs}::bigint)
    from known where ${inScope(scope, 'p')} and p.credentials is not null
    returning p.name as "connectionName", coalesce(known.at, least(p.created_at, ${heldSince}::bigint)) as "restoredAt"`.execute(
    tx,
  );
  return rows;
}

/** Unless it was restored once more meanwhile. */
export async function endAdoption(
  tx: Tx,
  scope: Scope,
  { id, fromMs }: { id: string; fromMs: number },
): Promise<void> {
  await tx
    .updateTable('processors')
    .set({ adoptFrom: null })
    .where(inScope(scope))
    .where('id', '=', id)
    .where('adoptFrom', '=', fromMs)
    .execute();
}
