/** Where metrics are read: on a port of their own, or on the main one by whoever has the token. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { Refusal } from '../domain/errors.ts';
import type { Metrics } from './metrics.ts';

export function registerMetrics(
  app: FastifyInstance,
  { metrics, token }: { metrics: Metrics; token: string },
): void {
  const expected = hash(`Bearer ${token}`);
  app.get('/metrics', { schema: { hide: true } }, async (request, reply) => {
    if (!timingSafeEqual(hash(request.headers.authorization ?? ''), expected)) {
      throw new Refusal('unauthorized', { message: 'The token of the metrics is missing or wrong.' });
    }
    return reply.type(metrics.contentType).send(await metrics.read());
  });
}

/** Of one length, so that the time of a comparison tells nothing. */
const hash = (text: string) => createHash('sha256').update(text).digest();

/** Nothing but metrics, for whoever can reach it. */
export async function serveMetrics(
  metrics: Metrics,
  { port, host }: { port: number; host: string },
): Promise<{ url: string; close(): void }> {
  const server = http.createServer((request, response) => {
    if (request.url !== '/metrics') return void response.writeHead(404).end();
    metrics.read().then(
      (text) => response.writeHead(200, { 'content-type': metrics.contentType }).end(text),
      () => response.writeHead(503).end(),
    );
  });
  server.listen(port, host);
  await once(server, 'listening');
  // A server of TCP has an address of this form.
  const { port: given } = server.address() as AddressInfo;
  return {
    url: `http://${host}:${given}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
