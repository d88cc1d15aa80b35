/** A port of its own, for whoever watches a process and may not reach what it serves. */
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ServedBeside {
  url: string;
  close(): void;
}

/** What fails is answered with 503. */
export async function serveBeside(
  answer: (path: string, response: http.ServerResponse) => Promise<unknown>,
  { port, host }: { port: number; host: string },
): Promise<ServedBeside> {
  const server = http.createServer((request, response) => {
    const [path = ''] = (request.url ?? '').split('?', 1);
    answer(path, response).catch(() => response.writeHead(503).end());
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
