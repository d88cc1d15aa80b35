/** Sends events again, as they were told: each is a delivery of its own, with attempts of its own. */
import type { Step } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import { invalidField, Refusal } from '../../domain/errors.ts';
import { findEvent } from '../../resources/events/events.queries.ts';
import { insertEventResends, insertResendsSince } from '../../resources/webhooks/resends.queries.ts';
import { findWebhook } from '../../resources/webhooks/webhooks.queries.ts';

/** How far back a webhook may ask for all that it missed. */
const SINCE_MAX_MS = 14 * 24 * 60 * 60 * 1000;
/** Events of one call; the answer says where to go on. */
const EVENTS_MAX = 10_000;

/**
 * To one webhook, or to all that are active and hear the type now. Refuses with unknown_reference, event_expired,
 * event_erased, archived, webhook_inactive.
 */
export async function resendEvent(
  ctx: Step,
  scope: Scope,
  { tx, eventId, webhookId }: { tx: Tx; eventId: string; webhookId: string | null },
): Promise<{ event: { body: string }; webhooks: number }> {
  const event = await findEvent(tx, scope, eventId);
  if (!event) throw new Refusal('not_found');
  const { body } = event;
  if (body === null) throw new Refusal('event_expired');
  if (event.erasedAt !== null) throw new Refusal('event_erased');
  if (webhookId !== null) {
    const named = await findWebhook(tx, scope, webhookId);
    if (!named) throw new Refusal('unknown_reference', { message: 'webhookId names no webhook' });
    checkHearing(named);
  }
  const webhooks = await insertEventResends(tx, scope, { eventId, webhookId, atMs: ctx.nowMs });
  return { event: { body }, webhooks };
}

/** All events that the webhook hears, from a moment on. Refuses with not_found, archived, webhook_inactive. */
export async function resendEventsSince(
  ctx: Step,
  scope: Scope,
  { tx, webhookId, sinceMs }: { tx: Tx; webhookId: string; sinceMs: number },
): Promise<{ webhook: Row<'webhooks'>; count: number; nextSinceMs: number | null }> {
  if (sinceMs < ctx.nowMs - SINCE_MAX_MS) throw invalidField('since', 'must be at most 14 days back');
  const webhook = await getHearing(tx, scope, webhookId);
  const made = await insertResendsSince(tx, scope, {
    webhookId,
    sinceMs,
    limit: EVENTS_MAX,
    atMs: ctx.nowMs,
  });
  return { webhook, ...made };
}

async function getHearing(tx: Tx, scope: Scope, id: string): Promise<Row<'webhooks'>> {
  const webhook = await findWebhook(tx, scope, id);
  if (!webhook) throw new Refusal('not_found');
  checkHearing(webhook);
  return webhook;
}

function checkHearing({ deletedAt, status }: Row<'webhooks'>): void {
  if (deletedAt !== null) throw new Refusal('archived');
  if (status === 'inactive') throw new Refusal('webhook_inactive');
}
