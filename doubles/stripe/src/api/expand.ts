/** `expand[]`: an id in an answer becomes its object. */

import type { World } from '../../../core/world.ts';
import { type Account, listRows, look, toKind } from '../world/rows.ts';
import { isInvalid, isRefused } from './errors.ts';

const DEPTH_MAX = 4;
/** Fields that hold an id or nothing and yet are never objects. */
const NEVER = new Set(['client_secret', 'id', 'object', 'payment_method_details']);

type Node = Record<string, unknown>;

export function expand(world: World, account: Account, answer: object, paths: unknown): object {
  if (!Array.isArray(paths) || paths.length === 0) return answer;
  const copy = structuredClone(answer) as Node;
  for (const path of paths as string[]) {
    const parts = path.split('.');
    const depth = parts.filter((part) => part !== 'data').length;
    if (depth > DEPTH_MAX) {
      throw isInvalid(`You cannot expand more than ${DEPTH_MAX} levels of a property: ${path}`, 'expand');
    }
    follow(world, account, copy, parts, path);
  }
  return copy;
}

function follow(world: World, account: Account, node: Node, parts: readonly string[], path: string): void {
  const [part = '', ...rest] = parts;
  if (part === 'refunds' && node.object === 'charge') node.refunds ??= toRefunds(world, account, node);
  if (!Object.hasOwn(node, part) || NEVER.has(part)) throw cannot(part);
  const value = node[part];
  if (Array.isArray(value)) {
    for (const item of value) follow(world, account, item as Node, rest, path);
    return;
  }
  if (value === null) return;
  if (typeof value === 'string') node[part] = toObject(world, account, value, part);
  else if (typeof value !== 'object') throw cannot(part);
  if (rest.length > 0) follow(world, account, node[part] as Node, rest, path);
}

function toObject(world: World, account: Account, id: string, part: string): Node {
  const kind = toKind(id);
  const row = kind ? look(world, kind, account, id) : null;
  if (!row) throw cannot(part);
  return structuredClone(row.data) as unknown as Node;
}

function toRefunds(world: World, account: Account, charge: Node): Node {
  const data = listRows(world, 'refund', account)
    .map((row) => structuredClone(row.data))
    .filter((refund) => refund.charge === charge.id);
  return { object: 'list', data, has_more: false, url: `/v1/charges/${charge.id}/refunds` };
}

function cannot(part: string): Error {
  return isRefused(`This property cannot be expanded (${part}).`, { param: 'expand' });
}
