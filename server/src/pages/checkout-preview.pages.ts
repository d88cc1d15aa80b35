/**
 * The checkout as a buyer would see it, for a frame of the dashboard: it writes nothing, has no session to submit, and
 * takes a look that was not saved yet from the page around it.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../domain/errors.ts';
import { WHOLE_ID } from '../domain/numbers.ts';
import { toSettings } from '../domain/settings.ts';
import { draftSession } from '../flows/checkout/open-checkout.ts';
import { showCheckout } from '../flows/checkout/show-checkout.ts';
import { openContext } from '../http/context.ts';
import { getStore } from '../resources/workspaces/workspaces.queries.ts';
import { identifyMember, type MemberPages } from './identify-member.ts';
import { createFrameSayer, type PagesOptions, sendPage, wantedLanguage } from './send-page.ts';

const ANY_COUNTRY = 'US';

type Asked = FastifyRequest<{ Params: { kind: string; id: string } }>;

export function registerCheckoutPreview(app: FastifyInstance, options: PagesOptions & MemberPages): void {
  // What is archived says so in its frame, which would be blank else.
  const errorHandler = createFrameSayer(options.renderPage);
  app.get('/checkout-preview/:kind/:id', { schema: { hide: true }, errorHandler }, (request: Asked, reply) =>
    sendPreview(options, request, reply),
  );
}

async function sendPreview(options: PagesOptions & MemberPages, request: Asked, reply: FastifyReply) {
  const { service } = options;
  const { kind } = request.params;
  const id = request.params.id.toLowerCase();
  if ((kind !== 'offer' && kind !== 'element') || !WHOLE_ID.test(id)) throw new Refusal('not_found');
  const scope = await service.owners.find(kind, id);
  if (!scope) throw new Refusal('not_found');
  await identifyMember(options, request, { scope, area: 'products' });
  const ctx = await openContext(service, scope, { needsClock: true, isWrite: false });
  const cart = kind === 'element' ? { elementId: id, offerIds: [] } : { elementId: null, offerIds: [id] };
  // Without a word of its own there is nothing that it could be asked for.
  const visitor = { token: '', ipAddress: null, language: wantedLanguage(request) };
  const { sellerCountry } = toSettings((await getStore(ctx.db, scope)).settings);
  const session = draftSession(ctx, scope, { ...cart, ...visitor });
  // A page that knows no country takes the browser's and asks for its price, which nobody answers here.
  const form = { ...session.form, countryCode: sellerCountry ?? ANY_COUNTRY };
  const view = await showCheckout(
    ctx,
    { ...session, form },
    {
      ...{ knownId: null, page: { isFramed: false } },
    },
  );
  return sendPage(options, request, reply, {
    entry: 'preview',
    title: view.seller.name,
    look: view.seller.branding,
    shopLanguage: view.seller.language,
    // What keeps a buyer from paying right now is no part of how it looks.
    state: { ...view, status: 'open', apiUrl: '', action: null },
    frameAncestors: ["'self'"],
  });
}
