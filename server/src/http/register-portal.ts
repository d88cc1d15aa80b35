/** Routes of the portal: ways in, and what a buyer does there. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { assert } from '../domain/assert.ts';
import { Refusal } from '../domain/errors.ts';
import { toBuyerView } from '../domain/portal/buyer-view.ts';
import { isProved } from '../domain/portal/session-life.ts';
import { answerOnce } from './answer-once.ts';
import type { Actor } from './authenticate.ts';
import { STRANGERS_BODY_BYTES } from './body-limits.ts';
import { createQueryCheck } from './check-query.ts';
import { checkEmpty, lowerCaseIds } from './check-request.ts';
import { openContext } from './context.ts';
import { refuseCrossSite } from './cross-site.ts';
import type { Door } from './door.ts';
import { toGone } from './gone.ts';
import { nameMissing } from './name-missing.ts';
import { createBodyNormaliser } from './normalise-body.ts';
import { letPageRead, registerPreflight } from './page-cors.ts';
import { createPortalCookies, type PortalCookies } from './portal-cookies.ts';
import type { DoorRequest, OpenedStore, PortalClient } from './portal-route.ts';
import { type FoundBuyer, findBuyer, findPortalScope, loadPortal } from './portal-session.ts';
import { coerceQuery, queryProperties, type RawQuery } from './query.ts';
import type { Route, RouteRequest } from './route.ts';
import { runWrite } from './run-write.ts';
import { findSignedIn } from './signed-in-buyer.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Of a request of the portal. */
    buyer: FoundBuyer | null;
  }
}

type DescribedRoute = Route & { schema: Record<string, unknown> };

const USER_AGENT_MAX = 300;

export function registerPortalRoute(app: FastifyInstance, door: Door, route: DescribedRoute): void {
  const cookies = createPortalCookies(door.service.config.publicUrl);
  const queryFields = queryProperties(route.query);
  const normaliseBody = createBodyNormaliser(route.body);
  const isWrite = route.method !== 'GET';
  const isDoor = route.audience === 'visitor';
  registerPreflight(app, route.path);
  app.route({
    method: route.method,
    url: route.path,
    schema: route.schema,
    bodyLimit: route.bodyLimitBytes ?? STRANGERS_BODY_BYTES,
    onRequest: async (request, reply) => {
      if (route.isHeardFromAnywhere) return;
      if (isDoor) refuseForeign(door, request);
      else await admitBuyer(door, { route, request, reply, cookies });
    },
    preValidation: async (request) => {
      request.query = coerceQuery(queryFields, request.query as RawQuery);
      if (isWrite) {
        request.body ??= {};
        normaliseBody(request.body);
      }
      if (request.params) lowerCaseIds(request.params as Record<string, string>);
    },
    preHandler: async ({ body }) => {
      if (isWrite && !route.body) checkEmpty(body);
    },
    handler: async (request, reply) => {
      const client = toClient(cookies, request, reply);
      if (isDoor) {
        const once = { route, request, reply, asker: toAskerAtDoor(request, client) };
        const work = () => route.run(toDoorRequest(door, request, client) as never);
        return { status: 'success', data: toBuyerView(await answerOnce(door.service.db, once, work)) };
      }
      return answer(door, { route, request, reply, cookies, client });
    },
  });
}

/** A browser says which page asks. What says nothing is no browser, and has no cookie that somebody could borrow. */
function refuseForeign({ service }: Door, request: FastifyRequest): void {
  const { origin, 'sec-fetch-site': site } = request.headers;
  if (origin !== undefined || site !== undefined) refuseCrossSite(request, service.config.publicUrl);
}

interface Admitting {
  route: Route;
  request: FastifyRequest;
  reply: FastifyReply;
  cookies: PortalCookies;
}

/** Throws session_required, cross_site_request and reauthentication_required. */
async function admitBuyer({ service }: Door, { route, request, reply, cookies }: Admitting): Promise<void> {
  const byCookie = request.headers.authorization === undefined;
  if (byCookie && route.method !== 'GET') refuseCrossSite(request, service.config.publicUrl);
  const buyer = await findBuyer(service, cookies, request.headers);
  letPageRead(request, reply, buyer);
  const { needsFreshProof } = route;
  const asked = { nowMs: service.realNowMs(), byBuyer: needsFreshProof === 'own' };
  if (needsFreshProof && !isProved(buyer.session, asked)) throw new Refusal('reauthentication_required');
  request.buyer = buyer;
}

function toClient(cookies: PortalCookies, request: FastifyRequest, reply: FastifyReply): PortalClient {
  assert(request.arrival, 'a request is admitted before it is looked at');
  const { headers } = request;
  const set = (header: string) => void reply.header('set-cookie', header);
  return {
    addressKey: request.arrival.address,
    userAgent: (headers['user-agent'] ?? '').slice(0, USER_AGENT_MAX),
    acceptLanguage: headers['accept-language'],
    requestId: request.id,
    asked: cookies.readAsked(headers.cookie),
    keepAsked: (asked) => set(cookies.writeAsked(asked)),
    keepSession: (scope, token) => set(cookies.writeSession(scope, token)),
    sessionToken: (scope) => cookies.readSession(headers.cookie, scope),
  };
}

function toDoorRequest(
  { service }: Door,
  request: FastifyRequest,
  client: PortalClient,
): DoorRequest<unknown> {
  // Not as a write: whoever only wants to be let in is not kept waiting while the test clock is moved.
  const openScope = async (scope: OpenedStore['scope'], isWrite = false): Promise<OpenedStore> => {
    const ctx = await openContext(service, scope, { needsClock: true, isWrite });
    return { ctx, scope, ...(await loadPortal(ctx.db, scope)) };
  };
  return {
    service,
    body: request.body,
    client,
    openScope: (scope) => openScope(scope),
    findSignedIn: (scope) => findSignedIn(service, request, scope),
    open: async ({ store, testMode }, options) => {
      const name = testMode ? `${store}/test` : store;
      const scope = await findPortalScope(service.db, name, service.realNowMs());
      if (!scope) throw new Refusal('not_found', { message: 'There is no such portal.' });
      return openScope(scope, options?.isWrite);
    },
  };
}

interface Answering {
  route: Route;
  request: FastifyRequest;
  reply: FastifyReply;
  cookies: PortalCookies;
  client: PortalClient;
}

async function answer(
  { service }: Door,
  { route, request, reply, cookies, client }: Answering,
): Promise<unknown> {
  const { buyer } = request;
  assert(buyer, 'a buyer is admitted before they are answered');
  const { scope } = buyer;
  const isRead = route.kind === 'read';
  const ctx = await openContext(service, scope, { needsClock: true, isWrite: !isRead });
  const actor = toActor(buyer);
  const input: RouteRequest<unknown, unknown, unknown> & { buyer: FoundBuyer; client: PortalClient } = {
    ...{ ctx, scope, actor, buyer, client },
    params: request.params,
    query: request.query,
    body: request.body,
    withSecret: true,
    ipAddress: request.ip,
    requestId: request.id,
    gone: () => toGone(reply),
    admitAgain: async () => void (await findBuyer(service, cookies, request.headers)),
    checkQuery: createQueryCheck(request),
  };
  try {
    const data = isRead
      ? await route.run({ ...input, db: ctx.db } as never)
      : await runWrite(service, route, { input, actor, request, reply });
    if (!isRead) service.nudgeWorker(scope);
    return { status: 'success', data: toBuyerView(data) };
  } catch (error) {
    throw nameMissing(error, request.params);
  }
}

/** Whose key it is: keys of one address are told apart by the shop. */
function toAskerAtDoor({ body }: FastifyRequest, { addressKey }: PortalClient): string {
  const { store = '', testMode = false } = (body ?? {}) as { store?: string; testMode?: boolean };
  return `door:${store}:${testMode ? 'test' : 'live'}:${addressKey}`;
}

/** As audit rows and kept keys name a buyer. */
function toActor({ user, session, scope }: FoundBuyer): Actor {
  const name = `user:${user.id}`;
  const nothing = { scopes: null, member: null, pair: null };
  return { name, asker: name, countedBy: session.id, scope, ...nothing, withSecret: true, amounts: 'minor' };
}
