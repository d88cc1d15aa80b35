/** What the catalogue says of the tables of a store, and of the servers that it may be spread over. */
import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import type { TableColumns } from '../../domain/spread/layout.ts';
import type { AfterTrigger, ForeignKey, UniqueIndex } from '../../domain/spread/obstacles.ts';
import { OURS } from './spread.sql.ts';

export interface TableFact extends TableColumns {
  /** As the server guesses. */
  rows: number;
  bytes: number;
}

/** Bits of `tgtype`. */
const BEFORE_OR_INSTEAD = sql.lit(2 + 64);

const namesOf = (keys: string) => sql`
  (select coalesce(array_agg(a.attname::text order by k.place), '{}') from unnest(${sql.ref(keys)}) with ordinality k (number, place)
    join pg_attribute a on a.attrelid = c.oid and a.attnum = k.number)`;

export async function listTables(db: Db): Promise<TableFact[]> {
  const { rows } = await sql<TableFact>`
    select c.relname as name, greatest(c.reltuples, pg_stat_get_live_tuples(c.oid), 0)::bigint as rows,
      pg_total_relation_size(c.oid) as bytes,
      array(select a.attname::text from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
        order by a.attnum) as columns
    from pg_class c where ${OURS} order by c.relname`.execute(db);
  return rows;
}

export async function listUniqueIndexes(db: Db): Promise<UniqueIndex[]> {
  const { rows } = await sql<UniqueIndex>`
    select c.relname as "table", i.relname as name, ${namesOf('x.indkey')} as columns,
      case n.contype when 'p' then 'primary' when 'u' then 'unique' when 'x' then 'excluding' end as "constraint"
    from pg_index x join pg_class c on c.oid = x.indrelid join pg_class i on i.oid = x.indexrelid
      left join pg_constraint n on n.conindid = i.oid and n.contype in ('p', 'u', 'x')
    where ${OURS} and (x.indisunique or x.indisexclusion) order by 1, 2`.execute(db);
  return rows;
}

export async function listForeignKeys(db: Db): Promise<ForeignKey[]> {
  const { rows } = await sql<ForeignKey>`
    select c.relname as "table", n.conname as name, ${namesOf('n.conkey')} as columns, t.relname as target,
      case when 'n' in (n.confdeltype, n.confupdtype) then 'null'
        when 'd' in (n.confdeltype, n.confupdtype) then 'default' end as sets
    from pg_constraint n join pg_class c on c.oid = n.conrelid join pg_class t on t.oid = n.confrelid
    where ${OURS} and n.contype = 'f' order by 1, 2`.execute(db);
  return rows;
}

export async function listAfterTriggers(db: Db): Promise<AfterTrigger[]> {
  const { rows } = await sql<AfterTrigger>`
    select c.relname as "table", t.tgname as name from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where ${OURS} and not t.tgisinternal and t.tgtype & ${BEFORE_OR_INSTEAD} = 0 order by 1, 2`.execute(db);
  return rows;
}

export interface Engine {
  /** Of the extension in this database; null = there is none. */
  version: string | null;
  /** Of PostgreSQL: 150020. */
  server: number;
}

export async function findEngine(db: Db): Promise<Engine> {
  const { rows } = await sql<Engine>`
    select (select extversion from pg_extension where extname = 'citus') as version,
      current_setting('server_version_num')::int as server`.execute(db);
  return rows[0] ?? { version: null, server: 0 };
}

/** Whether this node holds data of a spread store and is not the one that its schema is changed at. */
export async function isDataNode(db: Db): Promise<boolean> {
  const { rows } = await sql<{
    found: boolean;
  }>`select groupid <> 0 as found from pg_dist_local_group`.execute(db);
  return rows[0]?.found === true;
}

export interface StoreNode {
  id: number;
  group: number;
  host: string;
  port: number;
  isActive: boolean;
  /** Whether tables are laid out over it. */
  hasShards: boolean;
}

export async function listNodes(db: Db): Promise<StoreNode[]> {
  const { rows } = await sql<StoreNode>`
    select nodeid as id, groupid as "group", nodename as host, nodeport as port, isactive as is_active,
      shouldhaveshards as has_shards
    from pg_dist_node where noderole = 'primary' order by groupid, nodeid`.execute(db);
  return rows;
}

export interface Answer {
  /** Of the node. */
  id: number;
  isGood: boolean;
  /** Or the reason why there is none. */
  text: string | null;
}

/** The same statement, of one row and one column, on each node. */
export async function askNodes(db: Db, statement: string): Promise<Answer[]> {
  const { rows } = await sql<Answer>`
    select nodeid as id, success as is_good, result as text from run_command_on_all_nodes(${statement})`.execute(
    db,
  );
  return rows;
}

/** Tables that are laid out already, and how. */
export async function listLaid(db: Db): Promise<Map<string, 'reference' | 'one shard' | 'distributed'>> {
  const { rows } = await sql<{ name: string; place: 'reference' | 'one shard' | 'distributed' }>`
    select c.relname as name, case when p.partmethod = 'h' then 'distributed' when p.repmodel = 't' then 'reference'
      else 'one shard' end as place
    from pg_dist_partition p join pg_class c on c.oid = p.logicalrelid where ${OURS}`.execute(db);
  return new Map(rows.map(({ name, place }) => [name, place]));
}
