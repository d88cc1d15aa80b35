import type { Defaulted, Scoped } from './columns.ts';

export interface EventTables {
  events: EventsTable;
  webhooks: WebhooksTable;
  webhookDeliveries: WebhookDeliveriesTable;
  webhookAttempts: WebhookAttemptsTable;
  listeners: ListenersTable;
}

export interface EventsTable extends Scoped {
  id: string;
  type: string;
  idempotencyKey: string;
  orderId: string | null;
  paymentId: string | null;
  subscriptionId: string | null;
  entityId: string;
  entityVersion: number;
  /** Null once it is no longer kept, at `expiredAt`. */
  body: string | null;
  /** When the user that it tells of was erased. */
  erasedAt: Defaulted<number | null>;
  createdAt: number;
  expiredAt: number | null;
  /** Real time; null = written before it was kept. */
  writtenRealMs: Defaulted<number | null>;
}

export interface WebhooksTable extends Scoped {
  id: string;
  url: string;
  status: 'active' | 'inactive';
  health: Defaulted<'ok' | 'failing' | 'blocked' | 'disabled'>;
  secret: string;
  previousSecret: string | null;
  previousSecretUntil: number | null;
  events: string[];
  description: string | null;
  lastSuccessAt: number | null;
  lastFailureAt: number | null;
  streakStartedAt: number | null;
  streakFailures: Defaulted<number>;
  streakLookedAt: number | null;
  deletedAt: number | null;
  /** Of releases before, which compared transactions: no longer written. */
  archivedBy: number | null;
  createdAt: number;
  /** Raised by edits alone. */
  version: Defaulted<number>;
}

export interface WebhookDeliveriesTable extends Scoped {
  id: string;
  /** Null where it is a listener's, too. */
  webhookId: string | null;
  listenerId: Defaulted<string | null>;
  /** Real time: until then somebody who asked for the listener has it in hand. */
  leaseUntilRealMs: Defaulted<number | null>;
  eventId: string | null;
  status: 'waiting' | 'delivered' | 'failed' | 'dropped';
  reason: string | null;
  resendOf: string | null;
  isResend: Defaulted<boolean>;
  attemptCount: Defaulted<number>;
  createdAt: number;
  /** Real time; null = written before it was kept. */
  writtenRealMs: Defaulted<number | null>;
}

export interface WebhookAttemptsTable extends Scoped {
  id: string;
  deliveryId: string;
  /** Of a listener's: the listener. */
  webhookId: string;
  eventId: string;
  eventType: string;
  sequence: number;
  statusCode: number | null;
  error: 'timeout' | 'connection' | 'dns' | 'tls' | 'blocked' | null;
  errorDetail: string | null;
  responseText: string | null;
  responseCut: Defaulted<boolean>;
  address: string | null;
  durationMs: number;
  /** Of releases before, which compared transactions: no longer written. */
  horizon: Defaulted<number | null>;
  /** As the webhook was when its delivery was read; null = a listener's, or from before this was kept. */
  webhookVersion: Defaulted<number | null>;
  createdAt: number;
  /** Real time; null = written before it was kept. */
  writtenRealMs: Defaulted<number | null>;
}

export interface ListenersTable extends Scoped {
  id: string;
  name: string;
  secret: string;
  events: string[];
  /** Real time of its last question. */
  askedRealMs: number;
  endedRealMs: Defaulted<number | null>;
  createdAt: number;
}
