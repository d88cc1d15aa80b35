/** The buyer's checkout: the links that lead to it, and its page. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Scope } from '../db/scope.ts';
import { Refusal } from '../domain/errors.ts';
import { type Opening, TOKEN_BYTES, toOpeningToken } from '../domain/link-token.ts';
import { toSettings } from '../domain/settings.ts';
import { showCheckout, toScope } from '../flows/checkout/show-checkout.ts';
import type { RawQuery } from '../http/query.ts';
import { listDefinitions } from '../resources/custom-fields/custom-fields.queries.ts';
import { getStore } from '../resources/workspaces/workspaces.queries.ts';
import { findOpeningScope, openSession } from './open-session.ts';
import { refuseClosedShop } from './open-shop.ts';
import { type Prefill, toPrefill, toPrefillQuery } from './prefill.ts';
import { languageOf, type PagesOptions, sendPage } from './send-page.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function registerCheckoutPages(app: FastifyInstance, options: PagesOptions): void {
  const hidden = { schema: { hide: true } };
  const links = [
    ['/checkout', 'offer'],
    ['/checkout-element', 'element'],
  ] as const;
  for (const [base, kind] of links) {
    app.get<{ Params: { id: string } }>(`${base}/:id`, hidden, (request, reply) =>
      redirectToSession(options, { request, reply, opening: { kind, id: request.params.id }, base }),
    );
    app.get<{ Params: { token: string } }>(`${base}/:id/checkout/:token`, hidden, (request, reply) =>
      sendCheckout(options, { request, reply, token: request.params.token }),
    );
  }
}

interface OpenedLink {
  request: FastifyRequest;
  reply: FastifyReply;
  opening: Opening;
  base: string;
}

/** Each visit leads to a session of its own, of which nothing is written: what the link brought along goes with it. */
async function redirectToSession({ service }: PagesOptions, { request, reply, opening, base }: OpenedLink) {
  const scope = UUID.test(opening.id) ? await findOpeningScope(service, opening) : undefined;
  if (!scope) throw new Refusal('not_found');
  await refuseClosedShop(service.db, scope);
  const token = toOpeningToken(scope.workspaceId, service.ids.randomBytes(TOKEN_BYTES), opening);
  const query = toPrefillQuery(await readPrefill({ service }, request, scope));
  return reply.redirect(`${base}/${opening.id}/checkout/${token}${query}`, 303);
}

interface ShownSession {
  request: FastifyRequest;
  reply: FastifyReply;
  token: string;
}

async function sendCheckout(options: PagesOptions, { request, reply, token }: ShownSession) {
  const { service } = options;
  const visitor = { ipAddress: request.ip, language: languageOf(request) };
  const { ctx, session, isDraft } = await openSession(service, { token, visitor, isWrite: false });
  const scope = toScope(session);
  const prefill = isDraft ? await readPrefill(options, request, scope) : {};
  const view = await showCheckout(ctx, { ...session, form: { ...session.form, ...prefill } });
  const { settings } = await getStore(ctx.db, scope);
  return sendPage(options, request, reply, {
    entry: 'checkout',
    title: view.seller.name,
    state: { ...view, isDraft },
    frameAncestors: toSettings(settings).authorizedDomains,
  });
}

async function readPrefill(
  { service }: Pick<PagesOptions, 'service'>,
  { query }: FastifyRequest,
  scope: Scope,
): Promise<Prefill> {
  const definitions = await listDefinitions(service.db, scope);
  return toPrefill(
    query as RawQuery,
    definitions.map(({ key }) => key),
  );
}
