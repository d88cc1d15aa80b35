import type { World } from '../../../core/world.ts';
import type { Account } from '../world/rows.ts';

/** One call that has passed the door. */
export interface Call {
  world: World;
  account: Account;
  ids: string[];
  query: URLSearchParams;
  body: Record<string, unknown>;
  /** The body as it was sent. */
  raw: string;
  /** What `PayPal-Request-Id` says. */
  key: string | null;
  /** Whether the answer is the whole object, as `Prefer: return=representation` asks. */
  isWhole: boolean;
  take: { amount?: number; currency?: string } | undefined;
}

export interface Answered {
  status: number;
  body?: unknown;
}

export type Verb = (call: Call) => Answered;

export const isHash = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What stands at the path, or undefined. */
export function at(value: unknown, ...path: string[]): unknown {
  return path.reduce<unknown>((found, name) => (isHash(found) ? found[name] : undefined), value);
}

export function textAt(value: unknown, ...path: string[]): string | undefined {
  const found = at(value, ...path);
  return typeof found === 'string' ? found : undefined;
}
