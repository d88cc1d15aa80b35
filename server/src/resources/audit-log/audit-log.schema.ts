/** The audit log in the API. */
import { type Static, Type } from 'typebox';
import { pageAnswer, pageQuery } from '../paging.ts';
import { Answer, Component, Ms, Nullable, StringEnum, Text, TimeBoundTo, TimeInput } from '../shapes.ts';
import type { AuditRow } from './audit-entries.queries.ts';

const SKIP_MAX = 10_000;
const Free = (description: string) => Nullable(Type.Object({}, { additionalProperties: true, description }));

export const AuditEntry = Answer('AuditEntry', {
  object: StringEnum(['audit_entry']),
  id: Type.String(),
  mode: Nullable(StringEnum(['live', 'test'], { description: 'null of the workspace as a whole.' })),
  actor: Type.String({ description: '`account:<id>`, `key:<id>`, or who else it was.' }),
  operation: Type.String({ description: 'The operation id of the description, or what an account did.' }),
  objectId: Nullable(Type.String()),
  before: Free('What it was before, without secrets.'),
  after: Free('What was made of it, without secrets.'),
  requestId: Nullable(Type.String()),
  client: Nullable(
    Type.String({ description: 'The program that asked by a tool, as it calls itself; null of other ways.' }),
  ),
  createdAt: Ms(),
});

export const ListAuditEntries = Type.Object({
  ...pageQuery,
  skip: Type.Optional(Type.Integer({ minimum: 0, maximum: SKIP_MAX })),
  actor: Type.Optional(Text(100, { description: 'Who did it: `account:<id>` or `key:<id>`.' })),
  operation: Type.Optional(Text(100, { description: 'The operation id of the description.' })),
  objectId: Type.Optional(Text(100)),
  requestId: Type.Optional(Text(100)),
  term: Type.Optional(
    Text(200, {
      description: 'Part of the operation’s name; or the id of an object, a request or who did it.',
    }),
  ),
  createdFrom: Type.Optional(TimeInput()),
  createdTo: Type.Optional(TimeBoundTo()),
  returnCount: Type.Optional(Type.Boolean()),
});

export const AuditEntriesData = Answer(null, {
  auditEntries: Type.Array(Component(AuditEntry)),
  ...pageAnswer,
});

export function toAuditEntry(row: AuditRow): Static<typeof AuditEntry> {
  return {
    object: 'audit_entry',
    id: row.id,
    mode: row.testMode === null ? null : row.testMode ? 'test' : 'live',
    actor: row.actor,
    operation: row.operation,
    objectId: row.objectId,
    before: toObject(row.before),
    after: toObject(row.after),
    requestId: row.requestId,
    client: row.client,
    createdAt: row.createdAt,
  };
}

function toObject(value: unknown): Record<string, unknown> | null {
  return typeof value === 'object' && !Array.isArray(value)
    ? (value as Record<string, unknown> | null)
    : null;
}
