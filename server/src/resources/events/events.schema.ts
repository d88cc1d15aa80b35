/** Events in the API: as they were sent. */
import { type Static, Type } from 'typebox';
import type { Row } from '../../db/schema.ts';
import { pageAnswer, pageQuery } from '../paging.ts';
import { Answer, Body, Component, Ms, StringEnum, TimeInput, Uuid } from '../shapes.ts';
import { EVENT_TYPES, EventData as Payload } from './event-types.ts';

export const Event = Answer('Event', {
  object: StringEnum(['event']),
  id: Uuid(),
  type: Type.String({ description: `One of ${EVENT_TYPES.join(', ')}; new types may be added.` }),
  idempotencyKey: Uuid({ description: 'The same on every attempt and resend.' }),
  testMode: Type.Boolean(),
  createdAt: Ms(),
  data: Payload,
});

export const EventParams = Type.Object({ eventId: Uuid() });
export const ListEvents = Type.Object({
  ...pageQuery,
  types: Type.Optional(Type.Array(StringEnum(EVENT_TYPES), { maxItems: 100 })),
  createdFrom: Type.Optional(TimeInput()),
  createdTo: Type.Optional(TimeInput()),
  orderId: Type.Optional(Uuid()),
  subscriptionId: Type.Optional(
    Type.String({ maxLength: 64, description: "The subscription's id: its initial order's number." }),
  ),
  returnCount: Type.Optional(Type.Boolean()),
});

export const ResendEvent = Body({
  id: Type.Optional(Uuid()),
  webhookId: Type.Optional(Uuid({ description: 'Missing = all active webhooks that hear its type now.' })),
});
export const ResentAnswer = Answer(null, {
  event: Component(Event),
  webhooks: Type.Integer({ description: 'How many webhooks will get it.' }),
});
export const EventAnswer = Answer(null, { event: Component(Event) });
export const EventsAnswer = Answer(null, { events: Type.Array(Component(Event)), ...pageAnswer });

export function toEvent(row: Row<'events'>): Static<typeof Event> {
  // Written by `recordEvents` in this form.
  return JSON.parse(row.body) as Static<typeof Event>;
}
