/** The orders that somebody looks for by words, for the lists of what happened to orders. */
import { type RawBuilder, sql } from 'kysely';
import { inScope, type Scope } from '../../db/scope.ts';
import { usersOfTerm } from '../users/emails.sql.ts';

/**
 * An array of their ids: of the order with this number, and of all whose buyer's e-mail holds the words (`usersOfTerm`).
 * Looked up once, by indexes of their own, whatever the size of the list.
 */
export function ordersOfTerm(scope: Scope, term: string): RawBuilder<string[]> {
  const numbered = sql`select n.id from orders n where ${inScope(scope, 'n')} and n.number = ${toNumber(term)}`;
  return sql<string[]>`array(
    select o.id from orders o where ${inScope(scope, 'o')} and (
      o.number = ${toNumber(term)}
      or o.user_id = any(${usersOfTerm(scope, term, [numbered])})))`;
}

/** A number as it is kept, of one as people write it. */
export function toNumber(term: string): string {
  return term.replace(/^#/, '').toUpperCase();
}
