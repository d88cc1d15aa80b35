/** What the API tells, as far as the dashboard reads it by name; rows of lists are read field by field. */
export type Level = 'none' | 'read' | 'write';

export interface Workspace {
  id: string;
  name: string;
  state: 'active' | 'warned' | 'suspended' | 'archived';
  stateBy?: string | null;
  warnedUntil?: number | null;
  heldSince?: number | null;
  heldReason?: string | null;
  isCopy?: boolean;
  role: string;
  /** What the member may do by area; of both modes, or of each apart. */
  permissions: Record<string, Level> | { live: Record<string, Level>; test: Record<string, Level> } | null;
}

export interface Account {
  id: string;
  email: string;
  name: string | null;
  language: string | null;
  installationAdmin: boolean;
  hasPassword: boolean;
  emailProved: boolean;
  secondFactor: { totp: boolean; passkeys: number; recoveryCodes: number };
}

export interface Session {
  account: Account;
  workspaces: Workspace[];
  freshUntil: number | null;
  expiresAt: number;
}

/** An object of the API, whose fields are read where they are shown. */
export type Row = Record<string, unknown>;

export const textOf = (row: Row | null | undefined, field: string): string => {
  const value = row?.[field];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
};
export const numberOf = (row: Row | null | undefined, field: string): number | null => {
  const value = row?.[field];
  return typeof value === 'number' ? value : null;
};
export const rowOf = (row: Row | null | undefined, field: string): Row | null => {
  const value = row?.[field];
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Row) : null;
};
export const rowsOf = (row: Row | null | undefined, field: string): Row[] => {
  const value = row?.[field];
  return Array.isArray(value) ? (value as Row[]) : [];
};

/** What a thing is called: by its id only once it is known that there is no name to be read. */
export const nameOrId = (name: string, id: string, isOnItsWay: boolean): string =>
  name || (isOnItsWay ? '…' : id);

/** What an offer is called: one without a name of its own is called as its product is. */
export const nameOffer = (offer: Row | null | undefined): string =>
  textOf(offer, 'name') || textOf(rowOf(offer, 'product'), 'name');
