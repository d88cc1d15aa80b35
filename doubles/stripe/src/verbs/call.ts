/** One call of the API, as a verb sees it. */

import type { World } from '../../../core/world.ts';
import type { Params } from '../api/check-params.ts';
import type { Account } from '../world/rows.ts';

export interface Call {
  world: World;
  account: Account;
  /** What stood at the path's stars. */
  ids: readonly string[];
  params: Params;
  /** Made from a browser, with the publishable key: it must prove what it may with the client secret. */
  isPublishable: boolean;
  /** A fault's: what is taken in place of the amount asked for. */
  take?: { amount?: number; currency?: string } | undefined;
}

export function text(params: Params, name: string): string | null {
  const value = params[name];
  return typeof value === 'string' && value !== '' ? value : null;
}

/** The new value of a field that an empty text takes away. */
export function change<T>(params: Params, name: string, old: T): T | null {
  if (params[name] === undefined) return old;
  return params[name] === '' ? null : (params[name] as T);
}

export function hash(params: Params, name: string): Params | null {
  const value = params[name];
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Params) : null;
}
