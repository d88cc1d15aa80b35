/** A store that moves to another server: what both places say of it, and what is compared. */
import { sql } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { MoveStage } from '../../domain/move-stage.ts';

export interface StoreMove {
  id: string | null;
  stage: MoveStage | null;
  /** Without a password. */
  to: string | null;
  /** Real ms. */
  at: number | null;
}

const NONE: StoreMove = { id: null, stage: null, to: null, at: null };

/** Of a store of any version, and of none. */
export async function readMove(db: Db): Promise<StoreMove> {
  const { rows: found } = await sql<{ found: boolean }>`
    select to_regclass('public.installation_state') is not null as found`.execute(db);
  if (!found[0]?.found) return NONE;
  const { rows } = await sql<StoreMove>`
    select r.s ->> 'move_id' as id, r.s ->> 'move_stage' as stage, r.s ->> 'move_to' as "to",
      (r.s ->> 'move_at')::bigint as at
    from (select to_jsonb(i) as s from installation_state i) r`.execute(db);
  return rows[0] ?? NONE;
}

/** It is closed from here on. */
export async function beginMove(
  db: Db,
  { id, to, nowMs }: { id: string; to: string; nowMs: number },
): Promise<void> {
  await sql`
    update installation_state set move_id = ${id}::uuid, move_stage = 'copying', move_to = ${to},
      move_at = ${nowMs}::bigint`.execute(db);
}

/** Answers whether it was at the stage that it is to leave. */
export async function passMove(
  db: Db,
  { id, from, to }: { id: string; from: MoveStage; to: MoveStage },
): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    update installation_state set move_stage = ${to}
    where move_id = ${id}::uuid and move_stage = ${from} returning move_id as id`.execute(db);
  return rows.length === 1;
}

/** It is open again: nothing has left it. */
export async function undoMove(db: Db, from: readonly MoveStage[]): Promise<boolean> {
  const { rows } = await sql<{ name: string }>`
    update installation_state set move_id = null, move_stage = null, move_to = null, move_at = null
    where move_stage = any(${[...from]}::text[]) returning name`.execute(db);
  return rows.length === 1;
}

/**
 * Whoever else may write. Over an embedded store each process has a session that bears its name; over another one it is
 * who does something at this moment, since sessions of a pooler stay when nobody uses them.
 */
export async function listUsers(db: Db, { ofEmbedded }: { ofEmbedded: boolean }): Promise<string[]> {
  const { rows } = ofEmbedded
    ? await sql<{ name: string }>`
        select application_name as name from pg_stat_activity
        where application_name ~ '^counterfoil [0-9]+$' and application_name <> ${`counterfoil ${process.pid}`}
        order by 1`.execute(db)
    : await sql<{ name: string }>`
        select 'server process ' || pid as name from pg_stat_activity
        where datname = current_database() and application_name = 'counterfoil' and pid <> pg_backend_pid()
          and state in ('active', 'idle in transaction') order by 1`.execute(db);
  return rows.map(({ name }) => name);
}

/** Two URLs may lead to one: the cluster and the database. */
export async function findPlace(db: Db): Promise<string> {
  const { rows } = await sql<{ place: string }>`
    select (select system_identifier from pg_control_system())::text || '/' || current_database() as place`.execute(
    db,
  );
  return rows[0]?.place ?? '';
}

/** Whether there is nothing in it that somebody has made. */
export async function isServerEmpty(db: Db): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'f')
      and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')) as found`.execute(
    db,
  );
  return rows[0]?.found === false;
}

/** The migrator's, which each server writes for itself, and the row that says which installation it is. */
const OF_EACH_SERVER = ['schema_migrations', 'schema_compat', 'installation_steps', 'installation_state'];

/** All others, whoever they belong to: it is the same installation. */
export async function listMovedTables(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> all(${OF_EACH_SERVER}::text[])
      and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
    order by c.relname`.execute(db);
  return rows.map(({ name }) => name);
}

export interface TableSum {
  rows: number;
  /** Over the texts of its rows, in whatever order. */
  sum: string;
}

export async function sumTable(db: Db, name: string): Promise<TableSum> {
  const { rows } = await sql<TableSum>`
    select count(*) as rows, coalesce(sum(('x' || left(md5(to_jsonb(t)::text), 15))::bit(60)::bigint), 0)::text as sum
    from ${sql.table(name)} t`.execute(db);
  return rows[0] ?? { rows: 0, sum: '0' };
}

/** Whether a killed one has left rows. */
export async function hasRows(db: Db, names: readonly string[]): Promise<boolean> {
  const each = names.map((name) => sql`exists (select from ${sql.table(name)})`);
  const { rows } = await sql<{ found: boolean }>`select ${sql.join(each, sql` or `)} as found`.execute(db);
  return rows[0]?.found ?? true;
}

/** However long the other place takes for what is read here. */
export async function waitForOther(tx: Tx): Promise<void> {
  await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx);
}

/** The row that says which installation it is, as it stands where it came from, but for the stage. */
export async function takeOverState(target: Db, source: Db): Promise<void> {
  const { name, ...state } = await source
    .selectFrom('installationState')
    .selectAll()
    .executeTakeFirstOrThrow();
  const moved = { ...state, moveId: null, moveStage: null, moveTo: null, moveAt: null };
  await inTransaction(target, (tx) =>
    tx.updateTable('installationState').set(moved).where('name', '=', name).execute(),
  );
}

/** It is open there. */
export async function noteArrival(tx: Tx, { id, nowMs }: { id: string; nowMs: number }): Promise<void> {
  await sql`
    update installation_state set move_id = ${id}::uuid, move_stage = 'arrived', move_to = null,
      move_at = ${nowMs}::bigint`.execute(tx);
}
