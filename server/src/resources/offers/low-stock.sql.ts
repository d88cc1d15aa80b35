/** Whether an offer has as few keys left as the merchant wants to hear of. */
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Scope } from '../../db/scope.ts';

/** Of a row of `offers`; no further than one key beyond the threshold is counted. */
export function isLowOnStock(
  { workspaceId, testMode }: Scope,
  thresholdDefault: number,
): RawBuilder<SqlBool> {
  const threshold = sql`(select coalesce((s.settings ->> 'lowStockThreshold')::integer, ${thresholdDefault}::integer)
    from stores s where s.workspace_id = ${workspaceId} and s.test_mode = ${testMode})`;
  return sql`(offers.has_keys and ${threshold} > 0 and (
    select count(*) from (
      select from offer_keys k
      where k.workspace_id = offers.workspace_id and k.test_mode = offers.test_mode and k.offer_id = offers.id
        and k.status = 'available'
      limit ${threshold} + 1) few) <= ${threshold})`;
}
