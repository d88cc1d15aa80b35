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

/** Which workspaces' rows a statement over many stores is about: on several nodes it asks those where they lie. */
export interface OfWorkspaces {
  workspaceIds: readonly string[];
}

/** The `where` of such a statement, for each of its tables. */
export function isOfThese(table: string, workspaceIds: readonly string[]): Expression<SqlBool> {
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
