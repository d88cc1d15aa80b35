/**
 * When a lease holds. Moments are the database's, which every process asks, and even that clock may be set back:
 * a lease that ends further ahead than one can be given for was given by another time, and is void.
 */
import { type RawBuilder, type SqlBool, sql } from 'kysely';

const MARGIN_MS = 10_000;

/**
 * Whether the lease that ends at `until` holds, of those that are given for `lengthMs` each. Now is asked for once,
 * or an index would be read to its end.
 */
export function isLeased(until: RawBuilder<unknown>, lengthMs: number): RawBuilder<SqlBool> {
  return sql<SqlBool>`coalesce(${until} > (select real_now_ms())
    and ${until} <= (select real_now_ms()) + ${sql.lit(lengthMs + MARGIN_MS)}::bigint, false)`;
}
