/** Which workspaces lie together. */
import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';

/** Ids of all workspaces by the node that they lie on; one list where the store is not spread. */
export async function listByNode(db: Db): Promise<string[][]> {
  const { rows } = await sql<{ hasEngine: boolean }>`
    select to_regclass('pg_catalog.pg_dist_shard') is not null as has_engine`.execute(db);
  const laid = rows[0]?.hasEngine ? await listLaid(db) : [];
  const nodes = new Map<number, string[]>();
  for (const { id, node } of laid.length > 0 ? laid : await listTogether(db)) {
    const together = nodes.get(node);
    if (together) together.push(id);
    else nodes.set(node, [id]);
  }
  return [...nodes.values()];
}

interface Laid {
  id: string;
  node: number;
}

async function listTogether(db: Db): Promise<Laid[]> {
  const rows = await db.selectFrom('workspaces').select('id').execute();
  return rows.map(({ id }) => ({ id, node: 0 }));
}

/** The engine's own tables say which node has the shard that a workspace falls into. */
async function listLaid(db: Db): Promise<Laid[]> {
  const { rows } = await sql<Laid>`
    select w.id, p.groupid as node from (select id, worker_hash(id) as hash from workspaces offset 0) w
    join pg_dist_shard s on s.logicalrelid = 'due_work'::regclass
      and w.hash between s.shardminvalue::int and s.shardmaxvalue::int
    join pg_dist_placement p on p.shardid = s.shardid and p.shardstate = 1`.execute(db);
  return rows;
}
