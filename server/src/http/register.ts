/** Turns declared routes into Fastify routes: who, what, one transaction, one answer. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Service } from '../context.ts';
import { assert } from '../domain/assert.ts';
import { invalidField, Refusal } from '../domain/errors.ts';
import { getStore } from '../resources/workspaces/workspaces.queries.ts';
import { type Access, type Actor, type Authenticator, checkAccess, type Identity } from './authenticate.ts';
import { openContext } from './context.ts';
import { errorsByStatus, SuccessAnswer } from './envelope.ts';
import { createMajorReader, type PriceTerms } from './major-amounts.ts';
import { nameMissing } from './name-missing.ts';
import { createBodyNormaliser } from './normalise-body.ts';
import { toPublicView } from './public-view.ts';
import { coerceQuery, queryProperties, type RawQuery } from './query.ts';
import type { Arrival, RateLimits } from './rate-limits.ts';
import type { Route, RouteRequest } from './route.ts';
import { runWrite, toOneSpelling } from './run-write.ts';
import { toCurl, toExample } from './samples.ts';
import { keepingUpload, STREAMED, STREAMED_SCHEMA, takeStreams } from './upload.ts';

declare module 'fastify' {
  interface FastifyRequest {
    actor: Actor | null;
    /** Null until the request was admitted. */
    arrival: Arrival | null;
  }
}

export interface Door {
  service: Service;
  authenticator: Authenticator;
  limits: RateLimits;
}

export async function registerRoutes(
  app: FastifyInstance,
  door: Door,
  routes: readonly Route[],
): Promise<void> {
  for (const route of routes) {
    const { intake } = route;
    if (!intake) registerRoute(app, door, route);
    else {
      // A context of its own, since JSON is parsed everywhere else.
      await app.register(async (uploads) => {
        takeStreams(uploads, door.service, intake);
        registerRoute(uploads, door, route);
      });
    }
  }
}

function registerRoute(app: FastifyInstance, door: Door, route: Route): void {
  const access: Access = {
    area: route.area ?? route.tag,
    mode: route.kind === 'read' ? 'read' : 'write',
    needsSecret: route.needsSecret,
  };
  const queryFields = queryProperties(route.query);
  const normaliseBody = createBodyNormaliser(route.body);
  const toMinor = createMajorReader(route.body);
  const hasBody = route.method !== 'GET';
  app.route({
    method: route.method,
    url: route.path,
    schema: toFastifySchema(route, hasBody, door.service.config.publicUrl),
    ...(route.intake ? STREAMED : {}),
    ...(route.bodyLimitBytes ? { bodyLimit: route.bodyLimitBytes } : {}),
    onRequest: async (request, reply) => {
      const identity = await identify(door, request, reply);
      checkAccess(identity, access);
      request.actor = identity;
      if (identity.amounts === 'major') reply.header('x-svc-amounts', 'minor');
    },
    preValidation: async (request) => {
      request.query = coerceQuery(queryFields, request.query as RawQuery);
      if (hasBody) {
        request.body ??= {};
        normaliseBody(request.body);
      }
      if (request.params) lowerCaseIds(request.params as Record<string, string>);
      if (toMinor && request.actor?.amounts === 'major')
        toMinor(request.body, await findPriceTerms(door, route, request));
    },
    preHandler: async (request) => {
      if (hasBody && !route.body && !route.intake) checkEmpty(request.body);
      checkRepeatedId(request.params, request.body);
    },
    handler: route.intake
      ? keepingUpload(door.service, route.intake, (request, reply) => answer(door, route, request, reply))
      : (request, reply) => answer(door, route, request, reply),
  });
}

/** What the prices of a request are in where it does not say: the object's currency, else the store's. */
async function findPriceTerms(
  { service: { db } }: Door,
  { priceTerms }: Route,
  { actor, params }: FastifyRequest,
): Promise<PriceTerms> {
  assert(actor, 'who asks is known before a body is looked at');
  const own = await priceTerms?.(db, actor.scope, Object.values(params as Record<string, string>)[0] ?? '');
  return own ?? { currency: (await getStore(db, actor.scope)).currency };
}

/** Whose pair it is; the limits hear whether it is one. */
async function identify(
  { authenticator, limits }: Door,
  { arrival }: FastifyRequest,
  reply: FastifyReply,
): Promise<Identity> {
  assert(arrival, 'a request is admitted before it is looked at');
  let identity: Identity;
  try {
    identity = await authenticator.identify(arrival.keys);
  } catch (error) {
    if (error instanceof Refusal) limits.noteWrong(arrival);
    throw error;
  }
  limits.noteValid(arrival, identity, reply);
  return identity;
}

/** Ids are lower case; a client's upper-case UUID is the same id. */
function lowerCaseIds(params: Record<string, string>): void {
  for (const name of Object.keys(params)) {
    const value = params[name];
    if (value !== undefined && /^[0-9A-F-]{36}$/i.test(value)) params[name] = value.toLowerCase();
  }
}

/** Of an operation without fields every field is one too many. */
function checkEmpty(body: unknown): void {
  if (typeof body !== 'object' || Array.isArray(body)) throw invalidField('body', 'must be an object');
  const [name] = Object.keys((body ?? {}) as Record<string, unknown>);
  if (name !== undefined) throw invalidField(name, 'is not a field of this operation');
}

/** A body may repeat the path's id; another one is a mistake of the caller's. */
function checkRepeatedId(params: unknown, body: unknown): void {
  if (typeof body !== 'object' || body === null || !('id' in body)) return;
  const inPath = Object.values((params ?? {}) as Record<string, string>).at(-1);
  if (inPath !== undefined && toOneSpelling(String(body.id)) !== toOneSpelling(inPath)) {
    throw invalidField('id', 'must be the same as in the path');
  }
}

function toFastifySchema(route: Route, hasBody: boolean, publicUrl: string): Record<string, unknown> {
  const example = toExample(route);
  const response: Record<string, unknown> = { 200: SuccessAnswer(route.data) };
  for (const [status, codes] of errorsByStatus(route)) {
    response[status] = { $ref: 'Error#', description: codes.map((code) => `\`${code}\``).join(', ') };
  }
  const keyHeaders = route.needsSecret ? [{ publicKey: [], secretKey: [] }] : [{ publicKey: [] }];
  return {
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    ...(route.description ? { description: route.description } : {}),
    security: keyHeaders,
    ...(route.params ? { params: route.params } : {}),
    ...(route.query ? { querystring: route.query } : {}),
    ...(route.headers ? { headers: route.headers } : {}),
    ...(route.intake ? STREAMED_SCHEMA : {}),
    ...(hasBody && route.body
      ? { body: example === undefined ? route.body : { ...route.body, examples: [example] } }
      : {}),
    ...(route.answersSecret ? { 'x-secret': true } : {}),
    'x-codeSamples': [{ lang: 'Shell', label: 'curl', source: toCurl(route, publicUrl) }],
    response,
  };
}

async function answer(
  door: Door,
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const { actor } = request;
  if (!actor) throw new Refusal('unauthorized');
  const { needsClock, kind } = route;
  const ctx = await openContext(door.service, actor.scope, { needsClock, isWrite: kind !== 'read' });
  const input: RouteRequest<unknown, unknown, unknown> = {
    ctx,
    scope: actor.scope,
    params: request.params,
    query: request.query,
    body: request.body,
    withSecret: actor.withSecret,
    ipAddress: request.ip,
    requestId: request.id,
  };
  try {
    const data =
      kind === 'read'
        ? await route.run({ ...input, db: ctx.db } as never)
        : await runWrite(door.service, route, { input, actor, request, reply });
    if (kind !== 'read') door.service.nudgeWorker();
    return { status: 'success', data: actor.withSecret ? data : toPublicView(data) };
  } catch (error) {
    throw nameMissing(error, request.params);
  }
}
