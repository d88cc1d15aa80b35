/** Faults: what the control port has go wrong, matched by what the call is, never by when it comes. */
import { matchPath } from './match-path.ts';
import type { World } from './world.ts';

export interface Do {
  drop?: 'after' | 'before';
  delayMs?: number;
  stallMs?: number;
  cut?: true;
  html?: true;
  status?: number;
  code?: string;
  effect?: boolean;
  header?: Record<string, string>;
  take?: { amount?: number; currency?: string };
  set?: Record<string, unknown>;
}

export interface Fault {
  id: string;
  match: {
    account?: string;
    method?: string;
    path?: string;
    metadata?: Record<string, string>;
    ordinal?: number[];
    share?: number;
  };
  do: Do;
  times?: number;
  /** How many calls matched, and how many it has met. */
  seen: number;
  met: number;
  /** The calls that met it, by endpoint and key: their repetitions meet it again. */
  keys: string[];
}

export interface Asked {
  /** The account's id. */
  account: string;
  method: string;
  path: string;
  /** Null also for a key that the client made by chance: it decides nothing. */
  key: string | null;
  stableKey: string | null;
  /** The metadata of the call and of the object that its path names. */
  metadata: Record<string, string>;
}

export function meetFault(world: World, asked: Asked): Fault | null {
  const name = asked.key === null ? null : `${asked.method} ${asked.path} ${asked.key}`;
  for (const fault of world.store.list<Fault>('fault')) {
    if (name !== null && fault.keys.includes(name)) return fault;
    if (!fits(fault, asked)) continue;
    fault.seen += 1;
    const isMet = isDue(world, fault, asked);
    if (isMet) {
      fault.met += 1;
      if (name !== null) fault.keys.push(name);
    }
    world.store.put('fault', fault.id, fault);
    if (isMet) return fault;
  }
  return null;
}

function isDue(world: World, fault: Fault, asked: Asked): boolean {
  const { ordinal, share } = fault.match;
  if (fault.times !== undefined && fault.met >= fault.times) return false;
  if (ordinal && !ordinal.includes(fault.seen)) return false;
  if (share === undefined) return true;
  return world.chance(`${fault.id} ${asked.method} ${asked.path} ${asked.stableKey ?? fault.seen}`) < share;
}

function fits({ match }: Fault, asked: Asked): boolean {
  if (match.account !== undefined && match.account !== asked.account) return false;
  if (match.method !== undefined && match.method !== asked.method) return false;
  if (match.path !== undefined && matchPath(match.path, asked.path) === null) return false;
  if (match.metadata === undefined) return true;
  return Object.entries(match.metadata).every(([name, value]) => asked.metadata[name] === value);
}
