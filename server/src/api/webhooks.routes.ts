/** Webhooks: where events are sent, and what became of each attempt. */
import { invalidField, Refusal } from '../domain/errors.ts';
import {
  archiveWebhook,
  changeWebhook,
  checkWebhookUrl,
  createWebhook,
  rotateWebhookSecret,
  unarchiveWebhook,
} from '../flows/webhooks/edit-webhook.ts';
import { resendEventsSince } from '../flows/webhooks/resend-events.ts';
import { sendTestEvent } from '../flows/webhooks/send-test-event.ts';
import { type Route, read, write } from '../http/route.ts';
import { toEvent } from '../resources/events/events.schema.ts';
import { cutPage, isShown, toArchived, toPage, toStatuses } from '../resources/paging.ts';
import { listAttempts } from '../resources/webhooks/attempts.queries.ts';
import { findWebhook, listWebhooks } from '../resources/webhooks/webhooks.queries.ts';
import {
  ArchiveWebhook,
  AttemptsData,
  CreateWebhook,
  ListAttempts,
  ListWebhooks,
  ResendData,
  ResendSince,
  RotateSecret,
  SendTestEvent,
  TestEventData,
  toWebhook,
  toWebhookAttempt,
  UpdateWebhook,
  WebhookData,
  WebhookParams,
  WebhooksData,
} from '../resources/webhooks/webhooks.schema.ts';

const list = read({
  method: 'GET',
  path: '/v0/webhooks/list',
  operationId: 'listWebhooks',
  tag: 'webhooks',
  summary: 'List webhooks, newest first',
  query: ListWebhooks,
  data: WebhooksData,
  handler: async ({ db, scope, query, withSecret }) => {
    const page = toPage(query);
    const filter = {
      ...query,
      statuses: toStatuses(query),
      archived: toArchived(query, withSecret),
      withQueries: withSecret,
    };
    const { rows, count } = await listWebhooks(db, scope, { filter, page });
    const cut = cutPage(rows, page, (row) => ({ value: row.createdAt, id: row.id }));
    const webhooks = cut.rows.map((row) => toWebhook(row, { withSecret }));
    return { webhooks, count, ...cut.page };
  },
});

const get = read({
  method: 'GET',
  path: '/v0/webhooks/:webhookId',
  operationId: 'getWebhook',
  tag: 'webhooks',
  summary: 'Get a webhook',
  params: WebhookParams,
  data: WebhookData,
  handler: async ({ db, scope, params, withSecret }) => {
    const row = await findWebhook(db, scope, params.webhookId);
    if (!row || !isShown(row, withSecret)) throw new Refusal('not_found');
    return { webhook: toWebhook(row, { withSecret }) };
  },
});

const attempts = read({
  method: 'GET',
  path: '/v0/webhooks/:webhookId/attempts',
  operationId: 'listWebhookAttempts',
  tag: 'webhooks',
  summary: 'List delivery attempts, newest first',
  params: WebhookParams,
  query: ListAttempts,
  data: AttemptsData,
  handler: async ({ db, scope, params: { webhookId }, query, withSecret }) => {
    const webhook = await findWebhook(db, scope, webhookId);
    if (!webhook || !isShown(webhook, withSecret)) throw new Refusal('not_found');
    const page = toPage(query);
    const { returnCount = false, eventType, success } = query;
    const filter = { webhookId, eventType, success };
    const { rows, count } = await listAttempts(db, scope, { filter, page, withCount: returnCount });
    const cut = cutPage(rows, page, (row) => ({ value: row.createdAt, id: row.id }));
    return { attempts: cut.rows.map(toWebhookAttempt), count, ...cut.page };
  },
});

const create = write({
  method: 'POST',
  path: '/v0/webhooks/create',
  operationId: 'createWebhook',
  answersSecret: true,
  tag: 'webhooks',
  summary: 'Create a webhook',
  description: 'At most 10 unarchived webhooks per workspace and mode. No request is sent to the URL.',
  body: CreateWebhook,
  data: WebhookData,
  errors: ['webhook_url_blocked', 'webhook_secret_invalid', 'webhook_limit_reached'],
  example: { url: 'https://example.com/webhooks', events: ['payment_success', 'payment_refunded'] },
  checkOutside: ({ ctx, body }) => checkWebhookUrl(ctx, body.url),
  handler: async ({ ctx, tx, scope, body, withSecret }) => {
    const row = await createWebhook(ctx, scope, { tx, input: body });
    return { webhook: toWebhook(row, { withSecret }) };
  },
});

const update = write({
  method: 'PATCH',
  path: '/v0/webhooks/:webhookId/update',
  operationId: 'updateWebhook',
  answersSecret: true,
  tag: 'webhooks',
  summary: 'Change a webhook',
  description: 'Missing fields stay as they are. Waiting deliveries go to the new URL with the new secret.',
  params: WebhookParams,
  body: UpdateWebhook,
  isEdit: true,
  data: WebhookData,
  errors: ['webhook_url_blocked', 'webhook_secret_invalid', 'archived'],
  example: { status: 'inactive' },
  checkOutside: ({ ctx, body }) => checkWebhookUrl(ctx, body.url),
  handler: async ({ tx, scope, params, body, withSecret, audit }) => {
    const { before, after } = await changeWebhook(scope, { tx, id: params.webhookId, input: body });
    audit(toWebhook(before, { withSecret: false }));
    return { webhook: toWebhook(after, { withSecret }) };
  },
});

const archive = write({
  method: 'PATCH',
  path: '/v0/webhooks/:webhookId/archive',
  operationId: 'archiveWebhook',
  answersSecret: true,
  tag: 'webhooks',
  summary: 'Archive a webhook',
  description: 'Nothing more is sent, and what waits is dropped.',
  params: WebhookParams,
  body: ArchiveWebhook,
  data: WebhookData,
  handler: async ({ ctx, tx, scope, params, withSecret, audit }) => {
    const { before, after } = await archiveWebhook(ctx, scope, { tx, id: params.webhookId });
    audit(toWebhook(before, { withSecret: false }));
    return { webhook: toWebhook(after, { withSecret }) };
  },
});

const unarchive = write({
  method: 'PATCH',
  path: '/v0/webhooks/:webhookId/unarchive',
  operationId: 'unarchiveWebhook',
  answersSecret: true,
  tag: 'webhooks',
  summary: 'Take a webhook back from the archive',
  description: 'It hears what happens from now on; what waited when it was archived is not sent.',
  params: WebhookParams,
  body: ArchiveWebhook,
  data: WebhookData,
  errors: ['webhook_limit_reached'],
  handler: async ({ tx, scope, params, withSecret, audit }) => {
    const { before, after } = await unarchiveWebhook(scope, { tx, id: params.webhookId });
    audit(toWebhook(before, { withSecret: false }));
    return { webhook: toWebhook(after, { withSecret }) };
  },
});

const rotate = write({
  method: 'POST',
  path: '/v0/webhooks/:webhookId/rotateSecret',
  operationId: 'rotateWebhookSecret',
  needsFreshProof: true,
  answersSecret: true,
  tag: 'webhooks',
  summary: 'Give a webhook a new secret',
  description:
    'For 24 hours both secrets sign: `webhook-signature` carries two values, `x-svc-signature` is made with the new one on ' +
    'even tries and with the old one on odd ones. A second rotation in that time makes the first one’s the old one. ' +
    'Without `secret` one is generated.',
  params: WebhookParams,
  body: RotateSecret,
  data: WebhookData,
  errors: ['webhook_secret_invalid', 'archived'],
  example: {},
  handler: async ({ ctx, tx, scope, params, body, withSecret, audit }) => {
    const change = { tx, id: params.webhookId, secret: body.secret };
    const { before, after } = await rotateWebhookSecret(ctx, scope, change);
    audit(toWebhook(before, { withSecret: false }));
    return { webhook: toWebhook(after, { withSecret }) };
  },
});

const resend = write({
  method: 'POST',
  path: '/v0/webhooks/:webhookId/resend',
  operationId: 'resendWebhookEvents',
  tag: 'webhooks',
  summary: 'Send a webhook all events again since a time',
  description: 'Each is a new delivery, also of events from a time when the webhook was inactive.',
  params: WebhookParams,
  body: ResendSince,
  data: ResendData,
  errors: ['archived', 'webhook_inactive'],
  example: { since: 1_767_225_600_000 },
  handler: async ({ ctx, tx, scope, params: { webhookId }, body, withSecret }) => {
    const made = await resendEventsSince(ctx, scope, { tx, webhookId, sinceMs: body.since });
    const webhook = toWebhook(made.webhook, { withSecret });
    return { webhook, deliveries: made.count, nextSince: made.nextSinceMs };
  },
});

const test = write({
  method: 'POST',
  path: '/v0/webhooks/sendTestEvent',
  operationId: 'sendTestEvent',
  tag: 'webhooks',
  summary: 'Send a made-up event to the webhooks that hear its type',
  body: SendTestEvent,
  data: TestEventData,
  errors: ['unknown_reference', 'archived'],
  example: { type: 'payment_refunded' },
  handler: async ({ ctx, tx, scope, body: { type, eventType, webhookId } }) => {
    if (type && eventType && type !== eventType) throw invalidField('eventType', 'must be equal to type');
    const chosen = type ?? eventType ?? 'payment_success';
    const { event, webhooks } = await sendTestEvent(ctx, scope, { tx, type: chosen, webhookId });
    return { event: toEvent(event), webhooks };
  },
});

export const webhookRoutes: Route[] = [
  list,
  test,
  get,
  attempts,
  create,
  update,
  archive,
  unarchive,
  rotate,
  resend,
];
