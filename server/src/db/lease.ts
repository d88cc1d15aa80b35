/**
 * When a lease holds. Moments are the database's, which every process asks, and even that clock may be set back:
 * a lease that ends further ahead than one can be given for was given by another time, and is void.
 */
import { type RawBuilder, type SqlBool, sql } from 'kysely';

const MARGIN_MS = 10_000;

/**
 * Whether the lease that ends at `until` holds, of those that are given for `lengthMs` each. Now is asked for once,
 * or an index would be read to its end; where a row takes the place of another, `now` is what it was `excluded` with.
 */
export function isLeased(
  until: RawBuilder<unknown>,
  lengthMs: number,
  now: RawBuilder<unknown> = sql`(select real_now_ms())`,
): RawBuilder<SqlBool> {
  return sql<SqlBool>`(${until} > ${now}
    and ${until} <= ${now} + ${sql.lit(lengthMs + MARGIN_MS)}::bigint) is true`;
}
