/** What a cluster over which a store is spread says of itself, and how one workspace moves within it. */
import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import { inOpenTransaction } from '../../db/open-transaction.ts';

export interface Reach {
  from: string;
  to: string;
  isGood: boolean;
}

/** From each node to each, itself too. */
export async function listReach(db: Db): Promise<Reach[]> {
  const { rows } = await sql<Reach>`
    select from_nodename || ':' || from_nodeport as "from", to_nodename || ':' || to_nodeport as "to",
      coalesce(result, false) as is_good
    from citus_check_cluster_node_health()`.execute(db);
  return rows;
}

/** Of the coordinator. */
export async function readClock(db: Db): Promise<number> {
  const { rows } = await sql<{ at: number }>`
    select (extract(epoch from clock_timestamp()) * 1000)::float8 as at`.execute(db);
  return rows[0]?.at ?? 0;
}

export interface NodeShards {
  host: string;
  port: number;
  shards: number;
  bytes: number;
}

/** What each node has of what is laid apart. */
export async function listNodeShards(db: Db): Promise<NodeShards[]> {
  const { rows } = await sql<NodeShards>`
    select nodename as host, nodeport as port, count(*) as shards, coalesce(sum(shard_size), 0)::bigint as bytes
    from citus_shards where citus_table_type = 'distributed' group by 1, 2 order by 1, 2`.execute(db);
  return rows;
}

export interface ShardGroup {
  /** Of the table that all others lie beside. */
  id: number;
  host: string;
  port: number;
  /** Of all tables that lie there together. */
  bytes: number;
}

/** The pieces that the store is laid out in, the largest first. */
export async function listShardGroups(db: Db): Promise<ShardGroup[]> {
  const { rows } = await sql<ShardGroup>`
    select min(s.shardid) filter (where s.table_name = 'orders'::regclass) as id, s.nodename as host, s.nodeport as port,
      sum(s.shard_size)::bigint as bytes
    from citus_shards s join pg_dist_shard d on d.shardid = s.shardid
    where s.colocation_id = (select colocationid from pg_dist_partition where logicalrelid = 'orders'::regclass)
    group by s.nodename, s.nodeport, d.shardminvalue order by bytes desc`.execute(db);
  return rows;
}

export interface TenantSize {
  workspaceId: string;
  name: string;
  events: number;
  orders: number;
}

/** By what has happened in them. */
export async function listBiggest(db: Db, limit: number): Promise<TenantSize[]> {
  const { rows } = await sql<TenantSize>`
    select e.workspace_id, w.name, e.events, coalesce(o.orders, 0) as orders
    from (select workspace_id, count(*) as events from events group by workspace_id) e
      join workspaces w on w.id = e.workspace_id
      left join (select workspace_id, count(*) as orders from orders group by workspace_id) o
        on o.workspace_id = e.workspace_id
    order by e.events desc, e.workspace_id limit ${limit}`.execute(db);
  return rows;
}

export async function hasWorkspace(db: Db, workspaceId: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from workspaces where id = ${workspaceId}::uuid) as found`.execute(db);
  return rows[0]?.found === true;
}

/** Where the rows of a workspace lie. */
export async function findShard(db: Db, workspaceId: string): Promise<ShardGroup | null> {
  const { rows } = await sql<ShardGroup>`
    select shardid as id, nodename as host, nodeport as port, shard_size as bytes from citus_shards
    where shardid = get_shard_id_for_distribution_column('orders', ${workspaceId}::uuid)`.execute(db);
  return rows[0] ?? null;
}

/** Whether nobody else lies on its shard: its bounds are one hash. */
export async function isAlone(db: Db, shardId: number): Promise<boolean> {
  const { rows } = await sql<{ alone: boolean }>`
    select shardminvalue = shardmaxvalue as alone from pg_dist_shard where shardid = ${shardId}::bigint`.execute(
    db,
  );
  return rows[0]?.alone === true;
}

/** Writes of the workspace, and of those that lie on its shard, wait until it is done. */
export async function isolate(db: Db, workspaceId: string): Promise<void> {
  await inOpenTransaction(db, (tx) =>
    sql`select isolate_tenant_to_new_shard('orders', ${workspaceId}::uuid, 'CASCADE', shard_transfer_mode => 'block_writes')`.execute(
      tx,
    ),
  );
}

export async function moveShard(
  db: Db,
  { id, host, port }: ShardGroup,
  to: Pick<ShardGroup, 'host' | 'port'>,
): Promise<void> {
  await inOpenTransaction(db, (tx) =>
    sql`select citus_move_shard_placement(${id}::bigint, ${host}::text, ${port}::int, ${to.host}::text, ${to.port}::int,
      shard_transfer_mode => 'block_writes')`.execute(tx),
  );
}
