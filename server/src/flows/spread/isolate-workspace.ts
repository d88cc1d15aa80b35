/** A workspace gets a shard of its own, and a node, while all others sell. */
import type { Db } from '../../db/database.ts';
import { Refusal } from '../../domain/errors.ts';
import { listNodes } from '../../resources/installation/spread-catalogue.queries.ts';
import {
  findShard,
  hasWorkspace,
  isAlone,
  isolate,
  moveShard,
} from '../../resources/installation/spread-cluster.queries.ts';
import { toName } from './plan-spread.ts';
import { SpreadError } from './spread-error.ts';

/** Answers the node that it lies on then. `to` = `host:port`; null = where it lies. Throws SpreadError, and workspace_not_found. */
export async function isolateWorkspace(
  db: Db,
  { workspaceId, to }: { workspaceId: string; to: string | null },
): Promise<string> {
  if (!(await hasWorkspace(db, workspaceId))) throw new Refusal('workspace_not_found');
  const target = to === null ? null : await findTarget(db, to);
  const before = await findShard(db, workspaceId);
  if (before === null) throw new SpreadError('Its shard was not found.');
  if (!(await isAlone(db, before.id))) await isolate(db, workspaceId);
  const own = await findShard(db, workspaceId);
  if (own === null) throw new SpreadError('Its shard was not found.');
  if (target === null || toName(target) === toName(own)) return toName(own);
  await moveShard(db, own, target);
  return toName(target);
}

async function findTarget(db: Db, to: string) {
  const nodes = (await listNodes(db)).filter(({ hasShards, isActive }) => hasShards && isActive);
  const target = nodes.find((node) => toName(node) === to);
  if (!target)
    throw new SpreadError(`${to} is no data node of this store: ${nodes.map(toName).join(', ') || 'none'}`);
  return target;
}
