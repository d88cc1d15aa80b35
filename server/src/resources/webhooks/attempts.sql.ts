import { type SelectQueryBuilder, sql } from 'kysely';
import type { Row, Tables } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';

/** An attempt with the body that was sent (null when the event is gone) and what it was sent again for. */
export type AttemptRow = Row<'webhookAttempts'> & {
  body: string | null;
  resendOf: string | null;
};

type Attempts = SelectQueryBuilder<Tables & { a: Tables['webhookAttempts'] }, 'a', object>;

/** Of a query of attempts `a`: the whole rows, with what was sent. */
export function withSent(scope: Scope, attempts: Attempts) {
  return attempts
    .leftJoin('events as e', (join) =>
      join
        .onRef('e.workspaceId', '=', 'a.workspaceId')
        .on('e.workspaceId', '=', scope.workspaceId)
        .onRef('e.testMode', '=', 'a.testMode')
        .onRef('e.id', '=', 'a.eventId'),
    )
    .innerJoin('webhookDeliveries as d', (join) =>
      join
        .onRef('d.workspaceId', '=', 'a.workspaceId')
        .on('d.workspaceId', '=', scope.workspaceId)
        .onRef('d.testMode', '=', 'a.testMode')
        .onRef('d.id', '=', 'a.deliveryId'),
    )
    .selectAll('a')
    .select(['e.body', 'd.resendOf']);
}

/** What one row of due work refers to. */
export interface DeliveryKey {
  scope: Scope;
  refId: string;
}

/** A delivery with all that an attempt of it needs. */
export interface WholeDelivery {
  id: string;
  /** Null when it is gone. */
  webhookId: string | null;
  eventId: string | null;
  status: Row<'webhookDeliveries'>['status'];
  attemptCount: number;
  url: string;
  secret: string;
  previousSecret: string | null;
  previousSecretUntil: number | null;
  deletedAt: number | null;
  webhookStatus: Row<'webhooks'>['status'];
  eventType: string;
  /** Null once it is no longer kept. */
  body: string | null;
  isResend: boolean;
  /** Whether the webhook has not failed lately. */
  isWell: boolean;
  /** Whether the webhook hears the event's type now. */
  isHeard: boolean;
  /** As the webhook was when the delivery was read; 0 = it was gone. */
  webhookVersion: number;
}

/** Both by the ids of deliveries. */
export interface FoundDeliveries {
  deliveries: Map<string, WholeDelivery>;
  /** Why: the node of a spread store may be gone. */
  unread: Map<string, unknown>;
}

/** Of a delivery `d`, its webhook `w` and its event `e`: what an attempt needs. */
export const WHOLE_DELIVERY = sql`d.id, d.webhook_id, d.event_id, d.status, d.attempt_count, w.url, w.secret,
  w.previous_secret, w.previous_secret_until, w.deleted_at, w.status as webhook_status, e.type as event_type, e.body,
  d.is_resend, coalesce(e.type = any(w.events), false) as is_heard, coalesce(w.health = 'ok', false) as is_well,
  coalesce(w.version, 0) as webhook_version`;

export interface NewAttempt {
  id: string;
  webhookId: string;
  eventId: string;
  eventType: string;
  sequence: number;
  statusCode: number | null;
  error: Row<'webhookAttempts'>['error'];
  errorDetail: string | null;
  responseText: string | null;
  responseCut: boolean;
  address: string | null;
  durationMs: number;
  webhookVersion: number;
  createdAt: number;
}

/** What is written for one claimed row: it ends or waits on, and with it its delivery changes. */
export interface DeliveryStep {
  scope: Scope;
  refId: string;
  fence: number;
  /** When the next try is due (workspace's time); null = the row ends. */
  dueMs: number | null;
  /** Null = the delivery stays as it is. */
  status: Row<'webhookDeliveries'>['status'] | null;
  reason: string | null;
  attempt: NewAttempt | null;
}
