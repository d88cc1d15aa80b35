/** The pages behind the links of a payment. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { toSettings } from '../domain/settings.ts';
import { canOpenProof } from '../flows/dunning/prove-payer.ts';
import { findPageSources } from '../flows/payments/choose-connection.ts';
import { getStore } from '../resources/workspaces/workspaces.queries.ts';
import {
  confirmPayment,
  type OpenedPayment,
  openPayment,
  readAction,
  readProof,
  showPayment,
} from './open-owed-payment.ts';
import { type PagesOptions, sendPage, wantedLanguage } from './send-page.ts';

type Asked = FastifyRequest<{ Params: { token: string; link?: string } }>;

export function registerPayPages(app: FastifyInstance, options: PagesOptions): void {
  const hidden = { schema: { hide: true } };
  app.get('/pay/:token', hidden, (request: Asked, reply) => sendPay(options, request, reply));
  // Back from a processor's page: what it appended to the address says nothing that is not asked of itself.
  app.get('/pay/:token/return', hidden, async (request: Asked, reply) => {
    const { token } = request.params;
    await confirmPayment(await openPayment(options.service, token, true));
    options.service.nudgeWorker();
    return reply.header('cache-control', 'no-store').redirect(`/pay/${token}`, 303);
  });
  // On to the processor's page, whose address may hold a secret and is asked for each time.
  app.get('/pay/:token/authenticate', hidden, async (request: Asked, reply) => {
    const { token } = request.params;
    const action = await readAction(await openPayment(options.service, token, true));
    const to = action.kind === 'redirect' ? action.url : `/pay/${token}`;
    return reply.header('cache-control', 'no-store').redirect(to, 303);
  });
  // A mailed link: it opens nothing until the page's button is pressed, since programs follow links, too.
  app.get('/pay/:token/prove/:link', hidden, (request: Asked, reply) => sendPay(options, request, reply));
}

async function sendPay(options: PagesOptions, request: Asked, reply: FastifyReply) {
  const { token, link } = request.params;
  const opened = await openPayment(options.service, token, false);
  const proof = await readProof(options.service, request, opened.scope);
  const view = await showPayment(opened, { proof, language: wantedLanguage(request) });
  const { ctx, scope } = opened;
  const settings = toSettings((await getStore(ctx.db, scope)).settings);
  return sendPage(options, request, reply, {
    entry: 'pay',
    sources: await findPageSources(ctx, scope, { settings }),
    title: view.seller.name,
    look: view.seller.branding,
    shopLanguage: view.seller.language,
    state: {
      ...view,
      apiUrl: `/payment-pages/${opened.token}`,
      ...(link === undefined ? {} : { proofLink: await showLink(opened, link) }),
    },
  });
}

/** A mailed link, and whether it opens something. */
async function showLink({ ctx, scope, token, debt }: OpenedPayment, link: string) {
  const isOpen = debt !== null && (await canOpenProof(ctx, scope, { ...debt, payToken: token, link }));
  return { link, isOpen };
}
