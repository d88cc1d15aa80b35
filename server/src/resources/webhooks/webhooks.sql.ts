/** Pieces of the SQL of webhooks. */
import { sql } from 'kysely';

/** Of `webhooks w`: what an attempt changes, and what tells which it is. */
export const WEBHOOK_HEALTH = sql`w.workspace_id, w.test_mode, w.id, w.url, w.status, w.health, w.streak_started_at,
  w.streak_failures, w.streak_looked_at, w.last_success_at, w.last_failure_at`;
