/** The port that stands for api.stripe.com and js.stripe.com. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Deliverer } from '../../../core/deliver.ts';
import { carryOut, createStandIn, readBody } from '../../../core/serve.ts';
import type { World } from '../../../core/world.ts';
import { servePage } from '../browser/serve-page.ts';
import { prepare } from './answer.ts';
import { readForm } from './form.ts';

export function createApi(world: World, deliverer: Deliverer, runDue: () => void): Server {
  return createStandIn((request, response) => answerOne(world, deliverer, runDue, request, response));
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
  await carryOut(prepare(world, { method, path: url.pathname, headers, params }), deliverer, response);
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
