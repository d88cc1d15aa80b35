/**
 * PayPal's events. PayPal is asked whether it signed one, which is sent on as it came: written anew, its checksum would
 * be another. https://developer.paypal.com/api/rest/webhooks/rest/
 */
import { WHOLE_ID } from '../../../domain/numbers.ts';
import type {
  NotedObject,
  Notification,
  NotificationReading,
  NotificationsAsk,
  NotificationsPage,
  RawNotification,
} from '../notification.ts';
import type { PayPalClient } from './client.ts';
import { PayPalFailure } from './failure.ts';
import { findOrderOfCapture, toText } from './orders.ts';
import { toReference } from './vault.ts';

/** Both ways: what was signed long ago may be sent again by whoever saw it. */
const TOLERANCE_MS = 300_000;
const HEADER_MAX = 1000;

type About = 'capture' | 'dispute' | 'method' | 'order' | 'refund' | 'reversal';

/** The events that a webhook of ours asks for, and what each is about. */
export const EVENT_TYPES = {
  'CHECKOUT.ORDER.APPROVED': 'order',
  'CHECKOUT.PAYMENT-APPROVAL.REVERSED': 'order',
  'PAYMENT.CAPTURE.COMPLETED': 'capture',
  'PAYMENT.CAPTURE.PENDING': 'capture',
  'PAYMENT.CAPTURE.DENIED': 'capture',
  'PAYMENT.CAPTURE.REFUNDED': 'refund',
  // A dispute that was lost before anybody was asked.
  'PAYMENT.CAPTURE.REVERSED': 'reversal',
  'CUSTOMER.DISPUTE.CREATED': 'dispute',
  'CUSTOMER.DISPUTE.UPDATED': 'dispute',
  'CUSTOMER.DISPUTE.RESOLVED': 'dispute',
  'VAULT.PAYMENT-TOKEN.DELETED': 'method',
} as const satisfies Record<string, About>;

interface Event {
  id?: unknown;
  event_type?: unknown;
  create_time?: unknown;
  resource?: Resource;
}

interface Resource {
  id?: unknown;
  order_id?: unknown;
  dispute_id?: unknown;
  custom_id?: unknown;
  links?: ReadonlyArray<{ rel?: unknown; href?: unknown }>;
  supplementary_data?: { related_ids?: { order_id?: unknown } };
  disputed_transactions?: ReadonlyArray<{ seller_transaction_id?: unknown }>;
}

/** Throws PayPalFailure where PayPal does not answer. */
export async function readPayPalNotification(
  client: PayPalClient,
  raw: RawNotification,
): Promise<NotificationReading> {
  if (!(await isSigned(client, raw))) return { kind: 'unsigned' };
  const event = parse(raw.body);
  const notification = event && (await toNotification(client, event, raw.realNowMs));
  return notification ? { kind: 'noted', notification } : { kind: 'ignored' };
}

/** Null = it is of nothing that we look after. */
async function toNotification(
  client: PayPalClient,
  event: Event,
  realNowMs: number,
): Promise<Notification | null> {
  const id = toText(event.id);
  const type = toText(event.event_type);
  if (id === null || type === null || !Object.hasOwn(EVENT_TYPES, type)) return null;
  const about = EVENT_TYPES[type as keyof typeof EVENT_TYPES];
  const object = await toNoted(client, about, event.resource ?? {});
  const atMs = Date.parse(toText(event.create_time) ?? '');
  return object && { id, type, happenedAtMs: Number.isNaN(atMs) ? realNowMs : atMs, object };
}

const LISTED = '/v1/notifications/webhooks-events';
const PAGE_SIZE = 100;

interface EventList {
  events?: readonly Event[];
  links?: ReadonlyArray<{ rel?: unknown; href?: unknown }>;
}

/** What PayPal has told since, or would have. A page names the next one by its address, of which the host is left out. */
export async function listPayPalNotifications(
  client: PayPalClient,
  { sinceMs, after }: NotificationsAsk,
  realNowMs: number,
): Promise<NotificationsPage> {
  const query = new URLSearchParams({
    start_time: new Date(sinceMs).toISOString(),
    end_time: new Date(realNowMs).toISOString(),
    page_size: String(PAGE_SIZE),
  });
  const path = `${LISTED}?${after ?? query}`;
  const { events = [], links = [] } = await client.ask<EventList>({ method: 'GET', path });
  const notifications: Notification[] = [];
  // In turn: some ask for the order that they are of.
  for (const event of events) {
    const notification = await toNotification(client, event, realNowMs);
    if (notification) notifications.push(notification);
  }
  const href = toText(links.find(({ rel }) => rel === 'next')?.href);
  const next =
    href === null || events.length === 0 ? null : new URL(href, 'https://paypal.invalid').search.slice(1);
  return { kind: 'page', notifications, next };
}

/** Our rows know orders; what happened to a capture is asked for by the order that it is of. */
async function toNoted(client: PayPalClient, about: About, resource: Resource): Promise<NotedObject | null> {
  if (about === 'order') return toCharge(toText(resource.id) ?? toText(resource.order_id));
  if (about === 'capture') return toCharge(toText(resource.supplementary_data?.related_ids?.order_id));
  if (about === 'method') {
    const vaultId = toText(resource.id);
    if (vaultId === null) return null;
    return { kind: 'method', processorId: toReference(vaultId), ofCharge: null, ownId: null };
  }
  if (about === 'dispute') {
    const processorId = toText(resource.dispute_id);
    const capture = toText(resource.disputed_transactions?.[0]?.seller_transaction_id);
    if (processorId === null || capture === null) return null;
    return { kind: 'dispute', processorId, ofCharge: await findOrderOfCapture(client, capture), ownId: null };
  }
  const processorId = toText(resource.id);
  if (processorId === null) return null;
  const named = toText(resource.supplementary_data?.related_ids?.order_id);
  if (about === 'reversal' && named !== null)
    return { kind: 'dispute', processorId, ofCharge: named, ownId: null };
  const up = toText(resource.links?.find(({ rel }) => rel === 'up')?.href);
  const capture = up === null ? null : (up.split('/').pop() ?? null);
  const ofCharge = capture === null ? null : await findOrderOfCapture(client, capture);
  if (about === 'reversal') return { kind: 'dispute', processorId, ofCharge, ownId: null };
  const own = toText(resource.custom_id);
  return {
    kind: 'refund',
    processorId,
    ofCharge,
    ownId: own !== null && WHOLE_ID.test(own) ? own : null,
  };
}

function toCharge(processorId: string | null): NotedObject | null {
  return processorId === null ? null : { kind: 'charge', processorId, ofCharge: null, ownId: null };
}

/** The secrets are the ids of our webhooks: PayPal signs for one of them. */
async function isSigned(client: PayPalClient, raw: RawNotification): Promise<boolean> {
  const said = (name: string) => {
    const value = raw.headers[`paypal-${name}`];
    return typeof value === 'string' && value.length <= HEADER_MAX ? value : null;
  };
  const time = said('transmission-time');
  const fields = {
    auth_algo: said('auth-algo'),
    cert_url: said('cert-url'),
    transmission_id: said('transmission-id'),
    transmission_sig: said('transmission-sig'),
    transmission_time: time,
  };
  if (Object.values(fields).some((value) => value === null)) return false;
  const atMs = Date.parse(time ?? '');
  if (!(Math.abs(raw.realNowMs - atMs) <= TOLERANCE_MS) || !isObject(raw.body)) return false;
  for (const webhookId of raw.secrets) {
    if (await isSignedFor(client, { ...fields, webhook_id: webhookId }, raw.body)) return true;
  }
  return false;
}

/** What is sent on stands within our own words: only a whole object can. */
function isObject(body: Uint8Array): boolean {
  return parse(body) !== null;
}

async function isSignedFor(client: PayPalClient, fields: object, body: Uint8Array): Promise<boolean> {
  const head = JSON.stringify(fields).slice(0, -1);
  const raw = Buffer.concat([Buffer.from(`${head},"webhook_event":`), body, Buffer.from('}')]);
  const path = '/v1/notifications/verify-webhook-signature';
  const answer = await client
    .ask<{ verification_status?: unknown }>({ method: 'POST', path, raw })
    .catch((error: unknown) => {
      // It cannot be right where PayPal does not even take the question.
      if (error instanceof PayPalFailure && error.kind === 'refused') return null;
      throw error;
    });
  return answer?.verification_status === 'SUCCESS';
}

function parse(body: Uint8Array): Event | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(body).toString('utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Event) : null;
  } catch {
    return null;
  }
}
