/** The pages behind the links of a payment. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { canOpenProof } from '../flows/dunning/prove-payer.ts';
import { findLegalPaths } from '../resources/consumer/legal-pages.queries.ts';
import { findBuyerLanguage } from '../resources/users/users.queries.ts';
import {
  confirmPayment,
  type OpenedPayment,
  openPayment,
  readAction,
  readProof,
  showPayment,
} from './open-owed-payment.ts';
import { type PagesOptions, wantedLanguage } from './send-page.ts';
import { registerStops, sendPayPage } from './serve-pay-pages.ts';

type Asked = FastifyRequest<{ Params: { token: string; link?: string } }>;

export function registerPayPages(app: FastifyInstance, options: PagesOptions): void {
  const { service } = options;
  const hidden = { schema: { hide: true } };
  app.get('/pay/:token', hidden, (request: Asked, reply) => sendPay(options, request, reply));
  // A mailed link: it opens nothing until the page's button is pressed, since programs follow links, too.
  app.get('/pay/:token/prove/:link', hidden, (request: Asked, reply) => sendPay(options, request, reply));
  registerStops(app, options, {
    base: '/pay',
    confirm: async (token) => confirmPayment(await openPayment(service, token, true)),
    findAction: async (token) => readAction(await openPayment(service, token, true)),
  });
}

async function sendPay(options: PagesOptions, request: Asked, reply: FastifyReply) {
  const { token, link } = request.params;
  const opened = await openPayment(options.service, token, false);
  const proof = await readProof(options.service, request, opened.scope);
  const { ctx, scope, orderId } = opened;
  const knownLanguage = await findBuyerLanguage(ctx.db, scope, orderId);
  const view = await showPayment(opened, { proof, language: wantedLanguage(request, knownLanguage) });
  const state = {
    ...view,
    // Whoever owes for a subscription goes on to it there; of an order nothing but its state is shown.
    ...(view.kind === 'owed' ? { portal: (await findLegalPaths(ctx.db, scope, null)).portal } : {}),
    apiUrl: `/payment-pages/${opened.token}`,
    ...(link === undefined ? {} : { proofLink: await showLink(opened, link) }),
  };
  return sendPayPage(options, { request, reply }, { ctx, scope, state, knownLanguage });
}

/** A mailed link, and whether it opens something. */
async function showLink({ ctx, scope, token, debt }: OpenedPayment, link: string) {
  const isOpen = debt !== null && (await canOpenProof(ctx, scope, { ...debt, payToken: token, link }));
  return { link, isOpen };
}
