/** How a call is carried out over HTTP, with the fault that it meets. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Deliverer } from './deliver.ts';
import type { Do, Fault } from './faults.ts';

const BODY_MAX = 1024 * 1024;
const HTML = '<html><body><h1>502 Bad Gateway</h1></body></html>';

export interface Answer {
  status: number;
  /** Undefined = an answer without a body. */
  body: unknown;
  headers: Record<string, string>;
}

/** What a call is about to do: the server carries the faults out around it. */
export interface Prepared {
  fault: Fault | null;
  run: () => Answer;
  /** The answer to a call whose key another call holds, else null. */
  begin: () => Answer | null;
  end: () => void;
  /** Notes the call with the status that its caller saw; 0 = none. */
  write: (status: number) => void;
}

/** What breaks in it is a bug of the stand-in: its caller gets no answer. */
export function createStandIn(
  answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
): Server {
  return createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      console.error(error);
      response.destroy();
    });
  });
}

export async function carryOut(
  prepared: Prepared,
  deliverer: Deliverer,
  response: ServerResponse,
): Promise<void> {
  const doing: Do = prepared.fault?.do ?? {};
  if (doing.drop === 'before') {
    prepared.write(0);
    response.destroy();
    return;
  }
  const busy = prepared.begin();
  if (busy) {
    prepared.write(busy.status);
    send(response, busy, {});
    return;
  }
  try {
    if (doing.delayMs) await delay(doing.delayMs);
    const answer = prepared.run();
    prepared.write(doing.drop === 'after' ? 0 : answer.status);
    // The slot is free again: only the answer is late.
    prepared.end();
    if (deliverer.mode.deliver === 'before_answer') await deliverer.settle();
    if (doing.stallMs) await delay(doing.stallMs);
    send(response, answer, doing);
  } finally {
    prepared.end();
  }
}

function send(response: ServerResponse, answer: Answer, doing: Do): void {
  if (doing.drop === 'after') {
    response.destroy();
    return;
  }
  if (doing.html) {
    response.writeHead(200, { 'content-type': 'text/html' }).end(HTML);
    return;
  }
  const isSet = doing.set && answer.status < 300;
  const body = isSet ? setFields(answer.body, doing.set ?? {}) : answer.body;
  const text = body === undefined ? '' : `${JSON.stringify(body, null, 2)}\n`;
  response.writeHead(answer.status, {
    ...(text === '' ? {} : { 'content-type': 'application/json' }),
    'content-length': Buffer.byteLength(text),
    ...answer.headers,
    ...doing.header,
  });
  if (doing.cut) response.write(text.slice(0, Math.floor(text.length / 2)), () => response.destroy());
  else response.end(text);
}

/** Of the answer alone; null takes a field away. */
function setFields(body: unknown, fields: Record<string, unknown>): unknown {
  const changed = { ...(body as Record<string, unknown>) };
  for (const [name, value] of Object.entries(fields)) {
    if (value === null) delete changed[name];
    else changed[name] = value;
  }
  return changed;
}

export async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length;
    if (size <= BODY_MAX) parts.push(part);
  }
  return Buffer.concat(parts).toString();
}

/** Answers the port. */
export async function listen(server: Server, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return (server.address() as AddressInfo).port;
}

export async function stop(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}
