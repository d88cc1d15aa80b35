/** The port that stands for api.stripe.com and js.stripe.com. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { servePage } from '../browser/serve-page.ts';
import type { Deliverer } from '../events/deliver.ts';
import type { World } from '../world/world.ts';
import { type Answer, prepare } from './answer.ts';
import type { Do } from './faults.ts';
import { readForm } from './form.ts';

const BODY_MAX = 1024 * 1024;
/** How late an answer comes that stalls, unless the fault says it. */
const HTML = '<html><body><h1>502 Bad Gateway</h1></body></html>';

export function createApi(world: World, deliverer: Deliverer, runDue: () => void): Server {
  return createServer((request, response) => {
    answerOne(world, deliverer, runDue, request, response).catch((error: unknown) => {
      console.error(error);
      response.destroy();
    });
  });
}

async function answerOne(
  world: World,
  deliverer: Deliverer,
  runDue: () => void,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://stand-in');
  const body = await readBody(request);
  runDue();
  if (!url.pathname.startsWith('/v1/') && !url.pathname.startsWith('/v2/')) {
    await servePage(world, request.method ?? 'GET', url, body, response);
    return;
  }
  allowBrowsers(response);
  if (request.method === 'OPTIONS') {
    response.writeHead(204).end();
    return;
  }
  const params = readForm(request.method === 'GET' ? url.search.slice(1) : body);
  const { method = 'GET', headers } = request;
  const prepared = prepare(world, { method, path: url.pathname, headers, params });
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

/** As api.stripe.com does. */
function allowBrowsers(response: ServerResponse): void {
  response.setHeader('access-control-allow-origin', '*');
  response.setHeader('access-control-allow-methods', 'GET, HEAD, PUT, PATCH, POST, DELETE');
  response.setHeader(
    'access-control-allow-headers',
    'authorization, content-type, idempotency-key, stripe-version',
  );
  response.setHeader('access-control-expose-headers', 'Request-Id, Stripe-Manage-Version');
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
  const body = doing.set && answer.status === 200 ? setFields(answer.body, doing.set) : answer.body;
  const text = `${JSON.stringify(body, null, 2)}\n`;
  response.writeHead(answer.status, {
    'content-type': 'application/json',
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
