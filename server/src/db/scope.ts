import { type Expression, type SqlBool, sql } from 'kysely';

/** One store of one workspace. Required by every query, so that a leak between tenants does not typecheck. */
export interface Scope {
  workspaceId: string;
  testMode: boolean;
}

/**
 * The tenant's `where`: every query of a scoped table carries it. `table` names the table or alias when
 * a query joins several.
 */
export function inScope(scope: Scope, table?: string): Expression<SqlBool> {
  const workspace = table ? sql.ref(`${table}.workspaceId`) : sql.ref('workspaceId');
  const mode = table ? sql.ref(`${table}.testMode`) : sql.ref('testMode');
  return sql<SqlBool>`(${workspace} = ${scope.workspaceId} and ${mode} = ${scope.testMode})`;
}

/** Which stores a statement over many is about: on several nodes it asks those where they lie. */
export interface OfStores {
  testIds: readonly string[];
  liveIds: readonly string[];
}

/** The `where` of such a statement, for the table whose rows it finds. */
export function isOfThese(table: string, { testIds, liveIds }: OfStores): Expression<SqlBool> {
  const [id, mode] = [sql.ref(`${table}.workspaceId`), sql.ref(`${table}.testMode`)];
  return sql<SqlBool>`(${isInThese(table, { testIds, liveIds })}
    and (${mode} and ${id} = any(${testIds}::uuid[]) or not ${mode} and ${id} = any(${liveIds}::uuid[])))`;
}

/** The same for a table beside it. */
export function isInThese(table: string, { testIds, liveIds }: OfStores): Expression<SqlBool> {
  return isOfWorkspaces(table, [...new Set([...testIds, ...liveIds])]);
}

/** The `where` of a statement over many workspaces. */
export function isOfWorkspaces(table: string, workspaceIds: readonly string[]): Expression<SqlBool> {
  return sql<SqlBool>`${sql.ref(`${table}.workspaceId`)} = any(${workspaceIds}::uuid[])`;
}

/** Columns that put a new row into its store. */
export function scopeColumns(scope: Scope): { workspaceId: string; testMode: boolean } {
  return { workspaceId: scope.workspaceId, testMode: scope.testMode };
}

/** jsonb is written as text: the driver would turn a bare array into a PostgreSQL array. */
export function toJson(value: unknown): string {
  return JSON.stringify(value);
}
