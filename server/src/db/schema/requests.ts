import type { Defaulted, Json, Scoped } from './columns.ts';

export interface RequestTables {
  requestLog: RequestLogTable;
  requestLogSizes: RequestLogSizesTable;
  idempotencyKeys: IdempotencyKeysTable;
  accountIdempotencyKeys: AccountIdempotencyKeysTable;
  auditLog: AuditLogTable;
  workspaceAudit: WorkspaceAuditTable;
}

export interface RequestLogTable extends Scoped {
  id: string;
  actor: string;
  keyId: string | null;
  withSecret: boolean;
  method: string;
  path: string;
  operation: string;
  status: number;
  code: string | null;
  address: string;
  durationMs: number;
  query: Json<unknown> | null;
  requestBody: Json<unknown> | null;
  responseBody: Json<unknown> | null;
  sizeBytes: number;
  createdAt: number;
}

export interface RequestLogSizesTable extends Scoped {
  rows: number;
  bytes: number;
}

export interface IdempotencyKeysTable extends Scoped {
  /** Who asks with it: `keys` = the store's key pairs together. */
  asker: string;
  key: string;
  fingerprint: string;
  resourceId: string | null;
  response: string | null;
  /** What was made, where the answer held a secret and is not kept. */
  made: Json<Array<{ object: string; id: string }>> | null;
  leaseUntil: number;
  createdAt: number;
}

/** Of ways in, accounts, the installation and the doors of portals: of no store. */
export interface AccountIdempotencyKeysTable {
  asker: string;
  key: string;
  fingerprint: string;
  leaseUntil: number;
  endedAt: number | null;
  /** Null while nothing was answered, and of an answer that is not kept. */
  response: string | null;
  createdAt: number;
}

export interface AuditLogTable extends Scoped {
  id: string;
  actor: string;
  operation: string;
  objectId: string | null;
  before: Json<unknown> | null;
  after: Json<unknown> | null;
  requestId: string;
  createdAt: number;
  /** Real time; null = written before it was kept. */
  writtenRealMs: Defaulted<number | null>;
  /** The program that asked, as it calls itself; null = it did not say. */
  client: Defaulted<string | null>;
}

/** What was done to a workspace as a whole. */
export interface WorkspaceAuditTable extends Omit<AuditLogTable, 'testMode' | 'client'> {}
