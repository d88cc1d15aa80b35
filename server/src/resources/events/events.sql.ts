/** The SQL of new events, by one statement as well as apart. */
import { type RawBuilder, sql } from 'kysely';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import type { BuyerMailRow } from '../mails/mails.sql.ts';

export type NewEventRow = Omit<
  Row<'events'>,
  'workspaceId' | 'testMode' | 'body' | 'expiredAt' | 'erasedAt' | 'writtenRealMs'
> & {
  body: string;
  /** The mail to the buyer that goes with it; left out where there is none. */
  mailKind?: string;
  mailId?: string;
  /** It is one too many of those that anybody can cause. */
  isMailHeldBack?: boolean;
};

export function toEventInsertion(scope: Scope, rows: readonly NewEventRow[]): RawBuilder<unknown> {
  const values = rows.map(
    (event) => sql`(
      ${scope.workspaceId}::uuid, ${scope.testMode}::boolean, ${event.id}::uuid, ${event.type},
      ${event.idempotencyKey}::uuid, ${event.orderId}::uuid, ${event.paymentId}::uuid,
      ${event.subscriptionId}::uuid, ${event.entityId}::uuid, ${event.entityVersion}::integer,
      in_epoch(${event.body}), ${event.createdAt}::bigint)`,
  );
  return sql`
      insert into events (workspace_id, test_mode, id, type, idempotency_key, order_id, payment_id,
        subscription_id, entity_id, entity_version, body, created_at)
      values ${sql.join(values)}`;
}

/** A missing kind is another shape of the query, so that an event without a mail pays nothing for it. */
export function toBuyerMails(rows: readonly NewEventRow[]): BuyerMailRow[] {
  return rows.flatMap((row) => {
    const { mailKind, mailId = null, id, orderId, paymentId, createdAt } = row;
    if (mailKind === undefined) return [];
    const told = { orderId, paymentId, eventId: id, params: '{}', createdAt };
    return [{ ...told, id: mailId, kind: mailKind, key: id, heldBack: row.isMailHeldBack ?? false }];
  });
}

/** Who may hear events now; `webhookId` = that webhook alone. */
export function toHearers(scope: Scope, webhookId: string | undefined): RawBuilder<unknown> {
  return sql`
        select id as webhook_id, null::uuid as listener_id, events from webhooks
        where workspace_id = ${scope.workspaceId} and test_mode = ${scope.testMode}
          and status = 'active' and deleted_at is null
          ${webhookId === undefined ? sql`` : sql`and id = ${webhookId}`}
        ${webhookId === undefined ? toListeners(scope) : sql``}`;
}

/** Listeners ask for their deliveries themselves: theirs are not due at any time. */
const toListeners = (scope: Scope) => sql`
        union all
        select null, id, events from listeners
        where workspace_id = ${scope.workspaceId} and test_mode = ${scope.testMode} and ended_real_ms is null`;
