/** Faults: what the control port has go wrong, matched by what the call is, never by when it comes. */
import type { Account } from '../world/rows.ts';
import type { World } from '../world/world.ts';
import type { Raw } from './form.ts';
import { matchPath } from './routes.ts';

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
  account: Account;
  method: string;
  path: string;
  key: string | null;
  params: Record<string, Raw>;
}

export function meetFault(world: World, asked: Asked): Fault | null {
  const name = asked.key === null ? null : `${asked.method} ${asked.path} ${asked.key}`;
  for (const fault of world.store.list<Fault>('fault')) {
    if (name !== null && fault.keys.includes(name)) return fault;
    if (!fits(world, fault, asked)) continue;
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
  return (
    world.chance(`${fault.id} ${asked.method} ${asked.path} ${toStable(asked.key) ?? fault.seen}`) < share
  );
}

/** The client's own keys are random: they decide nothing. */
export function toStable(key: string | null): string | null {
  return key === null || key.startsWith('stripe-node-retry-') ? null : key;
}

function fits(world: World, { match }: Fault, asked: Asked): boolean {
  if (match.account !== undefined && match.account !== asked.account.id) return false;
  if (match.method !== undefined && match.method !== asked.method) return false;
  if (match.path !== undefined && matchPath(match.path, asked.path) === null) return false;
  if (match.metadata === undefined) return true;
  const metadata = {
    ...ofObject(world, asked.path),
    ...(asked.params.metadata as Record<string, string> | undefined),
  };
  return Object.entries(match.metadata).every(([name, value]) => metadata[name] === value);
}

/** The metadata of what the path names. */
function ofObject(world: World, path: string): Record<string, string> {
  const [, , kind = '', id = ''] = path.split('/');
  const row = world.store.get<{ data: { metadata?: Record<string, string> } }>(kind.replace(/s$/, ''), id);
  return row?.data.metadata ?? {};
}
