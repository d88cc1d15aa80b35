/** Webhooks: where events are sent, and what became of each attempt. */
import { Refusal } from '../../domain/errors.ts';
import { cutPage, toArchived, toPage } from '../../http/pagination.ts';
import { type Route, read, write } from '../../http/route.ts';
import { listAttempts } from './attempts.queries.ts';
import { findWebhook, listWebhooks } from './webhooks.queries.ts';
import {
  ArchiveWebhook,
  AttemptsData,
  CreateWebhook,
  ListAttempts,
  ListWebhooks,
  toWebhook,
  toWebhookAttempt,
  UpdateWebhook,
  WebhookData,
  WebhookParams,
  WebhooksData,
} from './webhooks.schema.ts';
import { archiveWebhook, changeWebhook, checkWebhookUrl, createWebhook } from './webhooks.service.ts';

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
    const filter = { ...query, archived: toArchived(query) };
    const { rows, count } = await listWebhooks(db, scope, { filter, page });
    const cut = cutPage(rows, page, (row) => ({ value: row.createdAt, id: row.id }));
    const webhooks = cut.rows.map((row) => toWebhook(row, { withSecret }));
    return { webhooks, count, cursor: cut.cursor, hasMore: cut.hasMore };
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
    if (!row) throw new Refusal('not_found');
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
  handler: async ({ db, scope, params: { webhookId }, query }) => {
    if (!(await findWebhook(db, scope, webhookId))) throw new Refusal('not_found');
    const page = toPage(query);
    const { returnCount = false, eventType, success } = query;
    const filter = { webhookId, eventType, success };
    const { rows, count } = await listAttempts(db, scope, { filter, page, withCount: returnCount });
    const cut = cutPage(rows, page, (row) => ({ value: row.createdAt, id: row.id }));
    return { attempts: cut.rows.map(toWebhookAttempt), count, cursor: cut.cursor, hasMore: cut.hasMore };
  },
});

const create = write({
  method: 'POST',
  path: '/v0/webhooks/create',
  operationId: 'createWebhook',
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
  tag: 'webhooks',
  summary: 'Change a webhook',
  description: 'Missing fields stay as they are. Waiting deliveries go to the new URL with the new secret.',
  params: WebhookParams,
  body: UpdateWebhook,
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
  tag: 'webhooks',
  summary: 'Archive a webhook',
  description: 'For good: nothing more is sent, and what waits is dropped.',
  params: WebhookParams,
  body: ArchiveWebhook,
  data: WebhookData,
  handler: async ({ ctx, tx, scope, params, withSecret, audit }) => {
    const { before, after } = await archiveWebhook(ctx, scope, { tx, id: params.webhookId });
    audit(toWebhook(before, { withSecret: false }));
    return { webhook: toWebhook(after, { withSecret }) };
  },
});

export const webhookRoutes: Route[] = [list, get, attempts, create, update, archive];
