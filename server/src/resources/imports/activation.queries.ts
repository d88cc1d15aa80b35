/** SQL of the subscriptions of an import, by what they are called here and there. */
import { type SqlBool, sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import { inScope, type Scope } from '../../db/scope.ts';

export interface ImportedSubscription {
  id: string;
  number: string;
  ref: string;
}

/**
 * Those that are named, whether they wait or not; without names those that wait. One that an earlier import has brought
 * and this one has named is of both.
 */
export async function listActivatable(
  db: Db,
  scope: Scope,
  { imported, names }: { imported: { id: string; source: string }; names: readonly string[] | null },
): Promise<ImportedSubscription[]> {
  const isNamed =
    names === null
      ? sql<SqlBool>`s.waiting`
      : sql<SqlBool>`(s.number = any(${[...names]}::text[]) or f.ref = any(${[...names]}::text[]))`;
  const { rows } = await sql<ImportedSubscription>`
    select s.id, s.number, f.ref from import_refs f
    join subscriptions s on ${inScope(scope, 's')} and s.id = f.object_id
    where ${inScope(scope, 'f')} and f.source = ${imported.source} and f.kind = 'subscription'
      and (f.import_id = ${imported.id}::uuid or s.brought_by = ${imported.id}::uuid) and ${isNamed}
    order by s.current_interval_end, s.id`.execute(db);
  return rows;
}

/** What was charged first here, and what would have been there, of each subscription of an import. */
export async function listFirstCharges(db: Db, scope: Scope, imported: { id: string; source: string }) {
  const { rows } = await sql<{
    ref: string;
    number: string;
    currency: string;
    waiting: boolean;
    cancelAtIntervalEnd: boolean;
    nextAt: number;
    nextTotal: bigint | null;
    ourAt: number | null;
    ourAmount: bigint | null;
  }>`
    select f.ref, s.number, s.currency, s.waiting, s.cancel_at_interval_end, f.next_at, f.next_total, p.at as our_at, p.amount as our_amount
    from import_refs f
    join subscriptions s on ${inScope(scope, 's')} and s.id = f.object_id
    left join lateral (select n.period_start as at, n.value as amount from payments n
      where ${inScope(scope, 'n')} and n.subscription_id = s.id and n.type = 'subscription_interval'
        and n.status = 'PAID'
      order by n.period_start limit 1) p on true
    where ${inScope(scope, 'f')} and f.source = ${imported.source} and f.kind = 'subscription'
      and f.import_id = ${imported.id}::uuid
    order by f.ref`.execute(db);
  return rows;
}
