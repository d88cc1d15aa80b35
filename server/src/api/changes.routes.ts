/** What has changed since a moment: what a page asks every few seconds instead of reading everything anew. */
import { type Area, areaOf, type Operation } from '../domain/roles.ts';
import type { Actor } from '../http/authenticate.ts';
import { mayAccess } from '../http/may-do.ts';
import { type Route, read } from '../http/route.ts';
import {
  type ChangeCursor,
  type ChangeRow,
  getChangeClock,
  listChanges,
  listLateChanges,
} from '../resources/changes/changes.queries.ts';
import { ChangesData, ListChanges } from '../resources/changes/changes.schema.ts';
import { decodeCursor, encodeCursor } from '../resources/paging.ts';

const TAKE_DEFAULT = 100;
/** A transaction that began before the cursor was given may commit this much later. */
const LATE_MS = 10_000;
/** Whoever was away for longer reads everything anew. */
const CURSOR_MAX_MS = 24 * 60 * 60 * 1000;
const NO_ID = '00000000-0000-0000-0000-000000000000';

/** What the objects of an area are called, where that is not its name without its last letter. */
const OBJECTS: Readonly<Record<string, string>> = {
  elements: 'checkoutElement',
  settings: 'settings',
  'offer-keys': 'offer_key',
  'custom-fields': 'custom_field',
  'test-clock': 'test_clock',
};

type Operations = () => ReadonlyArray<Operation & { operationId: string }>;

/** `listOperations`: all there are, asked for when the first request comes, since these are two of them. */
export function changeRoutes(listOperations: Operations): Route[] {
  let areas: ReadonlyMap<string, Area | null> | undefined;
  const findArea = (operation: string) => {
    areas ??= new Map(listOperations().map((one) => [one.operationId, areaOf(one) ?? null]));
    return areas.get(operation) ?? null;
  };
  return [
    read({
      method: 'GET',
      path: '/v0/changes',
      operationId: 'listChanges',
      tag: 'changes',
      needsSecret: true,
      summary: 'List what has changed since a cursor',
      description:
        'Writes of the API and events, in the order in which they were written. Shows only what whoever asks may read. ' +
        'Without a cursor it answers none and the cursor of now.',
      query: ListChanges,
      data: ChangesData,
      handler: async ({ db, scope, query: { cursor: text, take = TAKE_DEFAULT }, actor }) => {
        const clock = await getChangeClock(db, scope);
        const now = { ms: clock.nowMs, id: NO_ID };
        const cursor = text === undefined ? now : toCursor(text);
        const isOver = cursor.ms < clock.nowMs - CURSOR_MAX_MS || cursor.ms < (clock.emptiedMs ?? 0);
        if (text === undefined || isOver) return { changes: [], cursor: toText(now), reset: isOver };
        const news = await listChanges(db, scope, { cursor, limit: take });
        const fromMs = cursor.ms - LATE_MS;
        const left = take - news.length;
        const late = left > 0 ? await listLateChanges(db, scope, { cursor, fromMs, limit: left }) : [];
        const last = news.at(-1);
        const shown = [...late.reverse(), ...news].flatMap((row) => toChange(row, { actor, findArea }));
        return {
          changes: shown,
          cursor: last ? toText({ ms: last.writtenMs, id: last.id }) : text,
          reset: false,
        };
      },
    }),
  ];
}

function toCursor(text: string): ChangeCursor {
  const { value, id } = decodeCursor(text, 'number');
  return { ms: Number(value), id };
}

function toText({ ms, id }: ChangeCursor): string {
  return encodeCursor({ value: ms, id });
}

interface View {
  actor: Actor;
  findArea: (operation: string) => Area | null;
}

/** None where whoever asks may not read it. */
function toChange(row: ChangeRow, { actor, findArea }: View) {
  const { id: changeId, operation, createdAt } = row;
  if (row.source === 'audit') {
    const area = findArea(operation);
    if (area === null || !mayAccess(actor, area, 'read')) return [];
    const object = OBJECTS[area] ?? area.replace(/s$/, '').replaceAll('-', '_');
    return [{ changeId, object, id: row.objectId, operation, actor: row.actor, createdAt }];
  }
  if (!mayAccess(actor, 'events', 'read')) return [];
  return listObjects(row)
    .filter(({ area }) => mayAccess(actor, area, 'read'))
    .map(({ object, id }) => ({ changeId, object, id, operation, actor: null, createdAt }));
}

/** What an event is about: of the payment that an order came with, the order, too. */
function listObjects(row: ChangeRow): Array<{ object: string; id: string | null; area: Area }> {
  const { operation, subscriptionNumber, paymentId, orderId } = row;
  if (operation.startsWith('subscription_') && subscriptionNumber !== null)
    return [{ object: 'subscription', id: subscriptionNumber, area: 'subscriptions' }];
  const order = { object: 'order', id: orderId, area: 'orders' as const };
  if (paymentId === null) return [order];
  const payment = { object: 'payment', id: paymentId, area: 'payments' as const };
  return row.isInitial ? [order, payment] : [payment];
}
