/** The pages behind the link of a subscription's card. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { showCard } from '../flows/dunning/show-card.ts';
import { confirmCard, findCardAction } from '../flows/dunning/take-card.ts';
import { getSubscription } from '../resources/subscriptions/subscriptions.queries.ts';
import { findBuyerLanguage } from '../resources/users/users.queries.ts';
import { openCardPage } from './open-card-page.ts';
import type { PagesOptions } from './send-page.ts';
import { registerStops, sendPayPage } from './serve-pay-pages.ts';

type Asked = FastifyRequest<{ Params: { token: string } }>;

export function registerCardPages(app: FastifyInstance, options: PagesOptions): void {
  const { service } = options;
  app.get('/card/:token', { schema: { hide: true } }, async (request: Asked, reply) => {
    const { token } = request.params;
    const { ctx, scope, subscriptionId } = await openCardPage(service, token, false);
    const { orderId } = await getSubscription(ctx.db, scope, subscriptionId);
    const knownLanguage = await findBuyerLanguage(ctx.db, scope, orderId);
    const state = { ...(await showCard(ctx, scope, subscriptionId)), apiUrl: `/card-pages/${token}` };
    return sendPayPage(options, { request, reply }, { ctx, scope, state, knownLanguage });
  });
  registerStops(app, options, {
    base: '/card',
    confirm: async (token) => {
      const { ctx, scope, subscriptionId } = await openCardPage(service, token, true);
      await confirmCard(ctx, scope, subscriptionId);
    },
    findAction: async (token) => {
      const { ctx, scope, subscriptionId } = await openCardPage(service, token, true);
      return findCardAction(ctx, scope, subscriptionId);
    },
  });
}
