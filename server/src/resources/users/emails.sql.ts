/** Users whom somebody looks for by a part of their e-mail. */
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { containing } from '../../db/list.ts';
import { inScope, type Scope } from '../../db/scope.ts';
import { toEmailNormal, toEmailTerms } from '../../domain/email.ts';

/** Whether an e-mail, in the form by which e-mails are compared, holds the words; by the index of its parts. */
export function emailHolds(column: string, words: string): RawBuilder<SqlBool> {
  const ways = toEmailTerms(words).map((term) => sql<SqlBool>`${sql.ref(column)} like ${containing(term)}`);
  return sql<SqlBool>`(${sql.join(ways, sql` or `)})`;
}

/**
 * An array of the ids of those whom words mean: whose e-mail they are, or else whose e-mail holds them. For the latter all
 * e-mails of the store are read, which costs more the larger it is: not done once one of `others`, queries of what else
 * may be called by such words, finds a row.
 */
export function usersOfTerm(
  scope: Scope,
  term: string,
  others: readonly RawBuilder<unknown>[],
): RawBuilder<string[]> {
  const called = sql`select u.id from users u where ${inScope(scope, 'u')} and u.email_normal = ${toEmailNormal(term)}`;
  const areCalled = [called, ...others].map((one) => sql`exists (${one})`);
  // Beside a row that is not there nothing is read. As a condition the planner would start parallel workers first, for 6 ms.
  return sql<string[]>`array(
    ${called}
    union all
    select held.id from (select true as "nobody" where not (${sql.join(areCalled, sql` or `)}) offset 0) open
    cross join lateral (
      select u.id from users u where ${inScope(scope, 'u')} and ${emailHolds('u.email_normal', term)} and open.nobody offset 0) held)`;
}
