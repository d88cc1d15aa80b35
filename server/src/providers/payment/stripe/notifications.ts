/**
 * Stripe's events. The signature is checked by ourselves: the client takes times that lie ahead, and knows one secret.
 * `Stripe-Signature: t=<seconds>,v1=<hex>,…`, where v1 is the HMAC-SHA256 of `<seconds>.<body>`; there is one for each
 * secret while one replaces another.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { WHOLE_ID } from '../../../domain/numbers.ts';
import type { NotedKind, NotedObject, NotificationReading, RawNotification } from '../notification.ts';

/** Both ways: what was signed long ago may be sent again by whoever saw it, what is signed ahead is nobody's. */
const TOLERANCE_MS = 300_000;
/** A header with more is none of Stripe's: each costs a comparison. */
const SIGNATURES_MAX = 16;

/** The events that an endpoint of ours asks for, and what they are about. */
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
} as const satisfies Record<string, NotedKind>;

/** The metadata that names our refund. */
const OWN_REFUND = 'cf_refund';

/** `isLive` is the mode of the connection: what belongs to the other is nobody's here. */
export function readStripeNotification(raw: RawNotification, isLive: boolean): NotificationReading {
  if (!isSigned(raw)) return { kind: 'unsigned' };
  const event = parse(raw.body);
  if (event?.livemode !== isLive || typeof event.id !== 'string') return { kind: 'ignored' };
  const { id, type, created } = event;
  if (typeof type !== 'string' || !Object.hasOwn(EVENT_TYPES, type)) return { kind: 'ignored' };
  const object = toNoted(EVENT_TYPES[type as keyof typeof EVENT_TYPES], toRecord(event.data)?.object);
  if (!object) return { kind: 'ignored' };
  const happenedAtMs = Number.isSafeInteger(created) ? Number(created) * 1000 : raw.realNowMs;
  return { kind: 'noted', notification: { id, type, happenedAtMs, object } };
}

function toNoted(kind: NotedKind, value: unknown): NotedObject | null {
  const object = toRecord(value);
  if (typeof object?.id !== 'string') return null;
  const { id: processorId } = object;
  if (kind === 'charge') return { kind, processorId, ofCharge: null, ownId: null };
  const ofCharge = toId(object.payment_intent);
  const own = kind === 'refund' ? toRecord(object.metadata)?.[OWN_REFUND] : null;
  return { kind, processorId, ofCharge, ownId: typeof own === 'string' && WHOLE_ID.test(own) ? own : null };
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
