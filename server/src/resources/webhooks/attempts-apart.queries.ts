/** What `attempts.queries.ts` reads and writes of many stores, by statements of one store and one table each. */
import { sql } from 'kysely';
import { listByStore } from '../../db/by-store.ts';
import type { Db, Tx } from '../../db/database.ts';
import { inScope, type Scope } from '../../db/scope.ts';
import { readTogether } from '../../db/transaction.ts';
import {
  type DeliveryKey,
  type DeliveryStep,
  type FoundDeliveries,
  WHOLE_DELIVERY,
  type WholeDelivery,
} from './attempts.sql.ts';

/** A store that does not answer keeps none of the others' from being found. */
export function findWholeDeliveriesApart(db: Db, keys: readonly DeliveryKey[]): Promise<FoundDeliveries> {
  return readTogether(db, async (connected) => {
    const stores = listByStore(keys);
    const answers = await Promise.allSettled(
      stores.map(({ scope, own }) =>
        sql<WholeDelivery>`
          select ${WHOLE_DELIVERY}
          from webhook_deliveries d
          left join webhooks w on ${inScope(scope, 'w')} and w.id = d.webhook_id
          left join events e on ${inScope(scope, 'e')} and e.id = d.event_id
          where ${inScope(scope, 'd')} and d.id = any(${own.map(({ refId }) => refId)}::uuid[])`.execute(
          connected,
        ),
      ),
    );
    const found: FoundDeliveries = { deliveries: new Map(), unread: new Map() };
    for (const [place, answer] of answers.entries()) {
      if (answer.status === 'fulfilled')
        for (const row of answer.value.rows) found.deliveries.set(row.id, row);
      else for (const { refId } of stores[place]?.own ?? []) found.unread.set(refId, answer.reason);
    }
    return found;
  });
}

interface OfStore {
  scope: Scope;
  own: DeliveryStep[];
}

interface Named {
  refId: string;
}

/** The due rows of all stores answer first whose lease holds; deliveries and attempts follow for those. */
export async function writeDeliveryStepsApart(tx: Tx, steps: readonly DeliveryStep[]): Promise<Named[]> {
  const stores = listByStore(steps);
  const due = await Promise.all(stores.flatMap((store) => [endDue(tx, store), postponeDue(tx, store)]));
  const held = new Set(due.flat().map(({ refId }) => refId));
  const written = listByStore(steps.filter(({ refId }) => held.has(refId)));
  const changed = await Promise.all(
    written.map(async (store) => {
      const [rows] = await Promise.all([changeDeliveries(tx, store), insertAttempts(tx, store)]);
      return rows;
    }),
  );
  return changed.flat();
}

async function endDue(tx: Tx, { scope, own }: OfStore): Promise<Named[]> {
  const ended = own.filter(({ dueMs }) => dueMs === null);
  if (ended.length === 0) return [];
  const { rows } = await sql<Named>`
    delete from due_work w
    using unnest(${ended.map(({ refId }) => refId)}::uuid[], ${ended.map(({ fence }) => fence)}::bigint[])
      as g (ref_id, fence)
    where ${inScope(scope, 'w')} and w.kind = 'deliver_webhook' and w.ref_id = g.ref_id and w.fence = g.fence
    returning w.ref_id`.execute(tx);
  return rows;
}

async function postponeDue(tx: Tx, { scope, own }: OfStore): Promise<Named[]> {
  const postponed = own.filter(({ dueMs }) => dueMs !== null);
  if (postponed.length === 0) return [];
  const { rows } = await sql<Named>`
    update due_work w set due_ms = g.due_ms, due_real_ms = w.due_real_ms + g.due_ms - w.due_ms,
      -- A retry holds nothing up, and is held up by nothing.
      lease_until_ms = null, failures = 0, last_error = null, queue = null, place = null
    from unnest(${postponed.map(({ refId }) => refId)}::uuid[], ${postponed.map(({ fence }) => fence)}::bigint[],
      ${postponed.map(({ dueMs }) => dueMs)}::bigint[]) as g (ref_id, fence, due_ms)
    where ${inScope(scope, 'w')} and w.kind = 'deliver_webhook' and w.ref_id = g.ref_id and w.fence = g.fence
    returning w.ref_id`.execute(tx);
  return rows;
}

async function changeDeliveries(tx: Tx, { scope, own }: OfStore): Promise<Named[]> {
  const counts = own.map(({ attempt }) => (attempt ? attempt.sequence + 1 : null));
  const { rows } = await sql<Named>`
    update webhook_deliveries d set status = coalesce(h.status, d.status), reason = coalesce(h.reason, d.reason),
      attempt_count = coalesce(h.attempt_count, d.attempt_count)
    from unnest(${own.map(({ refId }) => refId)}::uuid[], ${own.map(({ status }) => status)}::text[],
      ${own.map(({ reason }) => reason)}::text[], ${counts}::integer[]) as h (ref_id, status, reason, attempt_count)
    where ${inScope(scope, 'd')} and d.id = h.ref_id
    returning d.id as ref_id`.execute(tx);
  return rows;
}

/** Of a delivery that is gone nothing is kept. */
async function insertAttempts(tx: Tx, { scope, own }: OfStore): Promise<void> {
  const made = own.flatMap(({ refId, attempt }) => (attempt ? [{ ...attempt, refId }] : []));
  if (made.length === 0) return;
  await sql`
    insert into webhook_attempts (workspace_id, test_mode, id, delivery_id, webhook_id, event_id, event_type,
      sequence, status_code, error, error_detail, response_text, response_cut, address, duration_ms,
      webhook_version, created_at)
    select ${scope.workspaceId}::uuid, ${scope.testMode}::boolean, h.id, d.id, h."webhookId", h."eventId", h."eventType", h.sequence,
      h."statusCode", h.error, h."errorDetail", h."responseText", h."responseCut", h.address, h."durationMs",
      h."webhookVersion", h."createdAt"
    from json_to_recordset(${JSON.stringify(made)}::json) as h (id uuid, "refId" uuid, "webhookId" uuid, "eventId" uuid,
      "eventType" text, sequence integer, "statusCode" integer, error text, "errorDetail" text, "responseText" text,
      "responseCut" boolean, address text, "durationMs" integer, "webhookVersion" integer,
      "createdAt" bigint)
    join webhook_deliveries d on ${inScope(scope, 'd')} and d.id = h."refId"`.execute(tx);
}
