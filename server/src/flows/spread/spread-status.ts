/** How a spread store lies on its nodes. */
import type { Db } from '../../db/database.ts';
import {
  findEngine,
  isDataNode,
  listLaid,
  listNodes,
} from '../../resources/installation/spread-catalogue.queries.ts';
import {
  listBiggest,
  listNodeShards,
  listShardGroups,
  type NodeShards,
  type ShardGroup,
  type TenantSize,
} from '../../resources/installation/spread-cluster.queries.ts';
import { SpreadError } from './spread-error.ts';

export interface SpreadStatus {
  nodes: (NodeShards & { isActive: boolean; isCoordinator: boolean })[];
  /** How many there are, and the largest of them. */
  groups: number;
  largest: ShardGroup[];
  biggest: TenantSize[];
  /** The fullest node against their mean; null = there is nothing yet. */
  skew: number | null;
}

const SHOWN = 10;

/** Throws SpreadError where nothing is spread. */
export async function readSpreadStatus(db: Db): Promise<SpreadStatus> {
  await refuseUnspread(db);
  const shards = await listNodeShards(db);
  const groups = await listShardGroups(db);
  const nodes = (await listNodes(db)).map(({ host, port, isActive, group }) => {
    const own = shards.find((one) => one.host === host && one.port === port);
    return {
      host,
      port,
      isActive,
      isCoordinator: group === 0,
      shards: own?.shards ?? 0,
      bytes: own?.bytes ?? 0,
    };
  });
  return {
    nodes,
    groups: groups.length,
    largest: groups.slice(0, SHOWN),
    biggest: await listBiggest(db, SHOWN),
    skew: toSkew(nodes.filter(({ shards: count }) => count > 0).map(({ bytes }) => bytes)),
  };
}

function toSkew(sizes: readonly number[]): number | null {
  const whole = sizes.reduce((sum, bytes) => sum + bytes, 0);
  return whole === 0 ? null : (Math.max(...sizes) * sizes.length) / whole;
}

/** Throws SpreadError where nothing is spread, and away from the coordinator. */
export async function refuseUnspread(db: Db): Promise<void> {
  const { version } = await findEngine(db);
  if (version === null || !(await listLaid(db)).has('orders'))
    throw new SpreadError('This store is not spread.');
  if (await isDataNode(db)) throw new SpreadError('This is a data node: run this at the coordinator.');
}
