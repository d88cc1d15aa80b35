/**
 * Writes what happened, and what is to be sent of it, in the transaction of the change: an event exists
 * exactly when its change does.
 */
import { v4 } from 'uuid';
import type { Ids } from '../../context.ts';
import { noteFacts } from '../../db/committed-facts.ts';
import type { Tx } from '../../db/database.ts';
import type { Scope } from '../../db/scope.ts';
import { askLast } from '../../db/sent-together.ts';
import type { SaleKind } from '../../domain/mails/kinds.ts';
import { type EventType, isOfSubscription } from '../../resources/events/event-types.ts';
import { insertEvents } from '../../resources/events/events.queries.ts';
import type { NewEventRow } from '../../resources/events/events.sql.ts';
import { dropWaitingDeliveries, dropWaitingMails } from '../../resources/installation/resume.queries.ts';
import { toSubscriptionEventData } from '../../resources/sales/sale.view.ts';
import { recordMrrMovement } from '../reports/record-mrr-movement.ts';
import { deriveId, deriveKey, type PeriodWork } from './derive-id.ts';
import { toFacts } from './facts-of-event.ts';
import { chooseMailOfEvent } from './mail-of-event.ts';
import { isToldBefore } from './told-before.ts';

export interface NewEvent {
  type: EventType;
  /** What changed, and its version after the change: one event per change and type. */
  entityId: string;
  entityVersion: number;
  orderId: string | null;
  paymentId: string | null;
  subscriptionId: string | null;
  /** On the workspace's clock. */
  createdAtMs: number;
  /** In the API's form (`EventData`): money as numbers, nothing secret. */
  data: object;
  /** The mail to the buyer, where type and payment do not tell: a change of plan. Null holds it back. */
  mail?: SaleKind | null;
  /** Somebody caused that mail who neither paid nor signed in, and it is one too many: it is kept. */
  isMailHeldBack?: boolean;
  /** Of what a period of a subscription brings by itself: its ids follow from it. */
  work?: EventOfPeriod;
}

/** Which event of a period it is, and where it stands among those of one moment. */
export type EventOfPeriod = Pick<PeriodWork, 'subscriptionId' | 'startMs' | 'n' | 'place'>;

/**
 * Records the events in their order and puts one delivery for each subscribed webhook, and the mail to the
 * buyer, into the queue. The caller's process is nudged by the door or the worker once the transaction has committed.
 * What a change of a subscription brings in a month is put down with it: call it after all changes.
 */
export async function recordEvents(tx: Tx, scope: Scope, ids: Ids, events: NewEvent[]): Promise<void> {
  if (events.length === 0) return;
  const toText = createTexts();
  const rows = events.map((event) => toRow(scope, ids, { ...event, text: toText(event) }));
  noteFacts(tx, () => events.flatMap((event) => toFacts(scope, event)));
  await insertRows(tx, scope, rows);
  for (const { type, subscriptionId, id: eventId, createdAt: at } of rows) {
    if (type !== 'subscription_updated' || subscriptionId === null) continue;
    await recordMrrMovement(scope, { tx, subscriptionId, at, eventId });
  }
}

async function insertRows(tx: Tx, scope: Scope, rows: NewEventRow[]): Promise<void> {
  if (!isToldBefore(tx)) return askLast(tx, () => insertEvents(tx, scope, rows));
  await insertEvents(tx, scope, rows);
  const eventIds = rows.map(({ id }) => id);
  await dropWaitingMails(tx, scope, 'restored', eventIds);
  await dropWaitingDeliveries(tx, scope, 'restored', eventIds);
}

/** Events of one change mostly tell the same sale: its text is made once for payments and once for subscriptions. */
function createTexts(): (event: Pick<NewEvent, 'type' | 'data'>) => string {
  const kept = { payment: new Map<object, string>(), subscription: new Map<object, string>() };
  return ({ type, data }) => {
    const isOwn = isOfSubscription(type);
    const texts = isOwn ? kept.subscription : kept.payment;
    const text = texts.get(data) ?? JSON.stringify(isOwn ? toSubscriptionEventData(data) : data);
    texts.set(data, text);
    return text;
  };
}

export interface SampleEvent extends Pick<NewEvent, 'type' | 'data' | 'createdAtMs'> {
  /** The only webhook that may hear it; undefined = all that hear the type. */
  webhookId: string | undefined;
}

/**
 * Records an event of something that has not happened: of no order, without a mail, and marked as test mode
 * wherever it is sent from. Answers its id.
 */
export async function recordSample(
  tx: Tx,
  scope: Scope,
  ids: Ids,
  { webhookId, ...sample }: SampleEvent,
): Promise<string> {
  const nothing = { orderId: null, paymentId: null, subscriptionId: null, entityVersion: 1, mail: null };
  const event = { ...sample, ...nothing, entityId: ids.next(sample.createdAtMs) };
  const row = toRow({ ...scope, testMode: true }, ids, { ...event, text: createTexts()(event) });
  await insertEvents(tx, scope, [row], webhookId);
  return row.id;
}

/** `text` is the data as JSON. */
function toRow(scope: Scope, ids: Ids, event: NewEvent & { text: string }): NewEventRow {
  const { data, text, createdAtMs, mail = chooseMailOfEvent(event.type, data), work, ...columns } = event;
  const { id, idempotencyKey, mailId } = work
    ? deriveNames({ ...work, workspaceId: scope.workspaceId })
    : makeNames(ids, createdAtMs);
  const envelope = {
    object: 'event',
    id,
    type: event.type,
    idempotencyKey,
    testMode: scope.testMode,
    createdAt: createdAtMs,
  };
  const body = `${JSON.stringify(envelope).slice(0, -1)},"data":${text}}`;
  const row = { ...columns, id, idempotencyKey, createdAt: createdAtMs, body };
  return mail === null ? row : { ...row, mailKind: mail, mailId };
}

function makeNames(ids: Ids, createdAtMs: number) {
  const idempotencyKey = v4({ random: ids.randomBytes(16) });
  return { id: ids.next(createdAtMs), idempotencyKey, mailId: ids.next(createdAtMs) };
}

function deriveNames(work: Omit<PeriodWork, 'kind'>) {
  return {
    id: deriveId({ ...work, kind: 'event' }),
    idempotencyKey: deriveKey(work),
    mailId: deriveId({ ...work, kind: 'mail' }),
  };
}
