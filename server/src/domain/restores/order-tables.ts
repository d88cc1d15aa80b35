/** In which order tables are filled, so that no row points to one that is not there yet. */
import { assert } from '../assert.ts';

export interface TableLinks {
  name: string;
  /** Tables that its rows point to. */
  pointsTo: readonly string[];
}

/**
 * Groups of tables, each after those that it points to. A group of several is a circle: its tables are filled within
 * one transaction, at whose end alone the references that close it are asked for. Within it those come first that the
 * others point to at once.
 */
export function orderTables(tables: readonly TableLinks[], deferred: ReadonlySet<string>): string[][] {
  const names = new Set(tables.map(({ name }) => name));
  const left = new Map(
    tables.map(({ name, pointsTo }) => [
      name,
      new Set(pointsTo.filter((one) => one !== name && names.has(one))),
    ]),
  );
  const order: string[][] = [];
  while (left.size > 0) {
    const free = [...left.keys()].filter((name) => left.get(name)?.size === 0);
    const groups = free.length > 0 ? free.map((name) => [name]) : [findCircle(left, deferred)];
    for (const group of groups) {
      order.push(group);
      for (const name of group) left.delete(name);
      for (const pointsTo of left.values()) for (const name of group) pointsTo.delete(name);
    }
  }
  return order;
}

/** A circle that points to nothing outside itself. `deferred`: `from>to` of references that wait for the end. */
function findCircle(left: ReadonlyMap<string, ReadonlySet<string>>, deferred: ReadonlySet<string>): string[] {
  const reach = (from: string): Set<string> => {
    const seen = new Set<string>();
    const open = [from];
    for (let name = open.pop(); name !== undefined; name = open.pop())
      for (const next of left.get(name) ?? []) if (!seen.has(next)) open.push(...add(seen, next));
    return seen;
  };
  const reached = [...left.keys()].map((name) => ({ name, seen: reach(name) }));
  reached.sort((a, b) => a.seen.size - b.seen.size);
  const circle = [...(reached[0]?.seen ?? [])];
  const within = circle.map((name) => ({
    name,
    pointsTo: [...(left.get(name) ?? [])].filter((to) => !deferred.has(`${name}>${to}`)),
  }));
  assert(
    within.some(({ pointsTo }) => pointsTo.length === 0),
    'a circle of tables has a reference that waits for the end of the transaction',
  );
  return orderTables(within, deferred).flat();
}

function add(seen: Set<string>, name: string): [string] {
  seen.add(name);
  return [name];
}
