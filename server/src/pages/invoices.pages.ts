/** Where buyers open invoices and credit notes: whoever has the link may, without a key and for ever. */
import type { FastifyInstance, FastifySchema, HTTPMethods } from 'fastify';
import type { Service } from '../context.ts';
import { Refusal } from '../domain/errors.ts';
import { openInvoice } from '../flows/accounting/open-invoice.ts';
import { sendFile } from './send-file.ts';

/** Named both, since Fastify's own HEAD would read the whole file to answer nothing of it. */
const BOTH: { method: HTTPMethods[]; schema: FastifySchema } = {
  method: ['GET', 'HEAD'],
  schema: { hide: true },
};
/** A token, or one of before: without its workspace. */
const NAME = /^((?:[A-Za-z0-9]{22}\.)?[A-Za-z0-9_-]{32})\.pdf$/;

export function registerInvoicePages(app: FastifyInstance, service: Service): void {
  app.route<{ Params: { name: string } }>({
    ...BOTH,
    url: '/invoices/:name',
    handler: async (request, reply) => {
      const token = NAME.exec(request.params.name)?.[1];
      if (token === undefined) throw new Refusal('not_found');
      const { sha256, ...file } = await openInvoice(service, token);
      reply.header('referrer-policy', 'no-referrer');
      return sendFile(request, reply, {
        ...file,
        id: sha256,
        contentType: 'application/pdf',
        disposition: 'inline',
        // A browser's own viewer shows nothing in a sandbox; the document is ours and holds no script.
        policy: "frame-ancestors 'none'",
      });
    },
  });
}
