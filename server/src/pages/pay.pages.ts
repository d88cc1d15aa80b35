/** The page behind the link of a payment. */
import type { FastifyInstance } from 'fastify';
import { openPayment, showPayment } from './open-owed-payment.ts';
import { type PagesOptions, sendPage } from './send-page.ts';

export function registerPayPages(app: FastifyInstance, options: PagesOptions): void {
  app.get<{ Params: { token: string } }>(
    '/pay/:token',
    { schema: { hide: true } },
    async (request, reply) => {
      const opened = await openPayment(options.service, request.params.token, false);
      const view = await showPayment(opened);
      return sendPage(options, request, reply, {
        entry: 'pay',
        title: view.seller.name,
        state: { ...view, apiUrl: `/payment-pages/${opened.token}` },
      });
    },
  );
}
