/** The door at which a stand-in that really tells is heard, before there is a service behind it. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** Stands at the address that Stripe is told, and hands over to the service; notes how it answers in `statuses`. */
export async function openDoor(
  toApp: () => FastifyInstance,
  statuses: number[],
): Promise<{ server: Server; url: string }> {
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const signature = String(request.headers['stripe-signature'] ?? '');
    const answer = await toApp().inject({
      method: 'POST',
      url: request.url ?? '/',
      payload: Buffer.concat(parts),
      headers: { 'content-type': 'application/json', 'stripe-signature': signature },
    });
    statuses.push(answer.statusCode);
    response.writeHead(answer.statusCode).end();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}
