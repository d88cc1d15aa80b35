/** Listeners in the API: webhooks without an address, asked by a developer's machine. */
import { type Static, Type } from 'typebox';
import type { Row } from '../../db/schema.ts';
import { EVENT_TYPES, type EventType } from '../events/event-types.ts';
import { Answer, Body, Component, Ms, Nullable, StringEnum, Text, Uuid } from '../shapes.ts';

const EventTypeName = StringEnum(EVENT_TYPES);

export const Listener = Answer('Listener', {
  object: StringEnum(['listener']),
  id: Uuid(),
  name: Type.String(),
  events: Type.Array(EventTypeName),
  secret: Type.String({ description: 'Signs its deliveries; shown here alone.' }),
  createdAt: Ms(),
});

export const HeardDelivery = Answer('HeardDelivery', {
  object: StringEnum(['heard_delivery']),
  id: Uuid({ description: 'Of the delivery: its result is reported by it.' }),
  eventId: Uuid(),
  eventType: Type.String(),
  headers: Type.Record(Type.String(), Type.String(), {
    description: 'As a webhook gets them, signed at this moment.',
  }),
  body: Type.String({ description: 'Byte for byte as a webhook gets it.' }),
});

export const CreateListener = Body({
  name: Text(100, { description: 'What the machine is called.' }),
  events: Type.Array(EventTypeName, { minItems: 1, maxItems: 100 }),
  secret: Type.Optional(
    Type.String({ minLength: 16, maxLength: 256, description: 'After whsec_: base64 of 16 bytes or more.' }),
  ),
});

export const WAIT_MAX_MS = 25_000;
export const TAKE_MAX = 50;
export const NextDeliveries = Body({
  wait: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: WAIT_MAX_MS,
      description: 'How many ms to wait until there is something; 0 when missing.',
    }),
  ),
  take: Type.Optional(
    Type.Integer({ minimum: 1, maximum: TAKE_MAX, description: `${TAKE_MAX} when missing.` }),
  ),
});

/** As many characters of a receiver's answer are kept as of a webhook's. */
const RESPONSE_MAX = 65_536;

const Result = Body({
  id: Uuid({ description: 'Of the delivery.' }),
  statusCode: Type.Optional(
    Nullable(
      Type.Integer({ minimum: 100, maximum: 599, description: 'What was answered; null where nothing was.' }),
    ),
  ),
  error: Type.Optional(
    Nullable(
      StringEnum(['timeout', 'connection', 'dns', 'tls'], { description: 'Why there was no status.' }),
    ),
  ),
  durationMs: Type.Integer({ minimum: 0, maximum: 3_600_000, description: 'In ms.' }),
  responseText: Type.Optional(
    Nullable(
      Type.String({ maxLength: RESPONSE_MAX, description: 'The beginning of the answer; null without one.' }),
    ),
  ),
});
export const ReportResults = Body({
  results: Type.Array(Result, {
    minItems: 1,
    maxItems: TAKE_MAX,
    description: 'What became of each delivery.',
  }),
});
export type ReportedResult = Static<typeof Result>;

export const ListenerParams = Type.Object({ listenerId: Uuid() });
export const ListenerData = Answer(null, { listener: Component(Listener) });
export const HeardData = Answer(null, { deliveries: Type.Array(Component(HeardDelivery)) });
export const ReportData = Answer(null, {
  recorded: Type.Integer({
    minimum: 0,
    description: 'How many attempts were noted: a delivery that has ended is left as it is.',
  }),
});

export function toListener(row: Row<'listeners'>): Static<typeof Listener> {
  const { id, name, secret, createdAt } = row;
  // Known types: checked on the way in.
  return { object: 'listener', id, name, events: row.events as EventType[], secret, createdAt };
}
