/** What `webhooks.queries.ts` locks of several stores, by a statement for each of them. */
import { sql } from 'kysely';
import { listByStore } from '../../db/by-store.ts';
import type { Tx } from '../../db/database.ts';
import { inScope } from '../../db/scope.ts';
import { type HealthRow, WEBHOOK_HEALTH, type WebhookKey } from './webhooks.sql.ts';

/** Asked at once, they run one after the other. */
export async function lockWebhookHealthApart(tx: Tx, keys: readonly WebhookKey[]): Promise<HealthRow[]> {
  const locked = await Promise.all(
    listByStore(keys).map(({ scope, own }) =>
      sql<HealthRow>`
        select ${WEBHOOK_HEALTH}
        from webhooks w
        where ${inScope(scope, 'w')} and w.id = any(${own.map(({ id }) => id)}::uuid[])
        order by w.id for no key update of w`.execute(tx),
    ),
  );
  return locked.flatMap(({ rows }) => rows);
}
