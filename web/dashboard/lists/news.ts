/** What of the changes that others made is new to a list, and no edit of what there was. */
import type { Change } from '../app/use-changes.ts';

/** Operations and events by which an object comes into being. */
const BRINGS =
  /^((create|add|connect|duplicate|upload|state)[A-Z]|acceptInvitation$|refundOrder$|payment_(success|failed)$|subscription_created$)/;
const UUID = /^[\da-f]{8}-([\da-f]{4}-){3}[\da-f]{12}$/;

/** Ids grow with time: what is older than all that is shown was there before, on another page. */
export function listNew(changes: readonly Change[], object: string, shown: ReadonlySet<string>): string[] {
  const ids = [...shown].filter((id) => UUID.test(id)).sort();
  const [oldest = ''] = ids;
  return changes.flatMap(({ object: of, id, operation }) => {
    if (of !== object || id === null || shown.has(id) || !BRINGS.test(operation)) return [];
    return UUID.test(id) && id < oldest ? [] : [id];
  });
}
