/** Events: what happened, as it was told. */
import { invalidField, Refusal } from '../domain/errors.ts';
import { parseNumber } from '../domain/numbers.ts';
import { resendEvent } from '../flows/webhooks/resend-events.ts';
import { type Route, read, write } from '../http/route.ts';
import { findEvent, listEvents } from '../resources/events/events.queries.ts';
import {
  EventAnswer,
  EventParams,
  EventsAnswer,
  ListEvents,
  ResendEvent,
  ResentAnswer,
  toEvent,
  toListedEvent,
  toReadEvent,
} from '../resources/events/events.schema.ts';
import { cutPage, toPage } from '../resources/paging.ts';

const list = read({
  method: 'GET',
  path: '/v0/events/list',
  operationId: 'listEvents',
  tag: 'events',
  summary: 'List events, newest first',
  query: ListEvents,
  data: EventsAnswer,
  handler: async ({ db, scope, query }) => {
    const page = toPage(query);
    const { subscriptionId, returnCount = false, ...given } = query;
    const filter = { ...given, subscriptionNumber: toSubscriptionNumber(subscriptionId) };
    const { rows, count } = await listEvents(db, scope, { filter, page, withCount: returnCount });
    const cut = cutPage(rows, page, (row) => ({ value: row.createdAt, id: row.id }));
    return { events: cut.rows.map(toListedEvent), count, ...cut.page };
  },
});

function toSubscriptionNumber(subscriptionId: string | undefined): string | undefined {
  if (subscriptionId === undefined) return undefined;
  const number = parseNumber(subscriptionId);
  if (number === null) throw invalidField('subscriptionId', 'must be the number of a subscription');
  return number;
}

const get = read({
  method: 'GET',
  path: '/v0/events/:eventId',
  operationId: 'getEvent',
  tag: 'events',
  summary: 'Get an event',
  params: EventParams,
  data: EventAnswer,
  handler: async ({ db, scope, params }) => {
    const row = await findEvent(db, scope, params.eventId);
    if (!row) throw new Refusal('not_found');
    return { event: toReadEvent(row) };
  },
});

const resend = write({
  method: 'POST',
  path: '/v0/events/:eventId/resend',
  operationId: 'resendEvent',
  tag: 'events',
  summary: 'Send an event again',
  description: 'A new delivery with attempts of its own; the body, id and idempotencyKey are as before.',
  params: EventParams,
  body: ResendEvent,
  data: ResentAnswer,
  errors: ['unknown_reference', 'event_expired', 'event_erased', 'archived', 'webhook_inactive'],
  example: {},
  handler: async ({ ctx, tx, scope, params: { eventId }, body }) => {
    const asked = { tx, eventId, webhookId: body.webhookId ?? null };
    const { event, webhooks } = await resendEvent(ctx, scope, asked);
    return { event: toEvent(event), webhooks };
  },
});

export const eventRoutes: Route[] = [list, get, resend];
