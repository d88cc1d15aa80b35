/** The two envelopes of the seed, as schemas. */
import { type TSchema, Type } from 'typebox';
import { ERRORS, type ErrorCode } from '../domain/errors.ts';
import { Answer, StringEnum } from '../resources/shapes.ts';

export const ErrorAnswer = Answer('Error', {
  status: StringEnum(['error']),
  error: Type.Object(
    {
      message: Type.String({ description: 'For people; names the field.' }),
      code: Type.String({ description: 'A stable word of the error catalogue (docs/errors.md).' }),
      requestId: Type.String(),
      details: Type.Optional(
        Type.Array(
          Answer(null, {
            path: Type.Optional(Type.String({ description: 'A place of the input that is not valid.' })),
            message: Type.Optional(Type.String()),
            object: Type.Optional(Type.String({ description: 'Of an object that the refusal is about.' })),
            id: Type.Optional(Type.String()),
          }),
        ),
      ),
    },
    { additionalProperties: false },
  ),
});

export function SuccessAnswer(data: TSchema): TSchema {
  return Answer(null, { status: StringEnum(['success']), data });
}

/** Refusals that any operation can give. */
const COMMON: readonly ErrorCode[] = [
  'invalid_input',
  'unauthorized',
  'secret_key_required',
  'insufficient_scope',
  'workspace_suspended',
  'workspace_archived',
  'rate_limited',
  'internal',
  'unavailable',
  'store_busy',
];
/** A few reads take a body, too. */
const COMMON_BODY: readonly ErrorCode[] = [
  'invalid_json',
  'duplicate_key',
  'body_too_large',
  'unsupported_media_type',
];
const COMMON_WRITE: readonly ErrorCode[] = [
  'invalid_idempotency_key',
  'request_in_progress',
  'clock_advancing',
  'idempotency_key_reused',
];

/** Every refusal of an operation by status, for its description. */
export function errorsByStatus(route: {
  kind: 'read' | 'write' | 'flow';
  method: string;
  path: string;
  errors?: readonly ErrorCode[];
  answersSecret?: boolean;
}): Map<number, ErrorCode[]> {
  const codes = new Set<ErrorCode>([
    ...COMMON,
    ...(route.method === 'GET' ? [] : COMMON_BODY),
    ...(route.kind === 'read' ? [] : COMMON_WRITE),
    ...(route.answersSecret ? (['answer_not_kept'] as const) : []),
    ...(route.errors ?? []),
  ]);
  if (route.path.includes(':')) codes.add('not_found');
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codes) {
    const { status } = ERRORS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return new Map([...byStatus].sort(([a], [b]) => a - b));
}
