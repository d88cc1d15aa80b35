/** Every row of a store, table by table: which tables there are is asked of the catalogue, so that none is forgotten. */
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import { inScope, type Scope } from '../../db/scope.ts';
import type { ArchivedWorkspace } from '../../domain/exports/archive.ts';
import { LEFT_OUT, SECRET_COLUMNS } from '../../domain/exports/left-out.ts';
import { isOfSeen, isSeen } from '../workspaces/restoring.sql.ts';

export interface StoreTable {
  name: string;
  /** It has rows of each mode; else they are the workspace's. */
  hasMode: boolean;
  /** Of rows without a mode: the reference by which they belong to rows that have one; null = they belong to both. */
  owner: { table: string; columns: string[]; to: string[] } | null;
}

/** All that is read afterwards is of one moment. Call it first in the transaction. */
export async function takeSnapshot(tx: Tx): Promise<void> {
  await sql`set transaction isolation level repeatable read`.execute(tx);
}

/** Nothing can be written by mistake. */
export async function beReadOnly(tx: Tx): Promise<void> {
  await sql`set transaction read only`.execute(tx);
}

/** Questions that are asked once have plans of their own; where the store is spread, some have no other. */
export async function planEach(tx: Tx): Promise<void> {
  await sql`set local plan_cache_mode = force_custom_plan`.execute(tx);
}

export async function listStoreTables(db: Db): Promise<StoreTable[]> {
  const { rows } = await sql<StoreTable>`
    select c.relname as name, bool_or(a.attname = 'test_mode') as "hasMode",
      (select jsonb_build_object('table', f.confrelid::regclass::text,
          'columns', (select jsonb_agg(o.attname order by k.n) from unnest(f.conkey) with ordinality k (num, n)
            join pg_attribute o on o.attrelid = f.conrelid and o.attnum = k.num),
          'to', (select jsonb_agg(o.attname order by k.n) from unnest(f.confkey) with ordinality k (num, n)
            join pg_attribute o on o.attrelid = f.confrelid and o.attnum = k.num))
        from pg_constraint f where f.conrelid = c.oid and f.contype = 'f' and exists (select from pg_attribute m
          where m.attrelid = f.confrelid and m.attname = 'test_mode' and not m.attisdropped)
        order by f.conname limit 1) as owner
    from pg_class c join pg_attribute a on a.attrelid = c.oid and not a.attisdropped
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and c.relname <> all(${Object.keys(LEFT_OUT)}::text[])
    group by c.oid, c.relname having bool_or(a.attname = 'workspace_id') order by c.relname`.execute(db);
  return rows;
}

export interface Reading {
  lotRows: number;
  withSecrets: boolean;
}

/** Texts of JSON, a row each, in lots. */
export function readTable(
  tx: Tx,
  { workspaceId, testMode }: Scope,
  { table, ...reading }: Reading & { table: StoreTable },
): AsyncGenerator<string[]> {
  const { name } = table;
  const ofMode = isOfMode(table, testMode);
  return readRows(tx, { ...reading, name, where: sql`t.workspace_id = ${workspaceId}::uuid ${ofMode}` });
}

function isOfMode({ hasMode, owner }: StoreTable, testMode: boolean): RawBuilder<unknown> {
  if (hasMode) return sql`and t.test_mode = ${testMode}::boolean`;
  if (owner === null) return sql``;
  const pairs = owner.columns.map(
    (column, at) => sql`o.${sql.ref(owner.to[at] ?? '')} = t.${sql.ref(column)}`,
  );
  return sql`and exists (select from ${sql.table(owner.table)} o
    where ${sql.join(pairs, sql` and `)} and o.test_mode = ${testMode}::boolean)`;
}

/** The same of all workspaces, or of what belongs to none. */
export function readWholeTable(
  tx: Tx,
  reading: Reading & { name: string; workspaceId?: string },
): AsyncGenerator<string[]> {
  const { workspaceId } = reading;
  return readRows(tx, {
    ...reading,
    where: workspaceId === undefined ? sql`true` : sql`t.id = ${workspaceId}::uuid`,
  });
}

async function* readRows(
  tx: Tx,
  { name, where, lotRows, withSecrets }: Reading & { name: string; where: RawBuilder<unknown> },
): AsyncGenerator<string[]> {
  const secrets = withSecrets ? [] : [...(SECRET_COLUMNS[name] ?? [])];
  await sql`
    declare exported no scroll cursor for
    select (to_jsonb(t) - ${secrets}::text[])::text as text from ${sql.table(name)} t where ${where}`.execute(
    tx,
  );
  for (;;) {
    const { rows } = await sql<{ text: string }>`fetch forward ${sql.lit(lotRows)} from exported`.execute(tx);
    if (rows.length > 0) yield rows.map(({ text }) => text);
    if (rows.length < lotRows) break;
  }
  await sql`close exported`.execute(tx);
}

export async function describeWorkspaces(db: Db, workspaceId: string | null): Promise<ArchivedWorkspace[]> {
  const { rows } = await sql<ArchivedWorkspace>`
    select w.id, w.name, w.state, w.portal_slug as "portalSlug", w.created_at as "createdAt",
      coalesce((
        select jsonb_agg(jsonb_build_object('id', m.id, 'accountId', a.id, 'email', a.email, 'name', a.name,
          'role', m.role, 'permissions', m.permissions, 'notifications', m.notifications, 'createdAt', m.created_at)
          order by m.created_at, m.id)
        from memberships m join accounts a on a.id = m.account_id where m.workspace_id = w.id), '[]') as members
    from workspaces w
    where ${isSeen('w')} and (${workspaceId}::uuid is null or w.id = ${workspaceId}::uuid)
    order by w.created_at, w.id`.execute(db);
  return rows;
}

export async function listAllScopes(db: Db): Promise<Scope[]> {
  return db.selectFrom('stores').select(['workspaceId', 'testMode']).where(isOfSeen('stores')).execute();
}

/** The newest migration that has made the store's tables what they are. */
export async function findMigration(db: Db): Promise<string> {
  const { rows } = await sql<{ name: string }>`select max(name) as name from schema_migrations`.execute(db);
  return rows[0]?.name ?? '';
}

export interface KeptBytes {
  files: Array<{ id: string; sha256: string | null }>;
  documents: Array<{ id: string; number: string; sha256: string }>;
}

/** What lies on disk for a store. */
export async function listKeptBytes(db: Db, scope: Scope): Promise<KeptBytes> {
  // A store that was not migrated yet is backed up, too: it has no column of this name.
  const sha256 = sql<string | null>`to_jsonb(files) ->> 'sha256'`.as('sha256');
  const files = await db.selectFrom('files').select(['id', sha256]).where(inScope(scope)).execute();
  const documents = await db
    .selectFrom('invoices')
    .select(['id', 'number', 'pdfSha256 as sha256'])
    .where(inScope(scope))
    .where('pdfSha256', 'is not', null)
    .$narrowType<{ sha256: string }>()
    .execute();
  return { files, documents };
}

/** Invoices and credit notes of a user's orders, drawn or not. */
export async function listDocumentsOf(
  db: Db,
  scope: Scope,
  userId: string,
): Promise<Array<{ number: string; token: string }>> {
  return db
    .selectFrom('invoices')
    .select(['number', 'token'])
    .where(inScope(scope))
    .where(
      sql<SqlBool>`order_id in (select o.id from orders o where ${inScope(scope, 'o')} and o.user_id = ${userId}::uuid)`,
    )
    .orderBy('finalisedAt')
    .execute();
}
