/** The only translator from what was thrown to what is answered. */
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { readStoreFailure } from '../db/store-failure.ts';
import { type ErrorCode, Refusal } from '../domain/errors.ts';
import { toIssues, type ValidationIssue } from '../resources/input-issues.schema.ts';
import { toKeyId } from './key-id.ts';

/** Seconds after which a client may try again. */
const RETRY_AFTER_S = 1;
/** What passes by itself. */
const RETRIED_SOON: ReadonlySet<ErrorCode> = new Set(['unavailable', 'store_busy', 'clock_advancing']);

/** Fastify's error handler: a refusal becomes its status, anything unknown a 500 with a fixed text. */
export function answerError(error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply) {
  return sendRefusal(translateError(error, request, reply), request, reply);
}

/** What was thrown, as it is told, for whoever answers in a form of their own; noted in the log. */
export function translateError(
  error: FastifyError | Error,
  request: FastifyRequest,
  reply: FastifyReply,
): Refusal {
  const refusal = isCutOff(error, request) ? toCutOff(error) : toRefusal(error, request);
  const asked = {
    route: request.routeOptions.url,
    status: refusal.status,
    ms: Math.round(reply.elapsedTime),
    ...whoAsked(request),
  };
  if (refusal.code === 'internal') request.log.error({ ...asked, err: error }, 'a bug of ours');
  else {
    // What a client did wrong happened nowhere in our code.
    const err = refusal.status >= 500 ? refusal.cause : undefined;
    // The answer's own sentence may repeat what was sent.
    const { code, internal } = refusal;
    request.log.info({ ...asked, code, internal, err }, 'a request was refused');
  }
  if (refusal.status === 429 || RETRIED_SOON.has(refusal.code)) {
    if (!reply.hasHeader('retry-after')) reply.header('retry-after', refusal.retryAfterS ?? RETRY_AFTER_S);
  }
  return refusal;
}

/** Whoever sent the request went away, or lost the line, before all of it had come: anybody can, at any door. */
function isCutOff(error: Error, { raw }: FastifyRequest): boolean {
  return raw.errored === error && !raw.complete;
}

function toCutOff(cause: Error): Refusal {
  return new Refusal('invalid_input', { message: 'The body broke off before its end.', cause });
}

/** Null until somebody is known to ask, as of what is refused at the door. */
function whoAsked({ actor }: FastifyRequest) {
  if (!actor) return {};
  const { workspaceId, testMode } = actor.scope;
  const keyId = toKeyId(actor);
  return { workspaceId, mode: testMode ? 'test' : 'live', ...(keyId === null ? {} : { keyId }) };
}

export function sendRefusal(refusal: Refusal, request: FastifyRequest, reply: FastifyReply) {
  const details = refusal.details ?? refusal.facts;
  request.refused = { code: refusal.code, message: refusal.message, ...(details ? { details } : {}) };
  return reply
    .status(refusal.status)
    .header('content-type', 'application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send({
      status: 'error',
      error: {
        message: refusal.message,
        code: refusal.code,
        requestId: request.id,
        ...(details ? { details } : {}),
      },
    });
}

const NO_TYPE = 'The content-type header names no type of file, such as image/png.';

/** What Fastify and its plugins throw, by their code. */
const FASTIFY_CODES: Record<string, ErrorCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'body_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'invalid_json',
  FST_ERR_CTP_INVALID_JSON_BODY: 'invalid_json',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'invalid_json',
  FST_ERR_BAD_URL: 'invalid_input',
  FST_ERR_MAX_PARAM_LENGTH: 'invalid_input',
  FST_ERR_REOPENED_CLOSE_SERVER: 'unavailable',
};

function toRefusal(error: FastifyError | Error, request: FastifyRequest): Refusal {
  if (error instanceof Refusal) return error;
  if ('validation' in error && Array.isArray(error.validation)) return toInputRefusal(error as FastifyError);
  const code = 'code' in error ? String(error.code) : '';
  const known = FASTIFY_CODES[code];
  // An upload takes any type, but not what is none.
  const isUntyped = known === 'unsupported_media_type' && request.routeOptions.config.isUpload === true;
  if (isUntyped) return new Refusal(known, { message: NO_TYPE, cause: error });
  if (known) return new Refusal(known, { cause: error });
  if ('statusCode' in error && error.statusCode === 429) return new Refusal('rate_limited');
  const failure = readStoreFailure(error);
  if (failure !== null)
    return new Refusal(failure === 'busy' ? 'store_busy' : 'unavailable', { cause: error });
  return new Refusal('internal', { cause: error });
}

function toInputRefusal(error: FastifyError): Refusal {
  // Fastify types the issues loosely; they are ajv's.
  const issues = error.validation as unknown as ValidationIssue[];
  const context = error.validationContext === 'body' ? 'body' : (error.validationContext ?? 'body');
  const details = toIssues(issues).map(({ path, message }) => ({ path: path || context, message }));
  const first = details[0] ?? { path: context, message: 'is not valid' };
  const message = `${first.path} ${first.message}`;
  return new Refusal('invalid_input', { message, details });
}
