/** Webhooks and the events that they were sent. https://developer.paypal.com/docs/api/webhooks/v1/ */

import { addDelivery } from '../../../core/deliver.ts';
import { ApiError, isRefused } from '../api/errors.ts';
import { sign } from '../events/post.ts';
import { find, insert, listRows, save, toId, toLink, type Webhook } from '../world/rows.ts';
import { type Answered, type Call, isHash, textAt } from './call.ts';

const WEBHOOKS_MAX = 10;
const PAGE_MAX = 100;
/** Events of before are gone. */
const EVENTS_KEPT_MS = 30 * 24 * 3_600_000;

export function create({ world, account, body }: Call): Answered {
  const url = readUrl(body.url, world.mayLoopback);
  const known = listRows(world, 'webhook', account);
  if (known.some(({ data }) => data.url === url))
    throw isInvalid('WEBHOOK_URL_ALREADY_EXISTS', 'Webhook URL already exists');
  if (known.length >= WEBHOOKS_MAX)
    throw isInvalid('WEBHOOK_NUMBER_LIMIT_EXCEEDED', 'Webhook number limit exceeded');
  const id = toId(world);
  const path = `/v1/notifications/webhooks/${id}`;
  const webhook: Webhook = {
    id,
    url,
    event_types: readTypes(body.event_types),
    links: [
      toLink(world, path, 'self'),
      toLink(world, path, 'update', 'PATCH'),
      toLink(world, path, 'delete', 'DELETE'),
    ],
  };
  insert(world, 'webhook', account, id, webhook);
  return { status: 201, body: webhook };
}

function isInvalid(name: string, message: string): ApiError {
  return new ApiError(400, { name, message, details: [] });
}

function readUrl(given: unknown, mayLoopback: boolean): string {
  const url = typeof given === 'string' && URL.canParse(given) ? new URL(given) : null;
  if (!url) throw isRefused(400, 'INVALID_PARAMETER_SYNTAX', 'url');
  const isLoopback = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  const isPublic = url.protocol === 'https:' && url.port === '' && !isLoopback;
  if (!isPublic && !(mayLoopback && isLoopback))
    throw new ApiError(400, {
      name: 'VALIDATION_ERROR',
      message: 'Invalid data provided',
      details: [{ field: 'url', issue: 'Not a valid webhook URL' }],
    });
  return String(given);
}

function readTypes(given: unknown): Webhook['event_types'] {
  if (!Array.isArray(given) || given.length === 0)
    throw isRefused(400, 'MISSING_REQUIRED_PARAMETER', 'event_types');
  return given.map((one, index) => {
    const name = textAt(one, 'name');
    if (name === undefined || !/^(\*|[A-Z][A-Z0-9._-]+)$/.test(name))
      throw isRefused(400, 'INVALID_PARAMETER_VALUE', `event_types/${index}/name`);
    return { name, description: '' };
  });
}

export function list({ world, account }: Call): Answered {
  const webhooks = listRows(world, 'webhook', account).map(({ data }) => data);
  return { status: 200, body: { webhooks } };
}

export function read({ world, account, ids }: Call): Answered {
  return { status: 200, body: find(world, 'webhook', account, ids[0] ?? '').data };
}

/** A JSON patch of `/url` and `/event_types`. */
export function change({ world, account, ids, body }: Call): Answered {
  const row = find(world, 'webhook', account, ids[0] ?? '');
  const { operations } = body;
  if (!Array.isArray(operations)) throw isRefused(400, 'MALFORMED_REQUEST_JSON');
  for (const one of operations) {
    if (!isHash(one) || one.op !== 'replace') throw isRefused(400, 'INVALID_PATCH_OPERATION', 'op');
    if (one.path === '/url') row.data.url = readUrl(one.value, world.mayLoopback);
    else if (one.path === '/event_types') row.data.event_types = readTypes(one.value);
    else throw isRefused(400, 'INVALID_PARAMETER_VALUE', 'path');
  }
  save(world, 'webhook', row);
  return { status: 200, body: row.data };
}

export function remove({ world, account, ids }: Call): Answered {
  const row = find(world, 'webhook', account, ids[0] ?? '');
  row.hidden.isGone = true;
  save(world, 'webhook', row);
  return { status: 204 };
}

/** Whether the event came from here, byte for byte. */
export function verify({ world, account, body, raw }: Call): Answered {
  for (const name of [
    'auth_algo',
    'cert_url',
    'transmission_id',
    'transmission_sig',
    'transmission_time',
    'webhook_id',
    'webhook_event',
  ])
    if (body[name] === undefined) throw isRefused(400, 'MISSING_REQUIRED_PARAMETER', name);
  const webhookId = String(body.webhook_id);
  const isOurs = listRows(world, 'webhook', account).some(({ id }) => id === webhookId);
  const wanted = sign(world, {
    id: String(body.transmission_id),
    time: String(body.transmission_time),
    webhookId,
    body: findRaw(raw, 'webhook_event'),
  });
  const isRight = isOurs && wanted === body.transmission_sig && body.auth_algo === 'SHA256withRSA';
  return { status: 200, body: { verification_status: isRight ? 'SUCCESS' : 'FAILURE' } };
}

/** The member's value as it was sent: written anew, its checksum would be another. */
export function findRaw(json: string, name: string): string {
  const at = json.indexOf(`"${name}"`);
  if (at === -1) return '';
  const start = json.indexOf('{', at);
  let depth = 0;
  let isText = false;
  for (let index = start; index < json.length; index += 1) {
    const sign = json[index];
    if (isText) {
      if (sign === '\\') index += 1;
      else if (sign === '"') isText = false;
    } else if (sign === '"') isText = true;
    else if (sign === '{') depth += 1;
    else if (sign === '}') {
      depth -= 1;
      if (depth === 0) return json.slice(start, index + 1);
    }
  }
  return '';
}

export function listEvents({ world, account, query }: Call): Answered {
  const fromMs = Date.parse(query.get('start_time') ?? '') || world.nowMs - EVENTS_KEPT_MS;
  const toMs = Date.parse(query.get('end_time') ?? '') || world.nowMs;
  const type = query.get('event_type');
  const transaction = query.get('transaction_id');
  const size = Number(query.get('page_size') ?? 10);
  if (!(size >= 1 && size <= PAGE_MAX)) throw isRefused(400, 'INVALID_PARAMETER_VALUE', 'page_size');
  const start = Number(query.get('start') ?? 0);
  const found = listRows(world, 'event', account)
    .filter(({ hidden }) => hidden.createdMs >= Math.max(fromMs, world.nowMs - EVENTS_KEPT_MS))
    .filter(({ hidden }) => hidden.createdMs <= toMs)
    .map(({ data }) => data)
    .filter((event) => !type || event.event_type === type)
    .filter((event) => !transaction || textAt(event.resource, 'id') === transaction);
  const events = found.slice(start, start + size);
  const next = new URLSearchParams(query);
  next.set('start', String(start + size));
  const path = '/v1/notifications/webhooks-events';
  const links = [toLink(world, path, 'self')];
  if (found.length > start + size) links.push(toLink(world, `${path}?${next}`, 'next'));
  return { status: 200, body: { events, count: events.length, links } };
}

export function readEvent({ world, account, ids }: Call): Answered {
  return { status: 200, body: find(world, 'event', account, ids[0] ?? '').data };
}

export function resend({ world, account, ids }: Call): Answered {
  const event = find(world, 'event', account, ids[0] ?? '');
  for (const { id } of listRows(world, 'webhook', account)) addDelivery(world, account.id, event.id, id);
  return { status: 202, body: event.data };
}
