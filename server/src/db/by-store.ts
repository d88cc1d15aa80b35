/** What is of several stores, one after the other. */
import type { Scope } from './scope.ts';

/** In one order for all who ask, so that two who lock rows of several stores never wait for each other. */
export function listByStore<Item extends { scope: Scope }>(
  items: readonly Item[],
): Array<{ scope: Scope; own: Item[] }> {
  const stores = new Map<string, { scope: Scope; own: Item[] }>();
  for (const item of items) {
    const { scope } = item;
    const name = `${scope.workspaceId}:${scope.testMode}`;
    const store = stores.get(name) ?? { scope, own: [] };
    store.own.push(item);
    stores.set(name, store);
  }
  return [...stores].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, store]) => store);
}
