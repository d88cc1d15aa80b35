/** All SQL of deliveries and their attempts. */

import { type SqlBool, sql } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import { onPage, type Page } from '../../db/list.ts';
import { inScope, type Scope } from '../../db/scope.ts';
import { isSpread } from '../../db/store-form.ts';
import {
  type AttemptRow,
  type DeliveryKey,
  type DeliveryStep,
  type FoundDeliveries,
  WHOLE_DELIVERY,
  type WholeDelivery,
  withSent,
} from './attempts.sql.ts';
import { findWholeDeliveriesApart, writeDeliveryStepsApart } from './attempts-apart.queries.ts';

/** By their ids; what is missing in the answer is gone with its store. */
export function findWholeDeliveries(db: Db, keys: readonly DeliveryKey[]): Promise<FoundDeliveries> {
  return isSpread(db) ? findWholeDeliveriesApart(db, keys) : readWholeDeliveries(db, keys);
}

async function readWholeDeliveries(db: Db, keys: readonly DeliveryKey[]): Promise<FoundDeliveries> {
  const { rows } = await sql<WholeDelivery>`
    select ${WHOLE_DELIVERY}
    from unnest(${keys.map(({ scope }) => scope.workspaceId)}::uuid[],
        ${keys.map(({ scope }) => scope.testMode)}::boolean[], ${keys.map(({ refId }) => refId)}::uuid[])
      as k (workspace_id, test_mode, id)
    join webhook_deliveries d
      on d.workspace_id = k.workspace_id and d.test_mode = k.test_mode and d.id = k.id
    left join webhooks w
      on w.workspace_id = d.workspace_id and w.test_mode = d.test_mode and w.id = d.webhook_id
    left join events e on e.workspace_id = d.workspace_id and e.test_mode = d.test_mode and e.id = d.event_id`.execute(
    db,
  );
  return { deliveries: new Map(rows.map((row) => [row.id, row])), unread: new Map() };
}

/**
 * Writes many steps at once; each holds or falls with its own lease. Answers the ids of the deliveries whose
 * step was written.
 */
export async function writeDeliverySteps(tx: Tx, steps: readonly DeliveryStep[]): Promise<Set<string>> {
  const written = isSpread(tx) ? await writeDeliveryStepsApart(tx, steps) : await writeSteps(tx, steps);
  return new Set(written.map(({ refId }) => refId));
}

async function writeSteps(tx: Tx, steps: readonly DeliveryStep[]): Promise<Array<{ refId: string }>> {
  const given = steps.map(({ scope, attempt, ...step }) => ({
    ...step,
    ...scope,
    attemptId: attempt?.id ?? null,
    ...(attempt ? { ...attempt, id: undefined } : {}),
  }));
  const { rows } = await sql<{ refId: string }>`
    with given as (
      select * from json_to_recordset(${JSON.stringify(given)}::json) as g ("workspaceId" uuid, "testMode" boolean,
        "refId" uuid, fence bigint, "dueMs" bigint, status text, reason text, "attemptId" uuid, "webhookId" uuid,
        "eventId" uuid, "eventType" text, sequence integer, "statusCode" integer, error text, "errorDetail" text,
        "responseText" text, "responseCut" boolean, address text, "durationMs" integer, "webhookVersion" integer,
        "createdAt" bigint)
    ), ended as (
      delete from due_work w using given g
      where w.workspace_id = g."workspaceId" and w.test_mode = g."testMode" and w.kind = 'deliver_webhook'
        and w.ref_id = g."refId" and w.fence = g.fence and g."dueMs" is null
      returning w.ref_id
    ), postponed as (
      update due_work w set due_ms = g."dueMs", due_real_ms = w.due_real_ms + g."dueMs" - w.due_ms,
        -- A retry holds nothing up, and is held up by nothing.
        lease_until_ms = null, failures = 0, last_error = null, queue = null, place = null
      from given g
      where w.workspace_id = g."workspaceId" and w.test_mode = g."testMode" and w.kind = 'deliver_webhook'
        and w.ref_id = g."refId" and w.fence = g.fence and g."dueMs" is not null
      returning w.ref_id
    ), held as (
      select g.* from given g join (select * from ended union all select * from postponed) h on h.ref_id = g."refId"
    ), changed as (
      update webhook_deliveries d set status = coalesce(h.status, d.status), reason = coalesce(h.reason, d.reason),
        attempt_count = coalesce(h.sequence + 1, d.attempt_count)
      from held h
      where d.workspace_id = h."workspaceId" and d.test_mode = h."testMode" and d.id = h."refId"
      returning d.id
    ), attempted as (
      insert into webhook_attempts (workspace_id, test_mode, id, delivery_id, webhook_id, event_id, event_type,
        sequence, status_code, error, error_detail, response_text, response_cut, address, duration_ms,
        webhook_version, created_at)
      select h."workspaceId", h."testMode", h."attemptId", h."refId", h."webhookId", h."eventId", h."eventType",
        h.sequence, h."statusCode", h.error, h."errorDetail", h."responseText", h."responseCut", h.address,
        h."durationMs", h."webhookVersion", h."createdAt"
      from held h join changed c on c.id = h."refId" where h."attemptId" is not null
    )
    select id as ref_id from changed`.execute(tx);
  return rows;
}

export interface AttemptFilter {
  webhookId: string;
  eventType?: string;
  /** Whether the receiver answered 2xx. */
  success?: boolean;
}

export async function listAttempts(
  db: Db,
  scope: Scope,
  { filter, page, withCount }: { filter: AttemptFilter; page: Page; withCount: boolean },
): Promise<{ rows: AttemptRow[]; count: number | null }> {
  const sort = { by: 'a.createdAt', id: 'a.id', direction: 'desc' } as const;
  const whole = withSent(scope, filtered(db, scope, filter));
  const [rows, counted] = await Promise.all([
    onPage(whole, page, sort).execute(),
    withCount
      ? filtered(db, scope, filter)
          .select((eb) => eb.fn.countAll<number>().as('count'))
          .executeTakeFirstOrThrow()
      : null,
  ]);
  return { rows, count: counted?.count ?? null };
}

function filtered(db: Db, scope: Scope, { webhookId, eventType, success }: AttemptFilter) {
  let query = db
    .selectFrom('webhookAttempts as a')
    .where(inScope(scope, 'a'))
    .where('a.webhookId', '=', webhookId);
  if (eventType) query = query.where('a.eventType', '=', eventType);
  if (success === undefined) return query;
  return query.where(sql<SqlBool>`coalesce(a.status_code between 200 and 299, false) = ${success}`);
}
