/** All SQL of restores: the tables as the catalogue knows them, and rows as a file holds them, lot by lot. */
import { type RawBuilder, sql } from 'kysely';
import { allowChange } from '../../db/allow-change.ts';
import type { Db, Tx } from '../../db/database.ts';
import { LOST } from '../sealed-values/lost.sql.ts';

export interface Column {
  name: string;
  type: string;
  notNull: boolean;
}

export interface RestoredTable {
  name: string;
  columns: Column[];
  /** Tables that its rows point to. */
  pointsTo: string[];
  /** Those of them that are asked for at the end of the transaction alone. */
  deferred: string[];
  /** The column by which its rows point to others of its own; null = none do. */
  ownReference: string | null;
}

export async function listTables(db: Db, names: readonly string[]): Promise<RestoredTable[]> {
  const { rows } = await sql<RestoredTable>`
    select c.relname as name,
      (select jsonb_agg(jsonb_build_object('name', a.attname, 'type', format_type(a.atttypid, null),
          'notNull', a.attnotnull) order by a.attnum)
        from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
          and a.attgenerated = '') as columns,
      coalesce(array_agg(distinct f.confrelid::regclass::text) filter (where f.oid is not null), '{}') as points_to,
      coalesce(array_agg(distinct f.confrelid::regclass::text) filter (where f.condeferred), '{}') as deferred,
      (select a.attname::text from pg_constraint o join pg_attribute a on a.attrelid = o.conrelid
          and a.attnum = o.conkey[array_upper(o.conkey, 1)]
        where o.conrelid = c.oid and o.confrelid = c.oid and o.contype = 'f' limit 1) as own_reference
    from pg_class c left join pg_constraint f on f.conrelid = c.oid and f.contype = 'f'
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and c.relname = any(${[...names]}::text[])
    group by c.oid, c.relname order by c.relname`.execute(db);
  return rows;
}

export interface Lot {
  table: RestoredTable;
  /** A row of JSON each. */
  lines: readonly string[];
  /** Columns that the file leaves out. */
  leftOut: readonly string[];
  /** What a column is set to instead of what the file says. */
  instead: Readonly<Record<string, RawBuilder<unknown>>>;
  /** Of rows that point to others of their own table: those that do, or those that do not; null = all. */
  isPointing: boolean | null;
}

/** What went in: how many rows, and a sum over the texts by which a file holds them. */
export interface Stored {
  rows: number;
  sum: string;
}

/** Triggers leave the rows of this transaction as they are. */
export async function beginLot(tx: Tx): Promise<void> {
  await allowChange(tx, 'restore', 'on');
}

export async function insertLot(
  tx: Tx,
  { table, lines, leftOut, instead, isPointing }: Lot,
): Promise<Stored> {
  const values = table.columns.map((column) => {
    const { name } = column;
    if (instead[name]) return instead[name];
    if (leftOut.includes(name)) return toUnknown(table.name, column);
    const ref = sql.ref(`r.${name}`);
    // A JSON null reads as none where it is a value of its own.
    return column.type === 'jsonb' && column.notNull ? sql`coalesce(${ref}, 'null'::jsonb)` : ref;
  });
  const own = sql.ref(`r.${table.ownReference ?? ''}`);
  const where = isPointing === null ? sql`true` : isPointing ? sql`${own} is not null` : sql`${own} is null`;
  const { rows } = await sql<Stored>`
    with added as (
      insert into ${sql.table(table.name)} as t (${sql.join(table.columns.map(({ name }) => sql.ref(name)))})
      select ${sql.join(values)}
      from jsonb_populate_recordset(null::${sql.table(table.name)}, ${`[${lines.join(',')}]`}::jsonb) r
      where ${where}
      returning (to_jsonb(t) - ${[...leftOut]}::text[])::text as line
    )
    select count(*)::int as rows,
      coalesce(sum(('x' || left(md5(line), 15))::bit(60)::bigint), 0)::text as sum from added`.execute(tx);
  return rows[0] ?? { rows: 0, sum: '0' };
}

/** What nobody knows, in the place of a secret that the file leaves out. */
function toUnknown(table: string, { name, notNull }: Column): RawBuilder<unknown> {
  if (table === 'processors' && name === 'credentials')
    return sql`case when r.account_id is null and r.key_last4 is null then null else ${LOST} end`;
  if (!notNull) return sql`null`;
  // Signatures are made of these.
  if (name === 'secret')
    return sql`'whsec_' || encode(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()), 'base64')`;
  if (name === 'redirect_secret')
    return sql`'rds_' || replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '')`;
  return sql`replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '')`;
}

/** A moment that no clock reaches: no claim looks at it. */
export const PARKED = sql<number>`8640000000000000::bigint`;

export async function findWorkspaces(
  db: Db,
  ids: readonly string[],
): Promise<Array<{ id: string; state: string }>> {
  const { rows } = await sql<{ id: string; state: string }>`
    select id, state from workspaces where id = any(${[...ids]}::uuid[])`.execute(db);
  return rows;
}

/** Workspaces and accounts, but for what a restore that was killed has left: none = the installation is empty. */
export async function countStanding(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select ((select count(*) from workspaces where state <> 'restoring') + (select count(*) from accounts))::int as count
  `.execute(db);
  return rows[0]?.count ?? 0;
}

/** What a restore that was killed or refused has left. */
export async function listLeftovers(db: Db): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from workspaces where state = 'restoring'`.execute(db);
  return rows.map(({ id }) => id);
}

/** The store of the mode that the file does not hold. */
export async function insertMissingStores(tx: Tx, ids: readonly string[]): Promise<void> {
  await sql`
    insert into stores (workspace_id, test_mode)
    select w.id, m.test_mode from unnest(${[...ids]}::uuid[]) as w (id), (values (false), (true)) as m (test_mode)
    on conflict do nothing`.execute(tx);
}

export async function setInstallation(
  tx: Tx,
  { epoch, isCopy }: { epoch: number; isCopy: boolean },
): Promise<void> {
  await sql`update installation_state set epoch = ${epoch}::int, is_copy = ${isCopy}`.execute(tx);
}

/** Workspaces are what they were, and their live stores held: it may be that another sells on in their name. */
export async function goLive(
  tx: Tx,
  { states, heldSince }: { states: ReadonlyMap<string, string>; heldSince: number | null },
): Promise<void> {
  const ids = [...states.keys()];
  await sql`
    update stores set held_since = ${heldSince}::bigint, held_reason = 'restored'
    where workspace_id = any(${ids}::uuid[]) and not test_mode and ${heldSince}::bigint is not null`.execute(
    tx,
  );
  await sql`
    update due_work d set due_real_ms = d.due_ms - s.clock_offset_ms from stores s
    where d.workspace_id = any(${ids}::uuid[]) and s.workspace_id = d.workspace_id and s.test_mode = d.test_mode
      and exists (select from unnest(${ids}::uuid[], ${[...states.values()]}::text[]) as w (id, state)
        where w.id = d.workspace_id and w.state <> 'archived')`.execute(tx);
  await sql`
    update workspaces w set state = s.state
    from unnest(${ids}::uuid[], ${[...states.values()]}::text[]) as s (id, state)
    where w.id = s.id and w.state = 'restoring'`.execute(tx);
}

/**
 * Every question of this transaction is about these workspaces alone. A view tells no transaction of its rows unless it
 * names it, and has no primary key.
 */
export async function narrowTo(tx: Tx, ids: readonly string[]): Promise<void> {
  const { rows } = await sql<{ name: string; column: string }>`
    select c.relname as name, case when c.relname = 'workspaces' then 'id' else 'workspace_id' end as column
    from pg_class c where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
      and (c.relname = 'workspaces' or exists (select from pg_attribute a
        where a.attrelid = c.oid and a.attname = 'workspace_id' and not a.attisdropped))`.execute(tx);
  // Of none there is nothing to ask.
  const listed = sql.raw(ids.length === 0 ? 'null::uuid' : ids.map((id) => `'${id}'::uuid`).join(', '));
  for (const { name, column } of rows)
    await sql`create temp view ${sql.table(name)} as
      select t.*, t.xmin from ${sql.id('public', name)} t where ${sql.ref(`t.${column}`)} in (${listed})`.execute(
      tx,
    );
}

/** A store before version 17 looks at each id that a statement names once more for each of them. */
const ASKED_AT_ONCE = 200;

/** Workspaces in which something was written in these last milliseconds, of the store's real time. */
export async function listWrittenSince(tx: Tx, sinceMs: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from workspaces order by id`.execute(tx);
  const found: string[] = [];
  for (let from = 0; from < rows.length; from += ASKED_AT_ONCE) {
    const some = rows.slice(from, from + ASKED_AT_ONCE).map(({ id }) => id);
    found.push(...(await listWritten(tx, some, sinceMs)));
  }
  return found;
}

async function listWritten(tx: Tx, some: readonly string[], sinceMs: number): Promise<string[]> {
  const ids = sql`${some}::uuid[]`;
  const written = ['events', 'audit_log', 'mails', 'webhook_deliveries', 'webhook_attempts'].map(
    (name) => sql`exists (select from ${sql.table(name)} t cross join unnest(array[false, true]) as m (mode)
      where t.workspace_id = any(${ids}) and t.workspace_id = w.id and t.test_mode = m.mode
        and t.written_real_ms >= (select real_now_ms()) - ${sinceMs}::bigint)`,
  );
  const { rows } = await sql<{ id: string }>`
    select w.id from unnest(${ids}) as w (id) where ${sql.join(written, sql` or `)}`.execute(tx);
  return rows.map(({ id }) => id);
}
