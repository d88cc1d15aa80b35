/** Users whom somebody looks for by a part of their e-mail. */
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { containing } from '../../db/list.ts';
import { toEmailTerms } from '../../domain/email.ts';

/** Whether an e-mail, in the form by which e-mails are compared, holds the words; by the index of its parts. */
export function emailHolds(column: string, words: string): RawBuilder<SqlBool> {
  const ways = toEmailTerms(words).map((term) => sql<SqlBool>`${sql.ref(column)} like ${containing(term)}`);
  return sql<SqlBool>`(${sql.join(ways, sql` or `)})`;
}
