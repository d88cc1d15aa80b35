/** A merchant's receiver: a real HTTP server on loopback that keeps what it was sent and answers by script. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { Webhook } from 'standardwebhooks';

export interface ReceivedRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  /** The body byte for byte: signatures are over it, not over what it parses to. */
  raw: Buffer;
  /** The sender's port: the same for requests of one connection. */
  remotePort: number | undefined;
}

export type ScriptedAnswer =
  | { status: number; headers?: Record<string, string>; body?: string | Buffer; delayMs?: number }
  /** Takes the request and stays silent. */
  | 'hang'
  /** Cuts the connection instead of answering. */
  | 'cut';

export interface Receiver {
  /** Ends without a slash. */
  url: string;
  port: number;
  requests: ReceivedRequest[];
  /** Answers of the next requests, in their order; after them every answer is 200. */
  script(...answers: ScriptedAnswer[]): void;
  /** Resolves once this many requests have come in all. */
  waitFor(count: number): Promise<void>;
  /** Cuts every connection and forgets requests and script. */
  reset(): void;
  close(): Promise<void>;
}

export async function createReceiver(host = '127.0.0.1'): Promise<Receiver> {
  const requests: ReceivedRequest[] = [];
  const script: ScriptedAnswer[] = [];
  const sockets = new Set<Socket>();
  let waiting: Array<{ count: number; resolve: () => void }> = [];

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request;
      const { remotePort } = request.socket;
      requests.push({ method, path, headers, raw: Buffer.concat(chunks), remotePort });
      answer(response, script.shift() ?? { status: 200 });
      for (const one of waiting) if (requests.length >= one.count) one.resolve();
      waiting = waiting.filter(({ count }) => requests.length < count);
    });
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  // A server that listens on TCP has an address object.
  const { port } = server.address() as AddressInfo;
  const cutAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    port,
    requests,
    script: (...answers) => void script.push(...answers),
    waitFor: (count) =>
      requests.length >= count
        ? Promise.resolve()
        : new Promise((resolve) => waiting.push({ count, resolve })),
    reset() {
      cutAll();
      requests.length = 0;
      script.length = 0;
    },
    close() {
      cutAll();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function answer(response: ServerResponse, scripted: ScriptedAnswer): void {
  if (scripted === 'hang') return;
  if (scripted === 'cut') {
    response.destroy();
    return;
  }
  const send = () => response.writeHead(scripted.status, scripted.headers).end(scripted.body);
  if (scripted.delayMs) setTimeout(send, scripted.delayMs).unref();
  else send();
}

/** Our own header as a merchant checks it: the whole of it is the body's HMAC under the whole secret. */
export function verifySignature({ raw, headers }: ReceivedRequest, secret: string): boolean {
  const expected = Buffer.from(`sha256_${createHmac('sha256', secret).update(raw).digest('hex')}`);
  const given = Buffer.from(String(headers['x-svc-signature']));
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** The Standard Webhooks headers, checked by the standard's own library. */
export function verifyStandard({ raw, headers }: ReceivedRequest, secret: string): boolean {
  const webhook = secret.startsWith('whsec_') ? new Webhook(secret) : new Webhook(secret, { format: 'raw' });
  try {
    webhook.verify(raw, headers as Record<string, string>);
    return true;
  } catch {
    return false;
  }
}
