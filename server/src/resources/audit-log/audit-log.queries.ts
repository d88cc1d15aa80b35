/** Who changed what: one row per write of the API. */
import type { Tx } from '../../db/database.ts';
import { keepQuery } from '../../db/kept-query.ts';
import { type Scope, scopeColumns, toJson } from '../../db/scope.ts';

export interface AuditEntry {
  id: string;
  actor: string;
  operation: string;
  objectId: string | null;
  before: unknown;
  after: unknown;
  requestId: string;
  createdAt: number;
  /** The program that asked, as it calls itself; missing = it did not say. */
  client?: string | null;
}

type Kept = Scope &
  Omit<AuditEntry, 'before' | 'after' | 'client'> & {
    before: string | null;
    after: string | null;
    client: string | null;
  };

const insertion = keepQuery((db, row: Kept) => db.insertInto('auditLog').values(row));

export async function insertAuditEntry(tx: Tx, scope: Scope, entry: AuditEntry): Promise<void> {
  await insertion(tx, {
    ...scopeColumns(scope),
    ...entry,
    client: entry.client ?? null,
    before: entry.before === null ? null : toJson(entry.before),
    after: entry.after === null ? null : toJson(entry.after),
  });
}

/** Of what was done to a workspace as a whole: it bears no mode. */
export async function insertWorkspaceAuditEntry(
  tx: Tx,
  workspaceId: string,
  { before, after, client: _client, ...entry }: AuditEntry,
): Promise<void> {
  await tx
    .insertInto('workspaceAudit')
    .values({
      workspaceId,
      ...entry,
      before: before === null ? null : toJson(before),
      after: after === null ? null : toJson(after),
    })
    .execute();
}
