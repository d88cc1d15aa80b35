/** The control port: JSON in, JSON out; a bad call is 400 with `error`. */
import { createServer, type Server, type ServerResponse } from 'node:http';
import { BadCall, type Body, isCount, isHash, need, onlyKnows } from './checks.ts';
import type { Deliverer, DeliveryMode } from './deliver.ts';
import { addFault, removeFault } from './fault-calls.ts';
import { readBody } from './serve.ts';
import type { World } from './world.ts';

export interface Control {
  world: World;
  deliverer: Deliverer;
  runDue: () => void;
  onKill: () => void;
}

/** What differs from processor to processor. */
export interface ControlCalls {
  open: (world: World, body: Body) => object;
  /** New credentials; the old ones are refused. */
  revoke: (world: World, account: string) => object;
  close: (world: World, account: string) => object;
  /** `settle`, `fail`, `dispute`, `return`, `update` of an object. */
  act: (world: World, id: string, verb: string, body: Body) => object;
  books: (world: World, account: string) => object;
}

const DELIVER = ['before_answer', 'late', 'never', 'now', 'shuffled'];
const SIGNATURES = ['good', 'old', 'wrong'];

export function createControl(control: Control, calls: ControlCalls): Server {
  return createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://control');
    try {
      const body = readJson(await readBody(request));
      control.runDue();
      const answer = answerOne(control, calls, request.method ?? 'GET', url, body);
      control.world.store.commit();
      if (Array.isArray(answer)) sendLines(response, answer);
      else send(response, 200, answer);
    } catch (error) {
      if (!(error instanceof BadCall)) console.error(error);
      send(response, error instanceof BadCall ? 400 : 500, { error: (error as Error).message });
    }
  });
}

function readJson(text: string): Body {
  if (text === '') return {};
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw new BadCall('the body is no JSON');
  }
  need(isHash(body), 'the body must be an object');
  return body;
}

function send(response: ServerResponse, status: number, answer: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(`${JSON.stringify(answer)}\n`);
}

function sendLines(response: ServerResponse, lines: readonly object[]): void {
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  response.writeHead(200, { 'content-type': 'application/x-ndjson' }).end(text);
}

function answerOne(control: Control, calls: ControlCalls, method: string, url: URL, body: Body): object {
  const { world } = control;
  const [, room = '', id = '', verb = '', ...more] = url.pathname.split('/');
  const call = `${method} /${room}`;
  need(more.length === 0, `unknown call ${method} ${url.pathname}`);
  if (call === 'POST /accounts' && id === '') return calls.open(world, body);
  if (call === 'POST /accounts') return changeAccount(calls, world, { id, verb, body });
  if (call === 'POST /faults' && id === '') return addFault(world, body);
  if (call === 'DELETE /faults' && verb === '') return removeFault(world, id);
  if (call === 'POST /objects') return calls.act(world, id, verb, body);
  if (id !== '') throw new BadCall(`unknown call ${method} ${url.pathname}`);
  if (call === 'POST /events') return setEvents(control, body);
  if (call === 'POST /clock') return moveClock(control, body);
  if (call === 'POST /kill') {
    onlyKnows(body, []);
    setImmediate(control.onKill);
    return {};
  }
  if (call === 'GET /books') return calls.books(world, url.searchParams.get('account') ?? '');
  if (call === 'GET /journal') return world.store.list<object>('log');
  if (call === 'GET /unknown-calls') return world.store.list<object>('unknown');
  throw new BadCall(`unknown call ${method} ${url.pathname}`);
}

function changeAccount(
  calls: ControlCalls,
  world: World,
  { id, verb, body }: { id: string; verb: string; body: Body },
): object {
  const change = { revoke: calls.revoke, close: calls.close }[verb];
  need(change !== undefined, `unknown call POST /accounts/${id}/${verb}`);
  onlyKnows(body, []);
  return change(world, id);
}

function setEvents({ deliverer }: Control, body: Body): object {
  onlyKnows(body, ['deliver', 'repeat', 'signature']);
  const { deliver = 'now', repeat = 1, signature = 'good' } = body;
  need(DELIVER.includes(String(deliver)), `deliver must be one of ${DELIVER.join(', ')}`);
  need(isCount(repeat) && repeat >= 1, 'repeat must be a whole number from 1');
  need(SIGNATURES.includes(String(signature)), `signature must be one of ${SIGNATURES.join(', ')}`);
  const waiting = deliverer.setMode({ deliver, repeat, signature } as DeliveryMode);
  return { waiting };
}

function moveClock({ world, runDue }: Control, body: Body): object {
  onlyKnows(body, ['byMs']);
  need(isCount(body.byMs), 'byMs must be a whole number from 0');
  world.moveClock(body.byMs);
  world.store.commit();
  runDue();
  return {};
}
