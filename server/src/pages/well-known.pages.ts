/** What others look for at places of their own on our host. */
import type { FastifyInstance } from 'fastify';
import type { Service } from '../context.ts';
import { Refusal } from '../domain/errors.ts';

/** Apple asks for it before a page of the host shows Apple Pay. */
const APPLE_PAY = '/.well-known/apple-developer-merchantid-domain-association';

export function registerWellKnown(app: FastifyInstance, { config }: Pick<Service, 'config'>): void {
  app.get(APPLE_PAY, { schema: { hide: true } }, async (_request, reply) => {
    if (config.applePayAssociation === null) throw new Refusal('not_found');
    return reply
      .header('content-type', 'text/plain; charset=utf-8')
      .header('cache-control', 'max-age=3600')
      .send(config.applePayAssociation);
  });
}
