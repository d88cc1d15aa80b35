/** Whether a live store is held, asked by every live write and so remembered for some seconds. */
import type { Holds } from '../../context.ts';
import type { Db } from '../../db/database.ts';
import type { Scope } from '../../db/scope.ts';
import { Refusal } from '../../domain/errors.ts';
import { isStoreHeld } from './held.queries.ts';

/** As long as a key pair is remembered: what is taken up again sells within this time in every process. */
const REMEMBERED_MS = 4_000;
const STORES_MAX = 10_000;

interface Remembered {
  isHeld: Promise<boolean>;
  askedAtMs: number;
}

export function rememberHolds(db: Db, monotonicMs: () => number): Holds {
  const known = new Map<string, Remembered>();

  function ask(scope: Scope): Promise<boolean> {
    const askedAtMs = monotonicMs();
    const found = known.get(scope.workspaceId);
    if (found && askedAtMs - found.askedAtMs < REMEMBERED_MS) return found.isHeld;
    if (known.size >= STORES_MAX) known.clear();
    const isHeldNow = isStoreHeld(db, scope);
    known.set(scope.workspaceId, { isHeld: isHeldNow, askedAtMs });
    // What could not be asked is asked anew.
    isHeldNow.catch(() => known.delete(scope.workspaceId));
    return isHeldNow;
  }

  return {
    async refuseHeld(scope) {
      if (!scope.testMode && (await ask(scope))) throw new Refusal('store_held');
    },
    forget: () => known.clear(),
  };
}
