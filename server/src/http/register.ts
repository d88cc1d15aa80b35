/** Turns declared routes into Fastify routes: who, what, one transaction, one answer. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { assert } from '../domain/assert.ts';
import { Refusal } from '../domain/errors.ts';
import { isForPages } from '../domain/publishable-keys.ts';
import { type Area, areaOf } from '../domain/roles.ts';
import { PRODUCT_VERSION } from '../domain/version.ts';
import { getStore } from '../resources/workspaces/workspaces.queries.ts';
import { type Access, type Actor, checkAccess, type Identity } from './authenticate.ts';
import { isListQuery, runBounded } from './bounded-list.ts';
import { createQueryCheck } from './check-query.ts';
import { checkEmpty, checkRepeatedId, lowerCaseIds } from './check-request.ts';
import { openContext } from './context.ts';
import { refuseCrossSite } from './cross-site.ts';
import { toSdkName } from './description/sdk-names.ts';
import type { Door } from './door.ts';
import { IfMatch, toETag } from './edit-versions.ts';
import { errorsByStatus, SuccessAnswer } from './envelope.ts';
import { requireFreshProof } from './fresh-proof.ts';
import { toGone } from './gone.ts';
import { createMajorReader, type PriceTerms } from './major-amounts.ts';
import { toMemberView } from './member-view.ts';
import { nameMissing } from './name-missing.ts';
import { createBodyNormaliser } from './normalise-body.ts';
import { letPublishableRead, registerPreflight } from './page-cors.ts';
import { toPublicView } from './public-view.ts';
import { coerceQuery, queryProperties, type RawQuery } from './query.ts';
import type { Arrival } from './rate-limits.ts';
import { registerAccountRoute } from './register-account.ts';
import { registerPortalRoute } from './register-portal.ts';
import { createNoter, type ToldRefusal } from './request-log.ts';
import type { Route, RouteRequest } from './route.ts';
import { runWrite } from './run-write.ts';
import { toCurl, toExample } from './samples.ts';
import { toSdkSample } from './sdk-sample.ts';
import { keepingUpload, STREAMED, STREAMED_SCHEMA, takeStreams } from './upload.ts';

declare module 'fastify' {
  interface FastifyRequest {
    actor: Actor | null;
    /** Null until the request was admitted. */
    arrival: Arrival | null;
    /** The data of an answer, and what a refusal said: for the request log. */
    answered: unknown;
    refused: ToldRefusal | null;
  }
}

export async function registerRoutes(
  app: FastifyInstance,
  door: Door,
  routes: readonly Route[],
): Promise<void> {
  for (const route of routes) {
    const { intake } = route;
    if (route.audience === 'visitor' || route.audience === 'buyer')
      registerPortalRoute(app, door, { ...route, schema: describe(door, route) });
    else if (route.kind === 'account')
      registerAccountRoute(app, door, { ...route, schema: describe(door, route) });
    else if (!intake) registerRoute(app, door, route);
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
  const access = toAccess(route);
  const toNote = createNoter(route, door.shared);
  const queryFields = queryProperties(route.query);
  const normaliseBody = createBodyNormaliser(route.body);
  const toMinor = createMajorReader(route.body);
  const hasBody = route.method !== 'GET';
  const isAskedByPages = isForPages({ ...route, area: access.area });
  if (isAskedByPages) registerPreflight(app, route.path);
  app.route({
    method: route.method,
    url: route.path,
    schema: describe(door, route),
    ...(route.intake ? STREAMED : {}),
    ...(route.bodyLimitBytes ? { bodyLimit: route.bodyLimitBytes } : {}),
    onRequest: async (request, reply) => {
      const identity = await identify(door, request, { reply, access });
      if (identity.member && hasBody) refuseCrossSite(request, door.service.config.publicUrl);
      request.actor = identity;
      if (isAskedByPages) await letPublishableRead(door.service.db, { request, reply, identity });
      checkAccess(identity, access, request.ip);
      if (identity.pair) reply.header('x-counterfoil-version', PRODUCT_VERSION);
      if (identity.amounts === 'major') reply.header('x-svc-amounts', 'minor');
    },
    preValidation: (request, _reply, done) => {
      request.query = coerceQuery(queryFields, request.query as RawQuery);
      if (hasBody) {
        request.body ??= {};
        normaliseBody(request.body);
      }
      if (request.params) lowerCaseIds(request.params as Record<string, string>);
      if (!toMinor || request.actor?.amounts !== 'major') return done();
      findPriceTerms(door, route, request)
        .then((terms) => toMinor(request.body, terms))
        .then(() => done(), done);
    },
    preHandler: (request, _reply, done) => {
      if (hasBody && !route.body && !route.intake) checkEmpty(request.body);
      checkRepeatedId(request.params, request.body);
      checkFreshProof(door, route, request);
      done();
    },
    onResponse: (request, reply, done) => {
      const { answered, refused } = request;
      const { statusCode: status, elapsedTime: durationMs } = reply;
      const nowMs = door.service.realNowMs();
      const note = toNote({ request, status, durationMs, data: answered, error: refused, nowMs });
      if (note) door.requestLog.note(note.scope, note.request);
      done();
    },
    handler: route.intake
      ? keepingUpload(door.service, route.intake, (request, reply) => answer(door, route, request, reply))
      : (request, reply) => answer(door, route, request, reply),
  });
}

function toAccess(route: Route): Access {
  return {
    area: toArea(route),
    mode: route.kind === 'read' && !route.isLikeWrite ? 'read' : 'write',
    needsSecret: route.needsSecret,
    ofWorkspace: route.ofWorkspace ?? false,
    inAnyState: route.inAnyState ?? false,
    membersOnly: route.membersOnly ?? false,
  };
}

/** Null = it asks for none. */
function toArea(route: Route): Area | null {
  const area = areaOf(route);
  assert(area !== undefined, `an operation has an area: ${route.operationId}`);
  return area;
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
  { arrival, ip: address }: FastifyRequest,
  { reply, access }: { reply: FastifyReply; access: Access },
): Promise<Identity> {
  assert(arrival, 'a request is admitted before it is looked at');
  let identity: Identity;
  try {
    identity = await authenticator.identify(arrival.keys, { ...access, address });
  } catch (error) {
    if (error instanceof Refusal) limits.noteWrong(arrival);
    throw error;
  }
  limits.noteValid(arrival, identity, reply);
  return identity;
}

/** Nothing is counted: it is the same request. */
async function admitAgain({ authenticator }: Door, route: Route, { arrival, ip: address }: FastifyRequest) {
  assert(arrival, 'a request is admitted before it is looked at');
  const access = toAccess(route);
  const identity = await authenticator.identify(arrival.keys, { ...access, address });
  checkAccess(identity, access, address);
}

function checkFreshProof(
  { service }: Door,
  { needsFreshProof }: Route,
  { actor, params, body }: FastifyRequest,
) {
  if (!actor?.member) return;
  const { testMode } = actor.scope;
  const asked = { needs: needsFreshProof, nowMs: service.realNowMs() };
  requireFreshProof(actor.member.session, { ...asked, request: { testMode, params, body } });
}

function describe({ service }: Door, route: Route): Record<string, unknown> {
  const hasBody = route.method !== 'GET';
  const { publicUrl } = service.config;
  const example = toExample(route);
  const sdk = isOfPairs(route) ? toSdkName(route.operationId) : false;
  const response: Record<string, unknown> = { 200: SuccessAnswer(route.data) };
  if (route.redirects) response[302] = { type: 'null', description: 'Where the browser goes next.' };
  for (const [status, codes] of errorsByStatus(route)) {
    response[status] = { $ref: 'ErrorBody#', description: codes.map((code) => `\`${code}\``).join(', ') };
  }
  return {
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    ...(route.description ? { description: route.description } : {}),
    security: toSecurity(route),
    ...(route.params ? { params: route.params } : {}),
    ...(route.query ? { querystring: route.query } : {}),
    ...toHeaders(route),
    ...(route.intake ? STREAMED_SCHEMA : {}),
    ...(hasBody && route.body
      ? { body: example === undefined ? route.body : { ...route.body, examples: [example] } }
      : {}),
    ...(route.answersSecret ? { 'x-secret': true } : {}),
    'x-sdk': sdk,
    'x-codeSamples': [
      { lang: 'Shell', label: 'curl', source: toCurl(route, publicUrl) },
      ...(sdk ? [{ lang: 'TypeScript', label: 'TypeScript', source: toSdkSample(route, sdk) }] : []),
    ],
    response,
  };
}

/** Whether a key pair may call it: then clients know it. */
const isOfPairs = ({ audience, membersOnly }: Route) => !audience && !membersOnly;

function toHeaders({ headers, isEdit }: Route): Record<string, unknown> {
  if (headers) return { headers };
  return isEdit ? { headers: IfMatch } : {};
}

function toSecurity({ audience, needsSecret, membersOnly }: Route): Array<Record<string, never[]>> {
  if (audience === 'anyone' || audience === 'visitor') return [];
  if (audience === 'buyer') return [{ portalSession: [] }, { portalToken: [] }];
  if (audience || membersOnly) return [{ session: [] }];
  return [needsSecret ? { publicKey: [], secretKey: [] } : { publicKey: [] }, { session: [] }];
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
    actor,
    ipAddress: request.ip,
    requestId: request.id,
    gone: () => toGone(reply),
    admitAgain: () => admitAgain(door, route, request),
    checkQuery: createQueryCheck(request),
  };
  try {
    const data =
      kind === 'read'
        ? await runRead(door, route, { input, reply })
        : await runWrite(door.service, route, { input, actor, request, reply });
    if (kind !== 'read') door.service.nudgeWorker(actor.scope);
    if (kind !== 'read' && (route.ofWorkspace || route.tag === 'api-keys')) door.authenticator.forgetPairs();
    // Who asks sees at once what they did to the workspace; its other members within seconds.
    if (kind !== 'read' && route.ofWorkspace && actor.member)
      door.authenticator.sessions.forget(actor.member.session.accountId);
    const etag = toETag(data);
    if (etag !== null) reply.header('etag', etag);
    const shown = toView(actor, data);
    request.answered = shown;
    return { status: 'success', data: shown };
  } catch (error) {
    throw nameMissing(error, request.params);
  }
}

/** What the standby cannot answer the primary is asked: a read has no effects, and the standby may not know of an object yet. */
async function runRead(
  door: Door,
  route: Route,
  { input, reply }: { input: RouteRequest<unknown, unknown, unknown>; reply: FastifyReply },
): Promise<unknown> {
  const standby = route.fromReports ? await door.service.reports.find() : null;
  if (standby !== null) {
    const { db, staleS } = standby;
    const data = await route.run({ ...input, ctx: { ...input.ctx, db }, db } as never).catch(() => undefined);
    if (data !== undefined) {
      reply.header('x-counterfoil-stale', Math.ceil(staleS));
      return data;
    }
  }
  const isList = isListQuery(route.query);
  return runBounded(input, isList, (db) => route.run({ ...input, db } as never) as Promise<unknown>);
}

function toView({ withSecret, member, scope }: Actor, data: unknown): unknown {
  if (!withSecret) return toPublicView(data);
  return member ? toMemberView(data, { ...member, testMode: scope.testMode }) : data;
}
