/** Takes everything out of one store: a reset of the test store. */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { allowChange } from '../../db/allow-change.ts';
import type { Tx } from '../../db/database.ts';
import { inScope, type Scope } from '../../db/scope.ts';
import { assert } from '../../domain/assert.ts';

/** What a store is, rather than what it holds: it outlives its contents, and so does what was done to them. */
const KEPT = ['stores', 'api_keys', 'idempotency_keys', 'audit_log', 'processors', 'processor_endpoints'];

export async function emptyStore(tx: Tx, scope: Scope): Promise<void> {
  assert(scope.testMode, 'a live store is never emptied but with its workspace');
  await emptyForPurge(tx, scope);
}

/** Ledger and invoices let go of a workspace's rows only when the transaction says whose they are. */
export async function emptyForPurge(tx: Tx, { workspaceId, testMode }: Scope): Promise<void> {
  await allowChange(tx, 'purge', workspaceId);
  await sql`update stores set emptied_real_ms = real_now_ms(), install_id = ${randomUUID()}::uuid
    where workspace_id = ${workspaceId} and test_mode = ${testMode}`.execute(tx);
  for (const table of await listInOrderOfDeletion(tx)) {
    await sql`delete from ${sql.table(table)}
      where workspace_id = ${workspaceId} and test_mode = ${testMode}`.execute(tx);
  }
}

/** What of a store lies among its files: uploads and PDFs by id and hash, and by id what was exported. */
export interface StoredBytes {
  files: Array<{ id: string; sha256: string | null }>;
  exportIds: string[];
  documents: Array<{ id: string; sha256: string }>;
}

/** Ask before the store is emptied: afterwards nobody knows what lies on disk for it. */
export async function listStoredBytes(tx: Tx, scope: Scope): Promise<StoredBytes> {
  const files = await tx.selectFrom('files').select(['id', 'sha256']).where(inScope(scope)).execute();
  const exports = await tx.selectFrom('exports').select('id').where(inScope(scope)).execute();
  const documents = await tx
    .selectFrom('invoices')
    .select(['id', 'pdfSha256 as sha256'])
    .where(inScope(scope))
    .where('pdfSha256', 'is not', null)
    .$narrowType<{ sha256: string }>()
    .execute();
  return { files, exportIds: exports.map(({ id }) => id), documents };
}

/** The tables of a store, each before those that its rows point to; read from the catalogue, so that none is forgotten. */
async function listInOrderOfDeletion(tx: Tx): Promise<string[]> {
  const { rows: tables } = await sql<{ name: string; pointsTo: string[] }>`
    select c.relname as name, coalesce(array_agg(f.confrelid::regclass::text) filter (where f.oid is not null), '{}')
      as points_to
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'test_mode' and not a.attisdropped
    -- A deferred reference may be broken until the transaction ends: by then its row is gone too.
    left join pg_constraint f on f.conrelid = c.oid and f.contype = 'f' and f.confrelid <> c.oid and not f.condeferrable
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and c.relname <> all(${KEPT})
    group by c.relname order by c.relname`.execute(tx);
  const order: string[] = [];
  const left = new Map(tables.map(({ name, pointsTo }) => [name, pointsTo]));
  while (left.size > 0) {
    const pointedTo = new Set([...left.values()].flat());
    const free = [...left.keys()].filter((name) => !pointedTo.has(name));
    assert(free.length > 0, 'references between tables form no circle, but for deferred ones');
    for (const name of free) left.delete(name);
    order.push(...free);
  }
  return order;
}

/**
 * Takes a workspace out of the store, with all that is its own and nothing else's. Answers what of its two stores lies
 * on disk: afterwards nobody knows.
 */
export async function purgeWorkspace(
  tx: Tx,
  workspaceId: string,
): Promise<Array<{ testMode: boolean; stored: StoredBytes }>> {
  await allowChange(tx, 'purge', workspaceId);
  const all: Array<{ testMode: boolean; stored: StoredBytes }> = [];
  for (const testMode of [false, true]) {
    const scope = { workspaceId, testMode };
    all.push({ testMode, stored: await listStoredBytes(tx, scope) });
    await emptyForPurge(tx, scope);
  }
  // What outlives a reset goes with the row that it points to.
  await tx.deleteFrom('workspaces').where('id', '=', workspaceId).execute();
  return all;
}
