/**
 * A merchant's own page asks the portal with the bearer of a session, or what any buyer sees with a publishable pair: of
 * another origin, and without cookies. A preflight bears no key, so that it is answered to any origin; what it asks for is
 * read by the pages alone that the shop lists.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Db } from '../db/database.ts';
import { isWithinSources } from '../domain/frame-sources.ts';
import { isPublishable } from '../domain/publishable-keys.ts';
import { toSettings } from '../domain/settings.ts';
import { getStore } from '../resources/workspaces/workspaces.queries.ts';
import type { Identity } from './authenticate.ts';
import type { FoundBuyer } from './portal-session.ts';

const METHODS = 'GET, POST, PATCH, DELETE';
const HEADERS = 'x-svc-public-key, authorization, content-type, idempotency-key';
/** What a page of the merchant's can use of an answer's headers. */
const SHOWN = 'x-request-id, retry-after, idempotent-replayed';
const KEPT_S = 600;

/** Once for a path that has several methods. */
export function registerPreflight(app: FastifyInstance, path: string): void {
  if (app.hasRoute({ method: 'OPTIONS', url: path })) return;
  app.options(path, { schema: { hide: true } }, async (_request, reply) =>
    reply
      .status(204)
      .header('access-control-allow-origin', '*')
      .header('access-control-allow-methods', METHODS)
      .header('access-control-allow-headers', HEADERS)
      .header('access-control-max-age', KEPT_S)
      .send(),
  );
}

/** Before anything is answered, so that a refusal can be read, too. */
export function letPageRead(request: FastifyRequest, reply: FastifyReply, buyer: FoundBuyer): void {
  if (!buyer.byBearer) return;
  const { settings, scope } = buyer;
  letOriginRead(request, reply, { authorizedDomains: settings.authorizedDomains, testMode: scope.testMode });
}

/** The same of an operation that pages may ask for, by a pair that may stand in one. */
export async function letPublishableRead(
  db: Db,
  { request, reply, identity }: { request: FastifyRequest; reply: FastifyReply; identity: Identity },
): Promise<void> {
  const { pair, scope } = identity;
  if (request.headers.origin === undefined || pair === null || !isPublishable(pair)) return;
  const { authorizedDomains } = toSettings((await getStore(db, scope)).settings);
  letOriginRead(request, reply, { authorizedDomains, testMode: scope.testMode });
}

function letOriginRead(
  { headers: { origin } }: FastifyRequest,
  reply: FastifyReply,
  { authorizedDomains, testMode }: { authorizedDomains: readonly string[]; testMode: boolean },
): void {
  if (origin === undefined) return;
  reply.header('vary', 'origin');
  if (!isWithinSources(origin, authorizedDomains, { testMode })) return;
  reply.header('access-control-allow-origin', origin).header('access-control-expose-headers', SHOWN);
}
