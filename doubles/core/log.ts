/** What was called, a line each. */
import type { World } from './world.ts';

export interface LogLine {
  at: number;
  request: string;
  account: string | null;
  method: string;
  path: string;
  endpoint: string | null;
  key: string | null;
  status: number;
  fault: string | null;
  isReplayed: boolean;
}

/** How often each endpoint was called under each key. */
export function toCalls(world: World, account: { id: string }): object[] {
  const counts = new Map<string, { endpoint: string; key: string | null; count: number }>();
  for (const line of world.store.list<LogLine>('log')) {
    if (line.account !== account.id || line.endpoint === null) continue;
    const name = `${line.endpoint} ${line.key}`;
    const known = counts.get(name) ?? { endpoint: line.endpoint, key: line.key, count: 0 };
    known.count += 1;
    counts.set(name, known);
  }
  return [...counts.values()];
}
