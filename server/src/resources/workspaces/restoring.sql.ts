/** A workspace whose rows are still coming in: it is there, and nobody sees it. */
import { type RawBuilder, type SqlBool, sql } from 'kysely';

/** Whether it is seen: `row` is a row of `workspaces`. */
export function isSeen(row: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`${sql.ref(`${row}.state`)} <> 'restoring'`;
}

/** The same of what has a workspace: `row` is any row with its id. */
export function isOfSeen(row: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`not exists (
    select from workspaces rw where rw.id = ${sql.ref(`${row}.workspaceId`)} and rw.state = 'restoring')`;
}
