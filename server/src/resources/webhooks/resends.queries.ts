/** SQL of sending again: new deliveries of events that have been told before. */
import { sql } from 'kysely';
import type { Tx } from '../../db/database.ts';
import { inScope, type Scope } from '../../db/scope.ts';

interface Chosen {
  webhookId: string;
  eventId: string;
}

/** Deliveries with their due work; each points to the webhook's first delivery of the event, if there was one. */
async function insertResends(
  tx: Tx,
  scope: Scope,
  { chosen, atMs }: { chosen: readonly Chosen[]; atMs: number },
): Promise<number> {
  if (chosen.length === 0) return 0;
  const { rows: made } = await sql<{ id: string; webhookId: string }>`
    insert into webhook_deliveries (workspace_id, test_mode, id, webhook_id, event_id, status, is_resend, resend_of,
      created_at)
    select ${scope.workspaceId}::uuid, ${scope.testMode}::boolean, uuid_v7(${atMs}::bigint), c.webhook_id, c.event_id,
      'waiting', true, d.id, ${atMs}::bigint
    from unnest(${chosen.map(({ webhookId }) => webhookId)}::uuid[], ${chosen.map(({ eventId }) => eventId)}::uuid[])
      with ordinality as c (webhook_id, event_id, place)
    left join webhook_deliveries d on ${inScope(scope, 'd')} and d.event_id = c.event_id
      and d.webhook_id = c.webhook_id and not d.is_resend
    order by c.place
    returning id, webhook_id`.execute(tx);
  await sql`
    insert into due_work (workspace_id, test_mode, kind, ref_id, due_ms, due_real_ms, lane)
    select ${scope.workspaceId}::uuid, ${scope.testMode}::boolean, 'deliver_webhook', m.id, ${atMs}::bigint,
      ${atMs}::bigint - s.clock_offset_ms, m.webhook_id
    from unnest(${made.map(({ id }) => id)}::uuid[], ${made.map(({ webhookId }) => webhookId)}::uuid[])
      as m (id, webhook_id)
    join stores s on ${inScope(scope, 's')}`.execute(tx);
  return made.length;
}

/**
 * Sends one event again: to this webhook, or to all active ones that hear its type now. Answers to how many.
 */
export async function insertEventResends(
  tx: Tx,
  scope: Scope,
  { eventId, webhookId, atMs }: { eventId: string; webhookId: string | null; atMs: number },
): Promise<number> {
  const { rows: chosen } = await sql<Chosen>`
    select w.id as webhook_id, e.id as event_id from events e
    join webhooks w on ${inScope(scope, 'w')} and w.status = 'active' and w.deleted_at is null
      and case when ${webhookId}::uuid is null then e.type = any(w.events) else w.id = ${webhookId}::uuid end
    where ${inScope(scope, 'e')} and e.id = ${eventId}::uuid`.execute(tx);
  return insertResends(tx, scope, { chosen, atMs });
}

/**
 * Sends all events again that a webhook hears now, from a moment on, oldest first and at most `limit`. Answers
 * how many, and the moment of the first that was left (null = none was).
 */
export async function insertResendsSince(
  tx: Tx,
  scope: Scope,
  { webhookId, sinceMs, limit, atMs }: { webhookId: string; sinceMs: number; limit: number; atMs: number },
): Promise<{ count: number; nextSinceMs: number | null }> {
  const { rows: found } = await sql<Chosen & { createdAt: number }>`
    select w.id as webhook_id, e.id as event_id, e.created_at
    from webhooks w
    join events e on ${inScope(scope, 'e')} and e.type = any(w.events) and e.created_at >= ${sinceMs}::bigint
      and e.body is not null
      and e.erased_at is null
    where ${inScope(scope, 'w')} and w.id = ${webhookId}::uuid
    order by e.created_at, e.id limit ${limit + 1}::int`.execute(tx);
  const count = await insertResends(tx, scope, { chosen: found.slice(0, limit), atMs });
  return { count, nextSinceMs: found[limit]?.createdAt ?? null };
}
