/** Events in the API: as they were sent. */
import { type Static, Type } from 'typebox';
import type { Row } from '../../db/schema.ts';
import { pageAnswer, pageQuery } from '../paging.ts';
import {
  Answer,
  Body,
  Component,
  Described,
  Ms,
  StringEnum,
  TimeBound,
  TimeBoundTo,
  Uuid,
} from '../shapes.ts';
import { EVENT_TYPES, EventData as Payload } from './event-types.ts';
import type { ListedEventRow } from './events.queries.ts';

export const Event = Answer('WebhookEvent', {
  object: StringEnum(['event']),
  id: Uuid(),
  type: Type.String({ description: `One of ${EVENT_TYPES.join(', ')}; new types may be added.` }),
  idempotencyKey: Uuid({ description: 'The same on every attempt and resend.' }),
  testMode: Type.Boolean(),
  createdAt: Ms(),
  epoch: Type.Optional(
    Type.Integer({
      minimum: 1,
      description: 'How often the store had been restored from a backup by then; missing = never.',
    }),
  ),
  data: Payload,
});

/** An event whose body is no longer kept. It is only read: what is delivered always has its data. */
export const ExpiredEvent = Answer('ExpiredEvent', {
  ...Event.properties,
  data: Type.Null({ description: 'Always null: its body was let go.' }),
  expiredAt: Ms({ description: 'When its body was let go.' }),
});
const ReadEvent = Type.Union([Component(Event), Component(ExpiredEvent)]);

const Count = Type.Integer({ minimum: 0 });
const deliveryCounts = {
  deliveryCounts: Answer(null, {
    waiting: Described(Count, 'Deliveries that are still to come, or to be tried again.'),
    delivered: Described(Count, 'Deliveries that were answered 2xx.'),
    failed: Described(Count, 'Deliveries that were given up.'),
    dropped: Described(Count, 'Deliveries that were not made any more.'),
  }),
};
/** Rows of the list. */
export const ListedEvent = Answer('ListedEvent', { ...Event.properties, ...deliveryCounts });
export const ListedExpiredEvent = Answer('ListedExpiredEvent', {
  ...ExpiredEvent.properties,
  ...deliveryCounts,
});

export const EventParams = Type.Object({ eventId: Uuid() });
export const ListEvents = Type.Object({
  ...pageQuery,
  types: Type.Optional(Type.Array(StringEnum(EVENT_TYPES), { maxItems: 100 })),
  createdFrom: Type.Optional(TimeBound()),
  createdTo: Type.Optional(TimeBoundTo()),
  orderId: Type.Optional(Uuid()),
  subscriptionId: Type.Optional(
    Type.String({ maxLength: 64, description: "The subscription's id: its initial order's number." }),
  ),
  term: Type.Optional(
    Type.String({ maxLength: 64, description: 'Its id, or the number of its order or subscription.' }),
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
export const EventAnswer = Answer(null, { event: ReadEvent });
export const EventsAnswer = Answer(null, {
  events: Type.Array(Type.Union([Component(ListedEvent), Component(ListedExpiredEvent)])),
  ...pageAnswer,
});

/** An event whose body is there. */
export function toEvent({ body }: { body: string }): Static<typeof Event> {
  // Written by `recordEvents` in this form.
  return JSON.parse(body) as Static<typeof Event>;
}

export function toListedEvent({ deliveryCounts: counts, ...row }: ListedEventRow) {
  return { ...toReadEvent(row), deliveryCounts: counts } as
    | Static<typeof ListedEvent>
    | Static<typeof ListedExpiredEvent>;
}

export function toReadEvent({ body, ...row }: Row<'events'>): Static<typeof ReadEvent> {
  if (body !== null) return toEvent({ body });
  const { id, type, idempotencyKey, testMode, createdAt, expiredAt } = row;
  return {
    object: 'event',
    ...{ id, type, idempotencyKey, testMode, createdAt },
    data: null,
    // The store holds no row without body that does not say since when.
    expiredAt: expiredAt ?? createdAt,
  };
}
