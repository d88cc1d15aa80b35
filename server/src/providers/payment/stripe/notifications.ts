/**
 * Stripe's events. The signature is checked by ourselves: the client takes times that lie ahead, and knows one secret.
 * `Stripe-Signature: t=<seconds>,v1=<hex>,…`, where v1 is the HMAC-SHA256 of `<seconds>.<body>`; there is one for each
 * secret while one replaces another.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { WHOLE_ID } from '../../../domain/numbers.ts';
import type {
  NotedKind,
  NotedObject,
  Notification,
  NotificationReading,
  NotificationsAsk,
  NotificationsPage,
  RawNotification,
} from '../notification.ts';
import type { StripeClient } from './client.ts';

/** Both ways: what was signed long ago may be sent again by whoever saw it, what is signed ahead is nobody's. */
const TOLERANCE_MS = 300_000;
/** A header with more is none of Stripe's: each costs a comparison. */
const SIGNATURES_MAX = 16;

/** The events that an endpoint of ours asks for, and what they are about; null = no row of ours waits for it. */
export const EVENT_TYPES = {
  'payment_intent.succeeded': 'charge',
  'payment_intent.payment_failed': 'charge',
  'payment_intent.processing': 'charge',
  'payment_intent.canceled': 'charge',
  'setup_intent.succeeded': 'charge',
  'setup_intent.setup_failed': 'charge',
  'refund.created': 'refund',
  'refund.updated': 'refund',
  'refund.failed': 'refund',
  'charge.dispute.created': 'dispute',
  'charge.dispute.updated': 'dispute',
  'charge.dispute.closed': 'dispute',
  'charge.dispute.funds_withdrawn': 'dispute',
  'charge.dispute.funds_reinstated': 'dispute',
  'radar.early_fraud_warning.created': 'dispute',
  'payment_method.automatically_updated': 'method',
  'payment_method.detached': 'method',
  'mandate.updated': 'method',
  // The daily comparison reads what was moved.
  'payout.paid': null,
  'payout.failed': null,
} as const satisfies Record<string, NotedKind | null>;

/** The metadata that names our refund. */
const OWN_REFUND = 'cf_refund';

/** `isLive` is the mode of the connection: what belongs to the other is nobody's here. */
export function readStripeNotification(raw: RawNotification, isLive: boolean): NotificationReading {
  if (!isSigned(raw)) return { kind: 'unsigned' };
  const notification = toNotification(parse(raw.body), isLive);
  return notification ? { kind: 'noted', notification } : { kind: 'ignored' };
}

/** As many as Stripe lists at once. */
const PAGE_SIZE = 100;

/** The newest first. Throws StripeFailure. */
export async function listStripeNotifications(
  client: StripeClient,
  { sinceMs, after }: NotificationsAsk,
  isLive: boolean,
): Promise<NotificationsPage> {
  const page = await client.ask((sdk, how) =>
    sdk.events.list(
      {
        types: Object.keys(EVENT_TYPES),
        created: { gte: Math.floor(sinceMs / 1000) },
        limit: PAGE_SIZE,
        ...(after === null ? {} : { starting_after: after }),
      },
      how,
    ),
  );
  const notifications = page.data
    .map((event) => toNotification(toRecord(event), isLive))
    .filter((one) => one !== null);
  return { kind: 'page', notifications, next: page.has_more ? (page.data.at(-1)?.id ?? null) : null };
}

/** Null where it is nobody's here, or nothing that we look after. */
function toNotification(event: Record<string, unknown> | null, isLive: boolean): Notification | null {
  if (event?.livemode !== isLive || typeof event.id !== 'string') return null;
  const { id, type, created } = event;
  if (typeof type !== 'string' || !Object.hasOwn(EVENT_TYPES, type)) return null;
  const kind = EVENT_TYPES[type as keyof typeof EVENT_TYPES];
  const object = kind && toNoted(kind, toRecord(event.data)?.object);
  // Stripe dates each; what is without a date is of long ago rather than of now.
  const happenedAtMs = Number.isSafeInteger(created) ? Number(created) * 1000 : 0;
  return object && { id, type, happenedAtMs, object };
}

function toNoted(kind: NotedKind, value: unknown): NotedObject | null {
  const object = toRecord(value);
  if (typeof object?.id !== 'string') return null;
  const { id: processorId } = object;
  if (kind === 'method') return toNotedMethod(object, processorId);
  if (kind === 'charge') return { kind, processorId, ofCharge: null, ownId: null };
  const ofCharge = toId(object.payment_intent);
  const own = kind === 'refund' ? toRecord(object.metadata)?.[OWN_REFUND] : null;
  return { kind, processorId, ofCharge, ownId: typeof own === 'string' && WHOLE_ID.test(own) ? own : null };
}

/** A mandate is its method's. */
function toNotedMethod(object: Record<string, unknown>, id: string): NotedObject | null {
  if (object.object !== 'mandate') return { kind: 'method', processorId: id, ofCharge: null, ownId: null };
  const processorId = toId(object.payment_method);
  return processorId === null ? null : { kind: 'method', processorId, ofCharge: id, ownId: null };
}

/** What is pointed to stands there by its id, or as a whole. */
function toId(value: unknown): string | null {
  if (typeof value === 'string') return value;
  const id = toRecord(value)?.id;
  return typeof id === 'string' ? id : null;
}

function isSigned({ body, headers, secrets, realNowMs }: RawNotification): boolean {
  const header = headers['stripe-signature'];
  if (typeof header !== 'string') return false;
  const parts = header.split(',').map((part) => part.trim().split('='));
  const time = parts.find(([name]) => name === 't')?.[1];
  if (time === undefined || !/^\d{1,12}$/.test(time)) return false;
  if (Math.abs(realNowMs - Number(time) * 1000) > TOLERANCE_MS) return false;
  const given = parts
    .flatMap(([name, value]) => (name === 'v1' && value !== undefined ? [value] : []))
    .slice(0, SIGNATURES_MAX);
  return secrets.some((secret) => {
    const right = createHmac('sha256', secret).update(`${time}.`).update(body).digest('hex');
    return given.some((one) => isSame(one, right));
  });
}

function isSame(given: string, right: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function parse(body: Uint8Array): Record<string, unknown> | null {
  try {
    return toRecord(JSON.parse(Buffer.from(body).toString('utf8')));
  } catch {
    return null;
  }
}

function toRecord(value: unknown): Record<string, unknown> | null {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
}
