/** Where metrics are read: on a port of their own, or on the main one by whoever has the token. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { Refusal } from '../../domain/errors.ts';
import { type ServedBeside, serveBeside } from '../serve-beside.ts';
import type { Metrics } from './metrics.ts';

export function registerMetrics(
  app: FastifyInstance,
  { metrics, token }: { metrics: Metrics; token: string },
): void {
  const expected = hash(token);
  app.get('/metrics', { schema: { hide: true } }, async (request, reply) => {
    // The word before it may be written in any case (RFC 9110, 11.1).
    const [, shown = ''] = /^bearer (.*)$/i.exec(request.headers.authorization ?? '') ?? [];
    if (!timingSafeEqual(hash(shown), expected)) {
      throw new Refusal('unauthorized', { message: 'The token of the metrics is missing or wrong.' });
    }
    return reply.type(metrics.contentType).send(await metrics.read());
  });
}

/** Of one length, so that the time of a comparison tells nothing. */
const hash = (text: string) => createHash('sha256').update(text).digest();

/** Nothing but metrics, for whoever can reach it. */
export function serveMetrics(metrics: Metrics, place: { port: number; host: string }): Promise<ServedBeside> {
  return serveBeside(async (path, response) => {
    if (path !== '/metrics') return response.writeHead(404).end();
    const text = await metrics.read();
    return response.writeHead(200, { 'content-type': metrics.contentType }).end(text);
  }, place);
}
