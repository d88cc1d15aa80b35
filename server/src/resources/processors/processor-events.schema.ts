/** What processors have told, in the API. */
import { type Static, Type } from 'typebox';
import type { Row } from '../../db/schema.ts';
import { pageAnswer, pageQuery, statusQuery } from '../paging.ts';
import { Answer, Component, Ms, Nullable, StringEnum, Uuid } from '../shapes.ts';

const STATUSES = ['waiting', 'done', 'ignored', 'parked'] as const;

export const ProcessorEvent = Answer('ProcessorEvent', {
  object: StringEnum(['processor_event']),
  id: Uuid(),
  processorId: Uuid(),
  eventId: Type.String({ description: 'As the processor names it.' }),
  type: Type.String({ description: 'As the processor calls it.' }),
  status: StringEnum(STATUSES, {
    description:
      '`waiting`: to be read. `done`: what it is about was looked at. `ignored`: nothing waited for it. ' +
      '`parked`: it could not be read, and waits for you.',
  }),
  tries: Type.Integer({ description: 'That failed.' }),
  lastError: Nullable(Type.String()),
  happenedAt: Ms({ description: 'In real time, as the processor says.' }),
  receivedAt: Ms({ description: 'In real time.' }),
});

export const ListProcessorEvents = Type.Object({
  ...pageQuery,
  ...statusQuery(STATUSES),
  returnCount: Type.Optional(Type.Boolean()),
});
export const ProcessorEventParams = Type.Object({ processorId: Uuid(), processorEventId: Uuid() });
export const ProcessorEventData = Answer(null, { processorEvent: Component(ProcessorEvent) });
export const ProcessorEventsData = Answer(null, {
  processorEvents: Type.Array(Component(ProcessorEvent)),
  ...pageAnswer,
});

export function toProcessorEvent(row: Row<'processorEvents'>): Static<typeof ProcessorEvent> {
  return {
    object: 'processor_event',
    id: row.id,
    processorId: row.connectionId,
    eventId: row.eventId,
    type: row.type,
    status: row.status,
    tries: row.tries,
    lastError: row.lastError,
    happenedAt: row.happenedAt,
    receivedAt: row.receivedAt,
  };
}
