/** Which of the rows that were claimed together are done together. */
import type { ClaimedWork } from '../resources/due-work/due-work.sql.ts';

/** Larger ones save little more, and hold their locks for longer. */
export const GROUP_SIZE_MAX = 32;

/** Rows of the given kinds by kind and store, no more than make a group, in their order; each other one alone. */
export function toGroups(works: readonly ClaimedWork[], kinds: readonly string[]): ClaimedWork[][] {
  const alike = groupBy(works, ({ kind, refId, scope: { workspaceId, testMode } }) =>
    kinds.includes(kind) ? `${kind}:${workspaceId}:${testMode}` : `${kind}:${refId}`,
  );
  return [...alike.values()].flatMap((rows) => {
    const count = Math.ceil(rows.length / GROUP_SIZE_MAX);
    return Array.from({ length: count }, (_, n) => rows.slice(n * GROUP_SIZE_MAX, (n + 1) * GROUP_SIZE_MAX));
  });
}

/** In the order in which the first of each comes. */
export function groupBy(
  works: readonly ClaimedWork[],
  toKey: (work: ClaimedWork) => string,
): Map<string, ClaimedWork[]> {
  const groups = new Map<string, ClaimedWork[]>();
  for (const work of works) {
    const key = toKey(work);
    const group = groups.get(key);
    if (group) group.push(work);
    else groups.set(key, [work]);
  }
  return groups;
}
