/** Deliveries of a webhook and of an event: what was sent, how often, and what came back. */
import type { Db } from '../db/database.ts';
import type { Scope } from '../db/scope.ts';
import { Refusal } from '../domain/errors.ts';
import { takeLimited } from '../flows/limits/count-limited.ts';
import { type Route, read, write } from '../http/route.ts';
import { findEvent } from '../resources/events/events.queries.ts';
import { EventParams } from '../resources/events/events.schema.ts';
import { countMatches, cutPage, type PageQuery, toPage, toStatuses } from '../resources/paging.ts';
import {
  countDeliveriesOf,
  type DeliveryFilter,
  listAttemptsOf,
  listDeliveries,
} from '../resources/webhooks/deliveries.queries.ts';
import { findWebhook } from '../resources/webhooks/webhooks.queries.ts';
import {
  ArchiveWebhook,
  DeliveriesData,
  ListDeliveries,
  RevealedSecretData,
  toDelivery,
  WebhookParams,
} from '../resources/webhooks/webhooks.schema.ts';

interface Asked {
  filter: DeliveryFilter;
  query: PageQuery & { returnCount?: boolean };
}

async function answerDeliveries(db: Db, scope: Scope, { filter, query }: Asked) {
  const page = toPage(query);
  const rows = await listDeliveries(db, scope, { filter, page });
  const cut = cutPage(rows, page, (row) => ({ value: row.createdAt, id: row.id }));
  const asked = { page, shown: cut, returnCount: query.returnCount };
  const count = await countMatches(asked, (limit) => countDeliveriesOf(db, scope, { filter, limit }));
  const ids = cut.rows.map(({ id }) => id);
  const attempts = await listAttemptsOf(db, scope, ids);
  return {
    deliveries: cut.rows.map((row) => toDelivery(row, attempts.get(row.id) ?? [])),
    count,
    ...cut.page,
  };
}

const ofWebhook = read({
  method: 'GET',
  path: '/v0/webhooks/:webhookId/deliveries',
  operationId: 'listWebhookDeliveries',
  tag: 'webhooks',
  needsSecret: true,
  summary: 'List the deliveries of a webhook with their attempts, newest first',
  params: WebhookParams,
  query: ListDeliveries,
  data: DeliveriesData,
  handler: async ({ db, scope, params: { webhookId }, query }) => {
    if (!(await findWebhook(db, scope, webhookId))) throw new Refusal('not_found');
    return answerDeliveries(db, scope, { filter: { webhookId, statuses: toStatuses(query) }, query });
  },
});

const ofEvent = read({
  method: 'GET',
  path: '/v0/events/:eventId/deliveries',
  operationId: 'listEventDeliveries',
  tag: 'events',
  needsSecret: true,
  summary: 'List the deliveries of an event with their attempts, newest first',
  params: EventParams,
  query: ListDeliveries,
  data: DeliveriesData,
  handler: async ({ db, scope, params: { eventId }, query }) => {
    if (!(await findEvent(db, scope, eventId))) throw new Refusal('not_found');
    return answerDeliveries(db, scope, { filter: { eventId, statuses: toStatuses(query) }, query });
  },
});

const reveal = write({
  method: 'POST',
  path: '/v0/webhooks/:webhookId/reveal-secret',
  operationId: 'revealWebhookSecret',
  answersSecret: true,
  needsFreshProof: true,
  tag: 'webhooks',
  summary: 'Show the secret of a webhook',
  description: 'Noted in the audit log; 100 reveals an hour.',
  params: WebhookParams,
  body: ArchiveWebhook,
  data: RevealedSecretData,
  handler: async ({ ctx, tx, scope, params: { webhookId }, audit }) => {
    const row = await findWebhook(tx, scope, webhookId);
    if (!row) throw new Refusal('not_found');
    await takeLimited(ctx, scope, { db: tx, limited: [{ limit: 'reveal', of: 'store' }] });
    audit(null, webhookId);
    const isRotating = (row.previousSecretUntil ?? 0) > ctx.realNowMs();
    return {
      secret: row.secret,
      previousSecret: isRotating ? row.previousSecret : null,
      previousSecretUntil: isRotating ? row.previousSecretUntil : null,
    };
  },
});

export const deliveryRoutes: Route[] = [ofWebhook, ofEvent, reveal];
