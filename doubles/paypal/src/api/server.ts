/** The port that stands for api-m.paypal.com and www.paypal.com. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Deliverer } from '../../../core/deliver.ts';
import { carryOut, createStandIn, readBody } from '../../../core/serve.ts';
import type { World } from '../../../core/world.ts';
import { servePage } from '../browser/serve-page.ts';
import { prepare } from './answer.ts';

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
  const raw = await readBody(request);
  runDue();
  if (!/^\/v\d\//.test(url.pathname)) {
    servePage(world, request.method ?? 'GET', url, raw, response);
    return;
  }
  const { method = 'GET', headers } = request;
  const asked = { method, path: url.pathname, query: url.searchParams, headers, raw };
  await carryOut(prepare(world, asked), deliverer, response);
}
