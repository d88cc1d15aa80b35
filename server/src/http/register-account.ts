/** Routes of what belongs to no store: the ways in, an account's own, and the installation's. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { assert } from '../domain/assert.ts';
import { Refusal } from '../domain/errors.ts';
import type { StandingSession } from '../resources/accounts/account-sessions.queries.ts';
import { answerOnce } from './answer-once.ts';
import { STRANGERS_BODY_BYTES } from './body-limits.ts';
import { checkEmpty, lowerCaseIds } from './check-request.ts';
import { refuseCrossSite } from './cross-site.ts';
import type { Door } from './door.ts';
import { requireFreshProof } from './fresh-proof.ts';
import { createBodyNormaliser } from './normalise-body.ts';
import { coerceQuery, queryProperties, type RawQuery } from './query.ts';
import type { AccountRequest, Audience, Client, Route } from './route.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Of a request of an account's operation. */
    session: StandingSession | null;
  }
}

const USER_AGENT_MAX = 300;

export function registerAccountRoute(
  app: FastifyInstance,
  door: Door,
  route: Route & { schema: Record<string, unknown> },
): void {
  const { audience } = route;
  assert(audience, 'a route of accounts says for whom it is');
  const { config } = door.service;
  const queryFields = queryProperties(route.query);
  const normaliseBody = createBodyNormaliser(route.body);
  const isWrite = route.method !== 'GET';
  app.route({
    method: route.method,
    url: route.path,
    schema: route.schema,
    bodyLimit: STRANGERS_BODY_BYTES,
    onRequest: async (request, reply) => {
      // First, since what another site's page sends must not even tell whether somebody is signed in.
      if (isWrite && !isByPair(request, audience)) refuseCrossSite(request, config.publicUrl);
      request.session = await findCaller(door, request, { reply, audience });
    },
    preValidation: async (request) => {
      request.query = coerceQuery(queryFields, request.query as RawQuery);
      if (isWrite) {
        request.body ??= {};
        normaliseBody(request.body);
      }
      if (request.params) lowerCaseIds(request.params as Record<string, string>);
    },
    preHandler: async ({ body, params, session }) => {
      if (isWrite && !route.body) checkEmpty(body);
      if (!session) return;
      const asked = { needs: route.needsFreshProof, nowMs: door.service.realNowMs() };
      requireFreshProof(session, { ...asked, request: { testMode: false, params, body } });
    },
    handler: async (request, reply) => {
      const input: AccountRequest<unknown, unknown, unknown, StandingSession | null> = {
        service: door.service,
        nowMs: door.service.realNowMs(),
        params: request.params,
        query: request.query,
        body: request.body,
        session: request.session,
        client: toClient(door, request, reply),
        forget: (accountId) => door.authenticator.sessions.forget(accountId),
        forgetPairs: () => door.authenticator.forgetPairs(),
      };
      const { session, arrival } = request;
      const asker = session ? `account:${session.accountId}` : `address:${arrival?.address}`;
      const once = { route, request, reply, asker };
      const data = await answerOnce(door.service.db, once, () => route.run(input as never));
      const target = reply.getHeader('location');
      // Already said where to go: the answer's body is nobody's.
      if (target !== undefined) return reply.redirect(String(target), 302);
      return { status: 'success', data };
    },
  });
}

/**
 * A key pair where only a person may act. No other site's page can send one; it is nobody here, whatever cookie lies
 * beside it, and is told that, not where its request came from.
 */
function isByPair({ arrival }: FastifyRequest, audience: Audience): boolean {
  const keys = arrival?.keys;
  return audience !== 'anyone' && keys !== undefined && (keys.publicKey !== null || keys.secretKey !== null);
}

/** Throws session_required where somebody must have signed in and nobody has. */
async function findCaller(
  { authenticator, limits }: Door,
  { arrival, method, url }: FastifyRequest,
  { reply, audience }: { reply: FastifyReply; audience: Audience },
): Promise<StandingSession | null> {
  assert(arrival, 'a request is admitted before it is looked at');
  const { session: sent } = arrival.keys;
  const session = (sent && (await authenticator.sessions.find(sent.tokenHash))) ?? null;
  if (session) {
    const counted = { countedBy: session.sessionId, withSecret: true, member: session };
    limits.noteValid(arrival, { ...counted, scope: { testMode: false } }, reply);
  }
  if (audience === 'installation' && !session?.isInstallationAdmin) {
    throw new Refusal('route_not_found', { message: `There is no ${method} ${url.split('?')[0]}.` });
  }
  if (audience === 'account' && !session) throw new Refusal('session_required');
  return session;
}

function toClient({ cookies }: Door, request: FastifyRequest, reply: FastifyReply): Client {
  assert(request.arrival, 'a request is admitted before it is looked at');
  return {
    ipAddress: request.ip,
    addressKey: request.arrival.address,
    userAgent: (request.headers['user-agent'] ?? '').slice(0, USER_AGENT_MAX),
    requestId: request.id,
    cookie: (name) => cookies.read(request.headers.cookie, name),
    search: new URL(request.url, 'http://localhost').search,
    redirect: (url) => void reply.header('location', url),
    setCookie: (name, value) => void reply.header('set-cookie', cookies.write(name, value)),
  };
}
