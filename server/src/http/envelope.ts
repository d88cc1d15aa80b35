/** The two envelopes of the seed, as schemas. */
import { type TSchema, Type } from 'typebox';
import { ERRORS, type ErrorCode } from '../domain/errors.ts';
import { Answer, StringEnum } from '../resources/shapes.ts';
import { isListQuery } from './bounded-list.ts';
import type { Route } from './route.ts';

export const ErrorAnswer = Answer('ErrorBody', {
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
            retry: Type.Optional(
              Type.Boolean({ description: 'It could not be judged: the same may be right in a moment.' }),
            ),
            object: Type.Optional(Type.String({ description: 'Of an object that the refusal is about.' })),
            id: Type.Optional(Type.String()),
            current: Type.Optional(
              Type.Object({}, { additionalProperties: true, description: 'The object as it is now.' }),
            ),
          }),
          { description: 'Each place of the input that is wrong, or the objects that it is about.' },
        ),
      ),
    },
    { additionalProperties: false, description: 'What was wrong.' },
  ),
});

export function SuccessAnswer(data: TSchema): TSchema {
  return Answer(null, { status: StringEnum(['success']), data });
}

/** Refusals that any operation can give. */
const COMMON: readonly ErrorCode[] = [
  'invalid_input',
  'rate_limited',
  'internal',
  'unavailable',
  'store_busy',
];
/** Of what is asked in a store, with keys or with a session. */
const COMMON_STORE: readonly ErrorCode[] = [
  'unauthorized',
  'secret_key_required',
  'insufficient_scope',
  'ip_not_allowed',
  'workspace_suspended',
  'workspace_archived',
  'workspace_required',
  'workspace_not_found',
  'insufficient_permission',
  'second_factor_required',
];
/** A few reads take a body, too. */
const COMMON_BODY: readonly ErrorCode[] = [
  'invalid_json',
  'duplicate_key',
  'body_too_large',
  'unsupported_media_type',
];
const COMMON_KEYED: readonly ErrorCode[] = [
  'invalid_idempotency_key',
  'request_in_progress',
  'idempotency_key_reused',
];
const COMMON_WRITE: readonly ErrorCode[] = [...COMMON_KEYED, 'clock_advancing', 'store_held'];

/** Every refusal of an operation by status, for its description. */
export function errorsByStatus(route: {
  kind: Route['kind'];
  audience?: Route['audience'];
  method: string;
  path: string;
  errors?: readonly ErrorCode[];
  answersSecret?: boolean;
  isEdit?: boolean;
  needsFreshProof?: unknown;
  membersOnly?: boolean;
  query?: object;
}): Map<number, ErrorCode[]> {
  const codes = new Set<ErrorCode>([
    ...COMMON,
    ...(route.kind === 'account' || route.audience === 'buyer' ? [] : COMMON_STORE),
    ...(route.audience === 'account' ||
    route.audience === 'installation' ||
    route.audience === 'buyer' ||
    route.membersOnly
      ? (['session_required'] as const)
      : []),
    ...(route.method === 'GET' ? [] : (['cross_site_request'] as const)),
    ...(route.needsFreshProof ? (['reauthentication_required'] as const) : []),
    ...(route.method === 'GET' ? [] : COMMON_BODY),
    ...(route.kind === 'write' || route.kind === 'flow' ? COMMON_WRITE : []),
    ...(route.kind === 'account' && route.method !== 'GET' ? COMMON_KEYED : []),
    ...(route.answersSecret ? (['answer_not_kept'] as const) : []),
    ...(route.isEdit ? (['edit_conflict'] as const) : []),
    ...(route.kind === 'read' && route.audience === undefined && isListQuery(route.query)
      ? (['list_too_wide'] as const)
      : []),
    ...(route.errors ?? []),
  ]);
  if (route.path.includes(':')) codes.add('not_found');
  if (route.audience === 'installation') codes.add('route_not_found');
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codes) {
    const { status } = ERRORS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return new Map([...byStatus].sort(([a], [b]) => a - b));
}
