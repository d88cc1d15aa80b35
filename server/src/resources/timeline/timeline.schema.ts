/** Timelines and notes in the API. */
import { type Static, Type } from 'typebox';
import type { Row } from '../../db/schema.ts';
import { ENTRY_TYPES, type EntryRow } from '../../domain/timeline.ts';
import { pageAnswer, pageQuery } from '../paging.ts';
import {
  Answer,
  Body,
  Component,
  Described,
  IdOrNumber,
  Ms,
  Nullable,
  StringEnum,
  Text,
  Uuid,
} from '../shapes.ts';

export const NOTE_OBJECTS = ['order', 'payment', 'subscription', 'user'] as const;

export const ListTimeline = Type.Object({
  ...pageQuery,
  types: Type.Optional(Type.Array(StringEnum(ENTRY_TYPES), { maxItems: 20 })),
});

export const TimelineEntry = Answer('TimelineEntry', {
  object: StringEnum(['timeline_entry']),
  id: Uuid({ description: 'Of what it tells of: an event, a charge, a mail …' }),
  type: StringEnum(ENTRY_TYPES),
  at: Ms(),
  title: Type.String({ description: 'Of a note its text.' }),
  actor: Nullable(Type.String({ description: 'Who did it; null of what happened by itself.' })),
  data: Type.Object(
    {},
    { additionalProperties: true, description: 'What else is known of it, by its type.' },
  ),
});
const { count: _count, ...page } = pageAnswer;
export const TimelineData = Answer(null, { entries: Type.Array(Component(TimelineEntry)), ...page });

export const Note = Answer('Note', {
  object: StringEnum(['note']),
  id: Uuid(),
  on: Described(Answer(null, { object: StringEnum(NOTE_OBJECTS), id: Uuid() }), 'What it is noted at.'),
  text: Type.String({ description: 'What was noted.' }),
  author: Type.String({ description: 'As audit rows name who asks.' }),
  createdAt: Ms(),
});
export const CreateNote = Body({
  object: StringEnum(NOTE_OBJECTS),
  objectId: IdOrNumber(),
  text: Text(2000, { description: 'What is noted.' }),
});
export const NoteParams = Type.Object({ noteId: Uuid() });
export const NoteData = Answer(null, { note: Component(Note) });

export function toTimelineEntry({
  type,
  id,
  at,
  title,
  actor,
  data,
}: EntryRow): Static<typeof TimelineEntry> {
  return { object: 'timeline_entry', id, type, at, title, actor, data };
}

export function toNote(row: Row<'notes'>): Static<typeof Note> {
  const { id, object, objectId, text, author, createdAt } = row;
  return { object: 'note', id, on: { object, id: objectId }, text, author, createdAt };
}
