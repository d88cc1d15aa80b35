/** Webhooks and their attempts in the API. */
import { type Static, Type } from 'typebox';
import type { Row } from '../../db/schema.ts';
import { lastCharacters } from '../../domain/characters.ts';
import { EVENT_TYPES, type EventType } from '../events/event-types.ts';
import { Event } from '../events/events.schema.ts';
import { pageAnswer, pageQuery, statusQuery } from '../paging.ts';
import {
  Answer,
  Body,
  Component,
  Lines,
  Ms,
  Nullable,
  StringEnum,
  Text,
  TimeInput,
  Uuid,
  Version,
} from '../shapes.ts';
import type { AttemptRow } from './attempts.sql.ts';
import type { DeliveryRow } from './deliveries.queries.ts';

const Status = StringEnum(['active', 'inactive']);
const HEALTHS = ['ok', 'failing', 'blocked', 'disabled'] as const;
const EventTypeName = StringEnum(EVENT_TYPES);

export const Webhook = Answer('Webhook', {
  object: StringEnum(['webhook']),
  id: Uuid(),
  url: Type.String({ description: 'Where events are sent.' }),
  status: Status,
  health: StringEnum(HEALTHS, {
    description:
      '`failing`: its last tries failed; `blocked`: its address is not a public one; `disabled`: it failed too often.',
  }),
  secret: Type.String({ description: 'Masked to its last 4 without the secret key.' }),
  events: Type.Array(EventTypeName),
  description: Nullable(Type.String()),
  lastSuccessAt: Nullable(Ms()),
  lastFailureAt: Nullable(Ms()),
  version: Version(),
  createdAt: Ms(),
  deletedAt: Nullable(Ms({ description: 'When it was archived.' })),
});

/** Any JSON object, as it was sent or received. */
const Free = (description: string) => Type.Object({}, { additionalProperties: true, description });

export const WebhookAttempt = Answer('WebhookAttempt', {
  object: StringEnum(['webhook_attempt']),
  id: Uuid(),
  webhookId: Uuid({ description: 'Of a listener: its id.' }),
  eventId: Uuid(),
  deliveryId: Uuid({ description: 'Attempts of one delivery are counted by `sequence`.' }),
  resendOf: Nullable(Uuid({ description: 'The delivery that was sent again.' })),
  eventType: Nullable(Type.String()),
  sequence: Type.Integer({ minimum: 0, description: '0 is the first try.' }),
  statusCode: Nullable(Type.Integer({ description: 'null when the request itself failed.' })),
  error: Nullable(
    StringEnum(['timeout', 'connection', 'dns', 'tls', 'blocked'], {
      description: 'Why there was no status.',
    }),
  ),
  errorDetail: Nullable(Type.String({ description: 'The same in a line for people.' })),
  request: Nullable(Free('The body that was sent.')),
  response: Nullable(Free('The answer, where it is a JSON object and was read whole.')),
  responseText: Nullable(Type.String({ description: 'The first 64 KiB of the answer.' })),
  durationMs: Type.Integer({ minimum: 0 }),
  createdAt: Ms(),
});

const fields = {
  url: Text(2048, { description: 'http(s), and its host must resolve to a public address.' }),
  events: Type.Array(EventTypeName, { minItems: 1, maxItems: 100 }),
  status: Type.Optional(Status),
  secret: Type.Optional(
    Type.String({ minLength: 16, maxLength: 256, description: 'After whsec_: base64 of 16 bytes or more.' }),
  ),
  description: Type.Optional(Nullable(Lines(1000, { minLength: 1 }))),
};

export const CreateWebhook = Body(fields);
export const UpdateWebhook = Body({
  ...fields,
  id: Type.Optional(Uuid()),
  url: Type.Optional(fields.url),
  events: Type.Optional(fields.events),
});
export const ArchiveWebhook = Body({ id: Type.Optional(Uuid()) });
export const RotateSecret = Body({ id: Type.Optional(Uuid()), secret: fields.secret });
export const ResendSince = Body({
  id: Type.Optional(Uuid()),
  since: TimeInput({ description: 'At most 14 days back.' }),
});
export const SendTestEvent = Body({
  type: Type.Optional(EventTypeName),
  eventType: Type.Optional(StringEnum(EVENT_TYPES, { description: 'The same as `type`.' })),
  webhookId: Type.Optional(Uuid({ description: 'Only to this webhook, if it hears the type.' })),
});
export const WebhookParams = Type.Object({ webhookId: Uuid() });
export const ListWebhooks = Type.Object({
  ...pageQuery,
  ...statusQuery(['active', 'inactive', 'archived']),
  health: Type.Optional(
    Type.Array(StringEnum(HEALTHS), { maxItems: 10, description: 'Only those that fare so.' }),
  ),
  ids: Type.Optional(Type.Array(Uuid(), { maxItems: 100 })),
  term: Type.Optional(Type.String({ maxLength: 200, description: 'Part of its url or description.' })),
  archived: Type.Optional(Type.Boolean()),
  withArchived: Type.Optional(Type.Boolean()),
});
export const ListAttempts = Type.Object({
  ...pageQuery,
  eventType: Type.Optional(EventTypeName),
  success: Type.Optional(Type.Boolean({ description: 'Whether the receiver answered 2xx.' })),
  returnCount: Type.Optional(Type.Boolean()),
});

export const WebhookDelivery = Answer('WebhookDelivery', {
  object: StringEnum(['webhook_delivery']),
  id: Uuid(),
  eventId: Nullable(Uuid({ description: 'Null once the event is gone.' })),
  eventType: Nullable(Type.String()),
  webhookId: Nullable(Uuid({ description: 'Null once the webhook is gone, and of what a listener got.' })),
  listenerId: Nullable(Uuid({ description: 'The listener that got it; null of what a webhook got.' })),
  status: StringEnum(['waiting', 'delivered', 'failed', 'dropped']),
  reason: Nullable(Type.String({ description: 'Why it was dropped or given up.' })),
  resendOf: Nullable(Uuid({ description: 'The delivery that was sent again.' })),
  attempts: Type.Array(Component(WebhookAttempt)),
  createdAt: Ms(),
});
export const ListDeliveries = Type.Object({
  ...pageQuery,
  ...statusQuery(['waiting', 'delivered', 'failed', 'dropped']),
  returnCount: Type.Optional(Type.Boolean()),
});
export const DeliveriesData = Answer(null, {
  deliveries: Type.Array(Component(WebhookDelivery)),
  ...pageAnswer,
});
export const RevealedSecretData = Answer(null, {
  secret: Type.String({ description: 'Signs its deliveries.' }),
  previousSecret: Nullable(Type.String({ description: 'Signs along until previousSecretUntil.' })),
  previousSecretUntil: Nullable(
    Ms({ description: 'Until when the one before signs along (Unix ms); null: it does not.' }),
  ),
});

export function toDelivery(row: DeliveryRow, attempts: AttemptRow[]): Static<typeof WebhookDelivery> {
  const { id, eventId, eventType, webhookId, listenerId, status, reason, resendOf, createdAt } = row;
  return {
    object: 'webhook_delivery',
    ...{ id, eventId, eventType, webhookId, listenerId, status, reason, resendOf, createdAt },
    attempts: attempts.map(toWebhookAttempt),
  };
}

export const WebhookData = Answer(null, { webhook: Component(Webhook) });
export const WebhooksData = Answer(null, { webhooks: Type.Array(Component(Webhook)), ...pageAnswer });
export const ResendData = Answer(null, {
  webhook: Component(Webhook),
  deliveries: Type.Integer({ description: 'How many events are sent again: at most 10,000, oldest first.' }),
  nextSince: Nullable(Ms({ description: 'Where to go on when there were more.' })),
});
export const TestEventData = Answer(null, {
  event: Component(Event),
  webhooks: Type.Integer({ description: 'How many webhooks will get it.' }),
});
export const AttemptsData = Answer(null, { attempts: Type.Array(Component(WebhookAttempt)), ...pageAnswer });

export function toWebhook(
  row: Row<'webhooks'>,
  { withSecret }: { withSecret: boolean },
): Static<typeof Webhook> {
  return {
    object: 'webhook',
    id: row.id,
    url: row.url,
    status: row.status,
    health: row.health,
    secret: withSecret ? row.secret : `••••${lastCharacters(row.secret, 4)}`,
    // Known types: checked on the way in.
    events: row.events as EventType[],
    description: row.description,
    lastSuccessAt: row.lastSuccessAt,
    lastFailureAt: row.lastFailureAt,
    version: row.version,
    createdAt: row.createdAt,
    deletedAt: row.deletedAt,
  };
}

export function toWebhookAttempt(row: AttemptRow): Static<typeof WebhookAttempt> {
  return {
    object: 'webhook_attempt',
    id: row.id,
    webhookId: row.webhookId,
    eventId: row.eventId,
    deliveryId: row.deliveryId,
    resendOf: row.resendOf,
    eventType: row.eventType,
    sequence: row.sequence,
    statusCode: row.statusCode,
    error: row.error,
    errorDetail: row.errorDetail,
    request: row.body === null ? null : (JSON.parse(row.body) as Record<string, unknown>),
    response: row.responseCut ? null : parseObject(row.responseText),
    responseText: row.responseText,
    durationMs: row.durationMs,
    createdAt: row.createdAt,
  };
}

/** Deeper than any sensible answer, and far from where a serialiser runs out of stack. */
const DEPTH_MAX = 100;

/** A receiver's text as an object; null for all else, since what strangers send need not be JSON. */
function parseObject(text: string | null): Record<string, unknown> | null {
  if (!text?.trimStart().startsWith('{')) return null;
  try {
    const parsed = JSON.parse(text) as Record<string, unknown>;
    return isWithinDepth(parsed, DEPTH_MAX) ? parsed : null;
  } catch {
    return null;
  }
}

function isWithinDepth(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return depth > 0 && Object.values(value).every((inner) => isWithinDepth(inner, depth - 1));
}
