/** SQL of looking after connections day by day: whose turn it is, what is still open over one, and what is given up. */
import { sql } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import { inScope, isOfThese, type OfStores, type Scope } from '../../db/scope.ts';

/** Those of these stores that were not looked after for so long; they count as looked after from here on. */
export async function claimToTend(
  db: Db,
  { everyMs, ...stores }: OfStores & { everyMs: number },
): Promise<Array<Row<'processors'>>> {
  const { rows } = await sql<Row<'processors'>>`
    update processors p set tended_at = real_now_ms()
    where ${isOfThese('p', stores)} and p.credentials is not null and p.credentials <> 'lost' and p.health <> 'broken'
      and (p.tended_at is null or p.tended_at <= real_now_ms() - ${everyMs}::bigint)
    returning p.*`.execute(db);
  return rows;
}

/** Those of these stores whose hosts are to be named, or were so long ago; they count as named from here on. */
export async function claimDomains(
  db: Db,
  { everyMs, ...stores }: OfStores & { everyMs: number },
): Promise<Array<Row<'processors'>>> {
  const { rows } = await sql<Row<'processors'>>`
    update processors p set domains_at = real_now_ms()
    where ${isOfThese('p', stores)} and p.credentials is not null and p.credentials <> 'lost' and p.health <> 'broken'
      and p.status <> 'retired'
      and (p.domains_at is null or p.domains_at <= real_now_ms() - ${everyMs}::bigint)
    returning p.*`.execute(db);
  return rows;
}

/** The hosts have changed: they are named anew. */
export async function expectDomains(tx: Tx, scope: Scope): Promise<void> {
  await tx.updateTable('processors').set({ domainsAt: null }).where(inScope(scope)).execute();
}

/** Those of these stores that were retired so long ago, by the clocks of their stores, and still hold credentials. */
export async function listRetiredLong(
  db: Db,
  { forMs, ...stores }: OfStores & { forMs: number },
): Promise<Array<Row<'processors'>>> {
  const { rows } = await sql<Row<'processors'>>`
    select p.* from processors p
    join stores s on s.workspace_id = p.workspace_id and s.test_mode = p.test_mode
    where ${isOfThese('p', stores)} and p.status = 'retired' and p.credentials is not null
      and p.retired_at <= (select real_now_ms()) + s.clock_offset_ms - ${forMs}::bigint`.execute(db);
  return rows;
}

/** Whether a charge, a refund or a dispute is open over it. */
export async function isInUse(db: Db | Tx, scope: Scope, connectionId: string): Promise<boolean> {
  const { rows } = await sql<{ isOpen: boolean }>`
    select exists (
        select from charges c
        where ${inScope(scope, 'c')} and c.status = 'pending' and c.connection_id = ${connectionId}::uuid)
      or exists (
        select from refunds r
        where ${inScope(scope, 'r')} and r.status = 'pending' and r.connection_id = ${connectionId}::uuid)
      or exists (
        select from disputes d
        join charges c on ${inScope(scope, 'c')} and c.id = d.charge_id
        where ${inScope(scope, 'd')} and d.status in ('inquiry', 'open') and c.connection_id = ${connectionId}::uuid)
      as is_open`.execute(db);
  return rows[0]?.isOpen ?? false;
}
