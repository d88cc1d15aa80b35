/**
 * Whose an id is that stands in a link alone. One PostgreSQL finds it by an index; where the rows are spread, all nodes
 * must be asked: once for each id, and by strangers so many times a second at most.
 */
import type { LinkedKind, LinkOwners } from '../../context.ts';
import type { Db } from '../../db/database.ts';
import type { Scope } from '../../db/scope.ts';
import { isSpread } from '../../db/store-form.ts';
import { Refusal } from '../../domain/errors.ts';
import { findElementScope, findFileScope, findOfferScope } from './links.queries.ts';

/** Owners never change: what is forgotten is what was not asked for longest. */
const OWNERS_MAX = 100_000;
/** What nobody knows may be there a moment later. */
const UNKNOWN_MS = 1_000;
/** More than are asked for within that time. */
const UNKNOWN_MAX = 1_000;
/** Each asks every node. */
const FAN_OUTS_PER_SECOND = 100;

const QUESTIONS: Readonly<Record<LinkedKind, (db: Db, id: string) => Promise<Scope | undefined>>> = {
  offer: findOfferScope,
  element: findElementScope,
  file: findFileScope,
};

/** `monotonicMs` must never run backwards. */
export function rememberOwners(db: Db, monotonicMs: () => number): LinkOwners {
  const owners = new Map<string, Scope>();
  const unknown = new Map<string, number>();
  const asked = new Map<string, Promise<Scope | undefined>>();
  let room = FAN_OUTS_PER_SECOND;
  let filledAtMs = monotonicMs();

  function countFanOut(): void {
    if (!isSpread(db)) return;
    const nowMs = monotonicMs();
    room = Math.min(FAN_OUTS_PER_SECOND, room + ((nowMs - filledAtMs) / 1000) * FAN_OUTS_PER_SECOND);
    filledAtMs = nowMs;
    if (room < 1) throw new Refusal('rate_limited', { retryAfterS: 1 });
    room -= 1;
  }

  function isUnknown(key: string): boolean {
    const untilMs = unknown.get(key);
    return untilMs !== undefined && monotonicMs() < untilMs;
  }

  async function askAll(key: string, ask: () => Promise<Scope | undefined>): Promise<Scope | undefined> {
    countFanOut();
    const owner = await ask();
    if (owner) putLast(owners, { key, value: owner, max: OWNERS_MAX });
    // Apart from those that are there, which no stranger may push out.
    else putLast(unknown, { key, value: monotonicMs() + UNKNOWN_MS, max: UNKNOWN_MAX });
    return owner;
  }

  return {
    async find(kind, id) {
      const ask = () => QUESTIONS[kind](db, id);
      if (!isSpread(db)) return ask();
      const key = `${kind}:${id}`;
      const owner = owners.get(key);
      if (owner) {
        putLast(owners, { key, value: owner, max: OWNERS_MAX });
        return owner;
      }
      if (isUnknown(key)) return undefined;
      const running = asked.get(key);
      if (running) return running;
      const asking = askAll(key, ask).finally(() => asked.delete(key));
      asked.set(key, asking);
      return asking;
    },
    countFanOut,
  };
}

/** The first of the map is the one that was not asked for longest. */
function putLast<Value>(
  map: Map<string, Value>,
  { key, value, max }: { key: string; value: Value; max: number },
): void {
  map.delete(key);
  map.set(key, value);
  if (map.size <= max) return;
  const [oldest] = map.keys();
  if (oldest !== undefined) map.delete(oldest);
}
