/** What spreading a store would do, and what is in its way. Nothing is changed. */
import type { Db } from '../../db/database.ts';
import type { Waiting } from '../../db/migrate.ts';
import { findPlace, type Place } from '../../domain/spread/layout.ts';
import { findObstacles } from '../../domain/spread/obstacles.ts';
import {
  askNodes,
  findEngine,
  isDataNode,
  listAfterTriggers,
  listForeignKeys,
  listLaid,
  listNodes,
  listTables,
  listUniqueIndexes,
  type StoreNode,
  type TableFact,
} from '../../resources/installation/spread-catalogue.queries.ts';
import { findMoved } from '../moves/closed-store.ts';

export interface PlannedTable extends Pick<TableFact, 'name' | 'rows' | 'bytes'> {
  place: Place;
  /** It lies so already. */
  isLaid: boolean;
}

export interface SpreadPlan {
  tables: PlannedTable[];
  nodes: StoreNode[];
  bytes: number;
  obstacles: string[];
  notes: string[];
  /** Unique indexes that become plain ones. */
  plain: string[];
  /** Triggers that do not come back. */
  gone: string[];
}

const VERSION_MIN = [12, 1];
const SERVER_MIN = 150_000;
/** What is free on the nodes together, for each byte of the store. */
const ROOM = 1.2;

export async function planSpread(
  db: Db,
  { waiting, isEmbedded }: { waiting: Waiting; isEmbedded: boolean },
): Promise<SpreadPlan> {
  const facts = await listTables(db);
  const places = new Map(facts.map((table) => [table.name, findPlace(table)]));
  const found = findObstacles({
    places,
    indexes: await listUniqueIndexes(db),
    keys: await listForeignKeys(db),
    triggers: await listAfterTriggers(db),
  });
  const cluster = await lookAtCluster(db);
  const tables = facts.map(({ name, rows, bytes }) => ({
    ...{ name, rows, bytes, place: places.get(name) ?? 'reference' },
    isLaid: cluster.laid.has(name),
  }));
  const bytes = tables.reduce((sum, table) => sum + table.bytes, 0);
  const isMade = facts.length > 0 && waiting.last !== null;
  const closed = isMade ? await findMoved(db) : null;
  return {
    ...{ tables, nodes: cluster.nodes, bytes, notes: found.notes, plain: found.plain, gone: found.gone },
    obstacles: [
      ...(isEmbedded ? ['this is the embedded store: npm run move takes it to a server of your own'] : []),
      ...(isMade ? [] : ['there is no store here']),
      ...(closed === null ? [] : [closed]),
      ...(isMade && waiting.pending.length > 0
        ? [`${waiting.pending.length} migration(s) wait: npm run migrate`]
        : []),
      ...cluster.obstacles,
      ...(cluster.nodes.length > 0 ? await findRoom(db, { nodes: cluster.nodes, bytes }) : []),
      ...found.obstacles,
    ],
  };
}

interface Cluster {
  obstacles: string[];
  nodes: StoreNode[];
  laid: ReadonlyMap<string, Place>;
}

async function lookAtCluster(db: Db): Promise<Cluster> {
  const { version, server } = await findEngine(db);
  const obstacles = server < SERVER_MIN ? ['PostgreSQL has to be 15 or newer'] : [];
  const none = (why: string): Cluster => ({ obstacles: [...obstacles, why], nodes: [], laid: new Map() });
  if (version === null)
    return none('the extension citus is not in this database: create extension citus, on each node');
  if (!isEnough(version)) return none(`the extension citus is ${version}, and has to be 12.1 or newer`);
  if (await isDataNode(db)) return none('this is a data node: run this at its coordinator');
  const nodes = await listNodes(db);
  const laid = await listLaid(db);
  return { obstacles: [...obstacles, ...(await findOfNodes(db, nodes))], nodes, laid };
}

function isEnough(version: string): boolean {
  const [major = 0, minor = 0] = version.split(/[.-]/, 2).map(Number);
  const [majorMin = 0, minorMin = 0] = VERSION_MIN;
  return major > majorMin || (major === majorMin && minor >= minorMin);
}

async function findOfNodes(db: Db, nodes: readonly StoreNode[]): Promise<string[]> {
  const data = nodes.filter(({ hasShards }) => hasShards);
  const obstacles = nodes.filter(({ isActive }) => !isActive).map((node) => `${toName(node)} is not active`);
  if (!nodes.some(({ group }) => group === 0))
    obstacles.push('the coordinator is not in its own list: citus_set_coordinator_host');
  if (data.length === 0) return [...obstacles, 'there is no data node: citus_add_node'];
  if (obstacles.length > 0) return obstacles;
  const prepared = await askNodes(db, `select current_setting('max_prepared_transactions')`);
  for (const { id, isGood, text } of prepared) {
    const name = toName(nodes.find((node) => node.id === id));
    if (!isGood) obstacles.push(`${name} does not answer: ${text}`);
    else if (Number(text) === 0) obstacles.push(`${name} has max_prepared_transactions = 0`);
  }
  return obstacles;
}

/** Where a node tells it. */
async function findRoom(
  db: Db,
  { nodes, bytes }: { nodes: readonly StoreNode[]; bytes: number },
): Promise<string[]> {
  const data = nodes.filter(({ hasShards, isActive }) => hasShards && isActive);
  const answers = await askNodes(db, 'select available_disk_size from citus_local_disk_space_stats()');
  const needed = Math.ceil((ROOM * bytes) / Math.max(data.length, 1));
  return answers.flatMap(({ id, isGood, text }) => {
    const node = data.find((one) => one.id === id);
    if (!node || !isGood || Number(text) >= needed) return [];
    return [`${toName(node)} has ${text} bytes free, and its share takes ${needed}`];
  });
}

export function toName(node: Pick<StoreNode, 'host' | 'port'> | undefined): string {
  return node ? `${node.host}:${node.port}` : 'a node';
}
