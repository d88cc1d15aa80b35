import type { Store } from '../api/client.ts';
import type { Session } from '../api/objects.ts';

const KEY = 'cf-place';

/** Where a member of several stores stood last, as a look of this browser. */
export function keepStore({ workspaceId, mode }: Store): void {
  try {
    localStorage.setItem(KEY, `/${workspaceId}/${mode}`);
  } catch {
    // Then the first workspace is the place.
  }
}

/** Null: the account is a member of none. */
export function chooseStore(session: Session): string | null {
  const [first] = session.workspaces;
  if (!first) return null;
  let kept = '';
  try {
    kept = localStorage.getItem(KEY) ?? '';
  } catch {
    // The first one it is.
  }
  const isOurs = session.workspaces.some(({ id }) => kept === `/${id}/live` || kept === `/${id}/test`);
  return isOurs ? kept : `/${first.id}/test`;
}
