/** What a migration has to know of a store that is spread over the nodes of a cluster. */
import type pg from 'pg';

/** Whether this is one of those that the schema is brought to, and not the one that it is changed at. */
export async function isDataNode(client: pg.Client): Promise<boolean> {
  const { rows: found } = await client.query<{ found: boolean }>(
    `select to_regclass('pg_dist_local_group') is not null as found`,
  );
  if (!found[0]?.found) return false;
  const { rows } = await client.query<{ aside: boolean }>(
    'select groupid <> 0 as aside from pg_dist_local_group',
  );
  return rows[0]?.aside === true;
}

/** The tables of one transaction point to each other: over several connections to a node they would wait for each other. */
export async function lockStepwise(client: pg.Client): Promise<void> {
  await client.query(`select set_config('citus.multi_shard_modify_mode', 'sequential', true)
    where to_regclass('pg_catalog.pg_dist_partition') is not null`);
}
