/** Whether a store is held, as a condition of any query that has its row. */
import { type RawBuilder, type SqlBool, sql } from 'kysely';

/** The moment since which the whole installation is held; null = it is not. */
export const HELD_SINCE = sql<number | null>`(select i.held_since from installation_state i)`;

/**
 * A live store from which nothing may go out, since it may be a copy of one that lives: held alone, or with the whole.
 * `row` is a row of `stores`. Test stores work on.
 */
export function isHeld(row: string): RawBuilder<SqlBool> {
  const of = (column: string) => sql.ref(`${row}.${column}`);
  return sql<SqlBool>`(not ${of('testMode')} and coalesce(${of('heldSince')}, ${HELD_SINCE}) is not null)`;
}

/**
 * A store of which nothing is taken, however long it has been due: nobody is late with it. `workspace` is its row of
 * `workspaces`.
 */
export function isAtRest(row: string, workspace: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`(${isHeld(row)} or ${sql.ref(`${workspace}.state`)} in ('archived', 'restoring'))`;
}
