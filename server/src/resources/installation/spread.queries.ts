/** How the tables of a store are laid out over the nodes of a cluster, step by step. */
import { sql } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import { inOpenTransaction } from '../../db/open-transaction.ts';
import { type Place, SHARDS, TENANT } from '../../domain/spread/layout.ts';
import { OURS } from './spread.sql.ts';

/** The notes of spreading: how far it has come, what is to be made again, and what is to be compared. */
export const SPREAD = {
  stage: 'spread',
  definitions: 'spread definitions',
  sums: 'spread sums',
} as const;

/** Of the stage, once it has ended. */
export const SPREAD_DONE = 'done';

/** Whether it has begun and has not ended. Of a store of any version, and of none. */
export async function isSpreading(db: Db): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select to_regclass('public.installation_steps') is not null as found`.execute(db);
  if (!rows[0]?.found) return false;
  const stage = await readStep(db, SPREAD.stage);
  return stage !== null && stage !== SPREAD_DONE;
}

/** What is noted of a step; null = it was not begun. */
export async function readStep(db: Db, name: string): Promise<string | null> {
  const { rows } = await sql<{ cursor: string | null }>`
    select cursor from installation_steps where name = ${name}`.execute(db);
  return rows[0]?.cursor ?? null;
}

export async function noteStep(db: Db, name: string, cursor: string): Promise<void> {
  await sql`
    insert into installation_steps as s (name, cursor, steps) values (${name}, ${cursor}, 1)
    on conflict (name) do update set cursor = excluded.cursor, steps = s.steps + 1`.execute(db);
}

const databaseName = async (db: Db) => {
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db);
  return sql.id(rows[0]?.name ?? '');
};

/** Sessions that begin from here on only read. */
export async function closeForWrites(db: Db): Promise<void> {
  const name = await databaseName(db);
  await inOpenTransaction(db, (tx) =>
    sql`alter database ${name} set default_transaction_read_only = on`.execute(tx),
  );
}

export async function openForWrites(db: Db): Promise<void> {
  const name = await databaseName(db);
  await inOpenTransaction(db, (tx) =>
    sql`alter database ${name} reset default_transaction_read_only`.execute(tx),
  );
}

/** The server's own time, in microseconds. */
export async function readMoment(db: Db): Promise<number> {
  const { rows } = await sql<{ moment: number }>`
    select (extract(epoch from clock_timestamp()) * 1000000)::bigint as moment`.execute(db);
  return rows[0]?.moment ?? 0;
}

/** Those that began before: each is ended, and what it had not committed with it. Answers how many there were. */
export async function endSessions(db: Db, { before }: { before: number }): Promise<number> {
  const { rows } = await sql<{ living: number }>`
    select count(pg_terminate_backend(pid)) as living from pg_stat_activity
    where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()
      and application_name <> 'counterfoil lock' and extract(epoch from backend_start) * 1000000 < ${before}::bigint`.execute(
    db,
  );
  return rows[0]?.living ?? 0;
}

/** What a killed one left half committed on some node. */
export async function settlePrepared(db: Db): Promise<void> {
  await sql`select recover_prepared_transactions()`.execute(db);
}

export interface Definition {
  kind: 'key' | 'trigger' | 'index';
  table: string;
  name: string;
  /** A statement. */
  text: string;
}

/** Keys and triggers, as they are to be made again. */
export async function listDefinitions(db: Db): Promise<Definition[]> {
  const { rows } = await sql<Definition>`
    select 'key' as kind, c.relname as "table", n.conname as name,
      format('alter table %I add constraint %I %s', c.relname, n.conname, pg_get_constraintdef(n.oid)) as text
    from pg_constraint n join pg_class c on c.oid = n.conrelid where ${OURS} and n.contype = 'f'
    union all
    select 'trigger', c.relname, t.tgname, pg_get_triggerdef(t.oid)
    from pg_trigger t join pg_class c on c.oid = t.tgrelid where ${OURS} and not t.tgisinternal
    order by 1, 2, 3`.execute(db);
  return rows;
}

/** Of unique indexes, as plain ones. */
export async function listPlainIndexes(db: Db, names: readonly string[]): Promise<Definition[]> {
  const { rows } = await sql<Definition>`
    select 'index' as kind, c.relname as "table", i.relname as name,
      regexp_replace(pg_get_indexdef(i.oid), '^CREATE UNIQUE INDEX', 'CREATE INDEX') as text
    from pg_index x join pg_class c on c.oid = x.indrelid join pg_class i on i.oid = x.indexrelid
    where ${OURS} and i.relname = any(${[...names]}::text[]) order by 2, 3`.execute(db);
  return rows;
}

export async function drop(tx: Tx, { kind, table, name }: Definition): Promise<void> {
  if (kind === 'key') await sql`alter table ${sql.id(table)} drop constraint ${sql.id(name)}`.execute(tx);
  else if (kind === 'trigger') await sql`drop trigger ${sql.id(name)} on ${sql.id(table)}`.execute(tx);
  else await sql`drop index ${sql.id(name)}`.execute(tx);
}

export async function make(tx: Tx, { text }: Definition): Promise<void> {
  await sql.raw(text).execute(tx);
}

/**
 * What sessions of each node are to know: triggers are wanted, what a transaction sets goes along to other nodes, and what is
 * read of a store's rows to be written is not shared out among all of them first, since one that is gone would stop it.
 */
const SETTINGS = {
  'citus.enable_unsafe_triggers': 'on',
  'citus.propagate_set_commands': 'local',
  'citus.enable_repartitioned_insert_select': 'off',
} as const;

/** Answers why a node did not take them. */
export async function laySettings(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select quote_ident(current_database()) as name`.execute(db);
  const refused: string[] = [];
  for (const [setting, value] of Object.entries(SETTINGS)) {
    const statement = `alter database ${rows[0]?.name} set ${setting} = ${value}`;
    await inOpenTransaction(db, async (tx) => {
      // Another session of this node would only read.
      await sql.raw(statement).execute(tx);
      const answers = await sql<{ host: string; text: string }>`
        select nodename as host, result as text from run_command_on_workers(${statement}) where not success`.execute(
        tx,
      );
      refused.push(...answers.rows.map(({ host, text }) => `${host}: ${statement}: ${text}`));
    });
  }
  return refused;
}

/** Functions, on each node. */
export async function layFunctions(db: Db): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select p.oid::regprocedure::text as name from pg_proc p
    where p.pronamespace = 'public'::regnamespace and p.prokind = 'f'
      and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
    order by 1`.execute(db);
  for (const { name } of rows)
    await inOpenTransaction(db, (tx) =>
      sql`select create_distributed_function(${name}::regprocedure)`.execute(tx),
    );
}

/** Table by table, each in one transaction. `beside` = a table that it lies together with. */
export async function layTable(
  db: Db,
  { name, place, beside }: { name: string; place: Place; beside: string | null },
): Promise<void> {
  const together = beside ?? 'none';
  await inOpenTransaction(db, async (tx) => {
    if (place === 'reference') await sql`select create_reference_table(${name}::regclass)`.execute(tx);
    else if (place === 'one shard') {
      const atCoordinator = beside === null;
      const nodes = atCoordinator ? await openForShards(tx, ({ group }) => group === 0) : [];
      await sql`select create_distributed_table(${name}::regclass, null, colocate_with => ${together}::text)`.execute(
        tx,
      );
      if (atCoordinator)
        await openForShards(tx, ({ id }) => nodes.some((node) => node.id === id && node.has));
    } else if (beside === null)
      await sql`
        select create_distributed_table(${name}::regclass, ${TENANT}, shard_count => ${SHARDS}::int, colocate_with => 'none')`.execute(
        tx,
      );
    else
      await sql`select create_distributed_table(${name}::regclass, ${TENANT}, colocate_with => ${beside}::text)`.execute(
        tx,
      );
  });
}

interface ShardNode {
  id: number;
  group: number;
  /** Whether shards are laid on it. */
  has: boolean;
}

/**
 * Says which nodes the next shards are laid on, and answers which they were laid on before. What is written all the time and
 * belongs to no workspace lies at the coordinator, where everybody has to go: a data node that is gone stops its own
 * workspaces alone.
 */
async function openForShards(tx: Tx, isOpen: (node: ShardNode) => boolean): Promise<ShardNode[]> {
  const { rows } = await sql<ShardNode>`
    select nodeid as id, groupid as "group", shouldhaveshards as has from pg_dist_node
    where noderole = 'primary' order by nodeid`.execute(tx);
  for (const node of rows) {
    if (node.has === isOpen(node)) continue;
    await sql`
      select citus_set_node_property(nodename, nodeport, 'shouldhaveshards', ${isOpen(node)}::boolean)
      from pg_dist_node where nodeid = ${node.id}::int`.execute(tx);
  }
  return rows;
}

/** Plans are made for what the tables have. */
export async function analyse(db: Db, name: string): Promise<void> {
  await inOpenTransaction(db, (tx) => sql`analyze ${sql.table(name)}`.execute(tx));
}

/** Rows of before, which are behind the laid out ones and seen by nobody. */
export async function emptyLocal(db: Db, name: string): Promise<void> {
  await inOpenTransaction(db, (tx) =>
    sql`select truncate_local_data_after_distributing_table(${name}::regclass)`.execute(tx),
  );
}
