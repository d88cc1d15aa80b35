/** The service, listening, with a client of its test store. */
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createTestApp, type TestApp } from '../../server/test/support/harness.ts';
import { Counterfoil, type CounterfoilOptions } from '../src/index.ts';

export interface Service {
  app: TestApp;
  baseUrl: string;
  shop(options?: CounterfoilOptions): Counterfoil;
  close(): Promise<void>;
}

export async function startService(): Promise<Service> {
  const app = await createTestApp({ EGRESS_ALLOW_CIDRS: '127.0.0.0/8' });
  const baseUrl = await app.app.listen({ host: '127.0.0.1', port: 0 });
  const { publicKey, secretKey } = app.test.keys;
  return {
    app,
    baseUrl,
    shop: (options = {}) => new Counterfoil({ baseUrl, publicKey, secretKey, ...options }),
    close: () => app.close(),
  };
}

export interface Stub {
  url: string;
  close(): Promise<void>;
}

/** A server that answers as it is told. */
export async function startStub(
  answer: (request: IncomingMessage, reply: ServerResponse) => void,
): Promise<Stub> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // It listens on a port.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Passes requests on, and cuts the answers that `isCut` names although the service has given them. */
export function startCuttingProxy(
  baseUrl: string,
  isCut: (request: IncomingMessage) => boolean,
): Promise<Stub> {
  return startStub((asked, reply) => {
    const { method, headers, url } = asked;
    const passed = request(`${baseUrl}${url}`, { method, headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => {
        if (isCut(asked)) return asked.socket.destroy();
        reply.writeHead(answer.statusCode ?? 502, answer.headers).end(Buffer.concat(chunks));
      });
    });
    passed.on('error', () => asked.socket.destroy());
    asked.pipe(passed);
  });
}
