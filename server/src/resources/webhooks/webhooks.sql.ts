/** Pieces of the SQL of webhooks. */
import { sql } from 'kysely';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';

/** What attempts change on a webhook. */
export type WebhookHealth = Pick<
  Row<'webhooks'>,
  | 'status'
  | 'health'
  | 'streakStartedAt'
  | 'streakFailures'
  | 'streakLookedAt'
  | 'lastSuccessAt'
  | 'lastFailureAt'
>;
export interface WebhookKey {
  scope: Scope;
  id: string;
}
export type HealthRow = WebhookHealth & Scope & { id: string; url: string };

/** Of `webhooks w`: what an attempt changes, and what tells which it is. */
export const WEBHOOK_HEALTH = sql`w.workspace_id, w.test_mode, w.id, w.url, w.status, w.health, w.streak_started_at,
  w.streak_failures, w.streak_looked_at, w.last_success_at, w.last_failure_at`;
