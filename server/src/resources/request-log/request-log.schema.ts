/** The request log in the API. */
import { type Static, Type } from 'typebox';
import type { Row } from '../../db/schema.ts';
import { pageAnswer, pageQuery } from '../paging.ts';
import { Answer, Component, Ms, Nullable, StringEnum, TimeBoundTo, TimeInput, Uuid } from '../shapes.ts';

const METHODS = ['GET', 'POST', 'PATCH', 'DELETE'] as const;
const Kept = (description: string) => Nullable(Type.Object({}, { additionalProperties: true, description }));

export const LoggedRequest = Answer('LoggedRequest', {
  object: StringEnum(['request']),
  id: Uuid({ description: 'The request id: the header `x-request-id` of the answer.' }),
  requestId: Uuid({ description: 'The same.' }),
  actor: Type.String({ description: '`key:<id>` or `account:<id>`.' }),
  keyId: Nullable(Uuid()),
  withSecret: Type.Boolean({ description: 'Whether the secret key was sent.' }),
  method: Type.String({ description: 'Of HTTP.' }),
  path: Type.String({ description: 'Without its query.' }),
  operation: Type.String({ description: 'The operation id of the description.' }),
  status: Type.Integer({ description: 'Of the answer.' }),
  code: Nullable(Type.String({ description: 'Of a refusal.' })),
  address: Type.String({ description: 'Where it came from.' }),
  durationMs: Type.Integer(),
  query: Kept('Known parameters alone.'),
  requestBody: Kept('Declared fields that hold no secret; null beyond 16 KiB.'),
  responseBody: Kept('Declared fields that hold no secret; null beyond 16 KiB.'),
  createdAt: Ms({ description: 'Real time.' }),
});

export const ListRequests = Type.Object({
  ...pageQuery,
  method: Type.Optional(StringEnum(METHODS, { description: 'Of HTTP.' })),
  status: Type.Optional(
    Type.Integer({ minimum: 2, maximum: 599, description: 'A status, or 4 for all from 400 to 499.' }),
  ),
  keyId: Type.Optional(Uuid()),
  requestId: Type.Optional(Uuid()),
  term: Type.Optional(
    Type.String({ maxLength: 200, description: 'Part of the path or the operation’s name, or its id.' }),
  ),
  createdFrom: Type.Optional(TimeInput()),
  createdTo: Type.Optional(TimeBoundTo()),
  returnCount: Type.Optional(Type.Boolean()),
});

export const RequestsData = Answer(null, {
  requests: Type.Array(Component(LoggedRequest)),
  ...pageAnswer,
});

export function toLoggedRequest(row: Row<'requestLog'>): Static<typeof LoggedRequest> {
  return {
    object: 'request',
    id: row.id,
    requestId: row.id,
    actor: row.actor,
    keyId: row.keyId,
    withSecret: row.withSecret,
    method: row.method,
    path: row.path,
    operation: row.operation,
    status: row.status,
    code: row.code,
    address: row.address,
    durationMs: row.durationMs,
    query: toObject(row.query),
    requestBody: toObject(row.requestBody),
    responseBody: toObject(row.responseBody),
    createdAt: row.createdAt,
  };
}

/** What was kept is an object, or nothing. */
function toObject(value: unknown): Record<string, unknown> | null {
  return typeof value === 'object' ? (value as Record<string, unknown> | null) : null;
}
