/** Whether an offer has as few keys left as the merchant wants to hear of. */
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { inScope, type Scope } from '../../db/scope.ts';

/** Of a row of `offers`; no further than one key beyond the threshold is counted. */
export function isLowOnStock(scope: Scope, thresholdDefault: number): RawBuilder<SqlBool> {
  const threshold = sql`(select coalesce((s.settings ->> 'lowStockThreshold')::integer, ${thresholdDefault}::integer)
    from stores s where ${inScope(scope, 's')})`;
  return sql`(offers.has_keys and ${threshold} > 0 and (
    select count(*) from (
      select from offer_keys k
      where ${inScope(scope, 'k')} and k.offer_id = offers.id
        and k.status = 'available'
      limit ${threshold} + 1) few) <= ${threshold})`;
}
