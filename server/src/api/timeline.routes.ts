/** Timelines: all that happened around one object, in order; and the notes that people add to them. */

import { type TSchema, Type } from 'typebox';
import type { Db } from '../db/database.ts';
import type { Scope } from '../db/scope.ts';
import { notFound, Refusal } from '../domain/errors.ts';
import { parseNumber, WHOLE_ID } from '../domain/numbers.ts';
import { requireWords } from '../domain/require-words.ts';
import type { Area } from '../domain/roles.ts';
import { ENTRY_TYPES, type EntryType } from '../domain/timeline.ts';
import { mayAccess, requireAccess } from '../http/may-do.ts';
import { type Route, read, write } from '../http/route.ts';
import { deleteNote, findNote, insertNote } from '../resources/notes/notes.queries.ts';
import { cutPage, toPage } from '../resources/paging.ts';
import { IdOrNumber, Uuid } from '../resources/shapes.ts';
import { findSubject, listEntriesOf, type Subject } from '../resources/timeline/timeline.queries.ts';
import {
  CreateNote,
  ListTimeline,
  NoteData,
  NoteParams,
  TimelineData,
  toNote,
  toTimelineEntry,
} from '../resources/timeline/timeline.schema.ts';

/** What somebody must be allowed to read to be shown each; null = notes are everybody's. */
const AREAS: Record<EntryType, Area | null> = {
  event: 'events',
  charge: 'payments',
  refund: 'refunds',
  dispute: 'refunds',
  mail: 'mails',
  delivery: 'events',
  audit: 'audit-log',
  note: null,
};
const AREA_OF: Record<Subject['object'], Area> = {
  order: 'orders',
  payment: 'payments',
  subscription: 'subscriptions',
  user: 'users',
};

async function getSubject(
  db: Db,
  scope: Scope,
  { object, text }: { object: Subject['object']; text: string },
): Promise<Subject> {
  const number = parseNumber(text);
  const by = WHOLE_ID.test(text) ? { id: text.toLowerCase() } : number === null ? null : { number };
  const subject = by && (await findSubject(db, scope, { object, by }));
  if (!subject) throw notFound(object, text);
  return subject;
}

/** A path for each kind of subject, since each is named in its own way. */
function timelineOf(object: Subject['object'], { name, params }: { name: string; params: TSchema }): Route {
  const word = `${object}s`;
  return read({
    method: 'GET',
    path: `/v0/timeline/${word}/:${name}`,
    operationId: `get${object[0]?.toUpperCase()}${object.slice(1)}Timeline`,
    tag: 'timeline',
    needsSecret: true,
    summary: `List all that happened around ${object === 'order' ? 'an' : 'a'} ${object}, newest first`,
    description: DESCRIPTION,
    params,
    query: ListTimeline,
    data: TimelineData,
    handler: async ({ db, scope, params: given, query, actor }) => {
      requireAccess(actor, AREA_OF[object], 'read');
      // The path has one parameter.
      const [text = ''] = Object.values(given as Record<string, string>);
      const subject = await getSubject(db, scope, { object, text });
      const page = { ...toPage(query), before: null };
      const { after } = page;
      const types = (query.types ?? ENTRY_TYPES).filter((type) => {
        const area = AREAS[type];
        return area === null || mayAccess(actor, area, 'read');
      });
      const rows = await listEntriesOf(db, scope, {
        subject,
        types,
        after: after && { at: Number(after.value), id: after.id },
        limit: page.take + 1,
      });
      const cut = cutPage(rows, page, ({ at, id }) => ({ value: at, id }));
      return { entries: cut.rows.map(toTimelineEntry), ...cut.page, previousCursor: null };
    },
  });
}

const DESCRIPTION =
  'Events and their deliveries, charges, refunds, disputes, mails, writes of the API and notes, as far as whoever asks ' +
  'may read each. Of a subscription or a user the newest hundred payments and orders are looked at.';

const timelines = [
  timelineOf('order', {
    name: 'orderIdOrNumber',
    params: Type.Object({ orderIdOrNumber: IdOrNumber() }),
  }),
  timelineOf('payment', { name: 'paymentId', params: Type.Object({ paymentId: IdOrNumber() }) }),
  timelineOf('subscription', {
    name: 'subscriptionId',
    params: Type.Object({ subscriptionId: IdOrNumber() }),
  }),
  timelineOf('user', { name: 'userId', params: Type.Object({ userId: Uuid() }) }),
];

const createNote = write({
  method: 'POST',
  path: '/v0/notes/create',
  operationId: 'createNote',
  tag: 'notes',
  summary: 'Add a note to an order, a payment, a subscription or a user',
  body: CreateNote,
  data: NoteData,
  errors: ['not_found'],
  example: { object: 'order', objectId: '7K3M9XQ2V8TD', text: 'Asked by phone for a new key.' },
  handler: async ({ ctx, tx, scope, body: { object, objectId, text }, actor }) => {
    requireAccess(actor, AREA_OF[object], 'read');
    requireWords({ text });
    const subject = await getSubject(tx, scope, { object, text: objectId });
    const note = { object, objectId: subject.id, text, author: actor.name, createdAt: ctx.nowMs };
    return { note: toNote(await insertNote(tx, scope, { ...note, id: ctx.ids.next(ctx.nowMs) })) };
  },
});

const removeNote = write({
  method: 'DELETE',
  path: '/v0/notes/:noteId',
  operationId: 'deleteNote',
  tag: 'notes',
  summary: 'Delete a note of one’s own, or of an object that one may change',
  params: NoteParams,
  data: NoteData,
  handler: async ({ tx, scope, params: { noteId }, actor, audit }) => {
    const row = await findNote(tx, scope, noteId);
    if (!row || !mayAccess(actor, AREA_OF[row.object], 'read')) throw new Refusal('not_found');
    if (row.author !== actor.name) requireAccess(actor, AREA_OF[row.object], 'write');
    audit(toNote(row));
    await deleteNote(tx, scope, noteId);
    return { note: toNote(row) };
  },
});

export const timelineRoutes: Route[] = [...timelines, createNote, removeNote];
