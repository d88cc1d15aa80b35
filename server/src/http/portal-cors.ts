/**
 * A merchant's own page asks the portal with the bearer of a session: of another origin, and without cookies. A preflight
 * bears no key, so that it is answered to any origin; what it asks for is read by the pages alone that the shop lists.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isWithinSources } from '../domain/frame-sources.ts';
import type { FoundBuyer } from './portal-session.ts';

const METHODS = 'GET, POST, PATCH, DELETE';
const HEADERS = 'x-svc-public-key, authorization, content-type, idempotency-key';
/** What a page of the merchant's can use of an answer's headers. */
const SHOWN = 'x-request-id, retry-after, idempotent-replayed';
const KEPT_S = 600;

export function registerPortalPreflight(app: FastifyInstance, path: string): void {
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
  const { origin } = request.headers;
  if (!buyer.byBearer || origin === undefined) return;
  reply.header('vary', 'origin');
  const { authorizedDomains } = buyer.settings;
  if (!isWithinSources(origin, authorizedDomains, buyer.scope)) return;
  reply.header('access-control-allow-origin', origin).header('access-control-expose-headers', SHOWN);
}
