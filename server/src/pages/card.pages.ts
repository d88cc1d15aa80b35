/** The pages behind the link of a subscription's card. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { toSettings } from '../domain/settings.ts';
import { showCard } from '../flows/dunning/show-card.ts';
import { confirmCard, findCardAction } from '../flows/dunning/take-card.ts';
import { findPageSources } from '../flows/payments/choose-connection.ts';
import { getStore } from '../resources/workspaces/workspaces.queries.ts';
import { openCardPage } from './open-card-page.ts';
import { type PagesOptions, sendPage } from './send-page.ts';

type Asked = FastifyRequest<{ Params: { token: string } }>;

export function registerCardPages(app: FastifyInstance, options: PagesOptions): void {
  const { service } = options;
  const hidden = { schema: { hide: true } };
  app.get('/card/:token', hidden, async (request: Asked, reply) => {
    const { token } = request.params;
    const { ctx, scope, subscriptionId } = await openCardPage(service, token, false);
    const view = await showCard(ctx, scope, subscriptionId);
    const settings = toSettings((await getStore(ctx.db, scope)).settings);
    return sendPage(options, request, reply, {
      entry: 'pay',
      sources: await findPageSources(ctx, scope, { settings }),
      title: view.seller.name,
      look: view.seller.branding,
      shopLanguage: view.seller.language,
      state: { ...view, apiUrl: `/card-pages/${token}` },
    });
  });
  // Back from a processor's page: what it appended to the address says nothing that is not asked of itself.
  app.get('/card/:token/return', hidden, async (request: Asked, reply) => {
    const { token } = request.params;
    const { ctx, scope, subscriptionId } = await openCardPage(service, token, true);
    await confirmCard(ctx, scope, subscriptionId);
    service.nudgeWorker();
    return reply.header('cache-control', 'no-store').redirect(`/card/${token}`, 303);
  });
  // On to the processor's page, whose address may hold a secret and is asked for each time.
  app.get('/card/:token/authenticate', hidden, async (request: Asked, reply) => {
    const { token } = request.params;
    const { ctx, scope, subscriptionId } = await openCardPage(service, token, true);
    const action = await findCardAction(ctx, scope, subscriptionId);
    const to = action.kind === 'redirect' ? action.url : `/card/${token}`;
    return reply.header('cache-control', 'no-store').redirect(to, 303);
  });
}
