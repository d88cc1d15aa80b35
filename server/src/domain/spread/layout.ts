/** Where each table lies on a store that is spread over several servers. */
export const TENANT = 'workspace_id';

/** Of all tables that are laid apart by their workspace together. */
export const SHARDS = 32;

/**
 * `reference` = the whole of it on each node; `one shard` = the whole of it on one node, since it is written too often to be
 * written everywhere; `distributed` = each row with its workspace.
 */
export type Place = 'reference' | 'one shard' | 'distributed';

interface Reason {
  place: Place;
  why: string;
}

/** Tables whose columns alone do not say it. */
export const PLACED: Readonly<Record<string, Reason>> = {
  api_keys: { place: 'reference', why: 'asked before a workspace is known, hardly ever written' },
  invitations: { place: 'reference', why: 'asked by e-mail, hardly ever written' },
  memberships: { place: 'reference', why: 'the workspaces of an account' },
  stores: { place: 'reference', why: 'hardly ever written, and asked beside everything' },
  portal_former_slugs: { place: 'reference', why: 'asked by an address, hardly ever written' },
  workspace_transfers: {
    place: 'reference',
    why: 'asked beside the workspaces of an account, hardly ever written',
  },
  workspace_activity: { place: 'one shard', why: 'of workspaces, written when they are used' },
  workspace_sweeps: {
    place: 'reference',
    why: 'asked beside the workspaces of an account, hardly ever written',
  },
  account_audit: { place: 'one shard', why: 'of accounts, written with each of their steps' },
  account_idempotency_keys: { place: 'one shard', why: 'of accounts and strangers' },
  account_mails: { place: 'one shard', why: 'of accounts, and claimed' },
  account_sessions: { place: 'one shard', why: 'of accounts, written when they are used' },
  account_throttles: { place: 'one shard', why: 'counts failures' },
  account_tokens: { place: 'one shard', why: 'of accounts, written with each try' },
  device_requests: { place: 'one shard', why: 'of accounts, asked every few seconds' },
  limit_counters: { place: 'one shard', why: 'counts requests' },
  processes: { place: 'one shard', why: 'written by each process every few seconds' },
  upkeep: { place: 'one shard', why: 'leases of what one process does at a time' },
};

export interface TableColumns {
  name: string;
  columns: readonly string[];
}

export function findPlace({ name, columns }: TableColumns): Place {
  return PLACED[name]?.place ?? (columns.includes(TENANT) ? 'distributed' : 'reference');
}
