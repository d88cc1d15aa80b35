/** One call from its token to its answer, as PayPal does it: token, request id, effect. */
import type { IncomingHttpHeaders } from 'node:http';
import { type Do, meetFault } from '../../../core/faults.ts';
import type { LogLine } from '../../../core/log.ts';
import type { Answer, Prepared } from '../../../core/serve.ts';
import type { World } from '../../../core/world.ts';
import { isHash } from '../verbs/call.ts';
import { giveToken, identify } from '../world/accounts.ts';
import type { Account, Row, Unit } from '../world/rows.ts';
import { ApiError, isFailure, isRefused } from './errors.ts';
import { findRoute, type Route } from './routes.ts';

const KEY_LENGTH_MAX = 108;

export interface Request {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  raw: string;
}

interface Kept {
  atMs: number;
  status: number;
  body: unknown;
}

const underWay = new WeakMap<World, Set<string>>();

export function prepare(world: World, request: Request): Prepared {
  const debugId = world.digest(`request ${world.count('requests')}`, 13).toLowerCase();
  const line: LogLine = {
    at: world.nowMs,
    request: debugId,
    account: null,
    method: request.method,
    path: request.path,
    endpoint: null,
    key: readKey(request.headers),
    status: 0,
    fault: null,
    isReplayed: false,
  };
  const headers = { 'paypal-debug-id': debugId };
  const write = (status: number): void => {
    line.status = status;
    world.store.put('log', debugId, line);
    world.store.commit();
  };
  const plain = (answer: Answer): Prepared => ({
    fault: null,
    run: () => answer,
    begin: () => null,
    end: () => {},
    write,
  });
  try {
    if (request.method === 'POST' && request.path === '/v1/oauth2/token') {
      const grant = new URLSearchParams(request.raw).get('grant_type');
      return plain({ status: 200, body: giveToken(world, request.headers.authorization, grant), headers });
    }
    const account = identify(world, request.headers.authorization);
    line.account = account.id;
    const known = findRoute(request.method, request.path);
    if (!known) throw toUnknown(world, line);
    line.endpoint = `${known.route.method} ${known.route.path}`;
    return underFault(world, account, known, request, line, headers, write);
  } catch (error) {
    return plain(toError(error, headers));
  }
}

function underFault(
  world: World,
  account: Account,
  known: { route: Route; ids: string[] },
  request: Request,
  line: LogLine,
  headers: Record<string, string>,
  write: Prepared['write'],
): Prepared {
  const body = readJson(request);
  const fault = meetFault(world, {
    account: account.id,
    method: request.method,
    path: request.path,
    key: line.key,
    stableKey: line.key,
    metadata: toMetadata(world, known.ids[0], body),
  });
  line.fault = fault?.id ?? null;
  const slot = line.key === null ? null : `${account.id} ${line.key}`;
  const busy = underWay.get(world) ?? new Set<string>();
  underWay.set(world, busy);
  return {
    fault,
    begin: () => {
      if (slot === null) return null;
      if (busy.has(slot)) return toError(isRefused(409, 'PREVIOUS_REQUEST_IN_PROGRESS'), headers);
      busy.add(slot);
      return null;
    },
    end: () => {
      if (slot !== null) busy.delete(slot);
    },
    run: () => runKept(world, account, known, request, body, line, headers, fault?.do ?? null),
    write,
  };
}

/** What a fault may be matched by: the names that the merchant gave the order. */
function toMetadata(world: World, id = '', body: Record<string, unknown> | null): Record<string, string> {
  const row = world.store.get<Row<{ purchase_units?: Unit[]; custom_id?: string; invoice_id?: string }>>;
  const data = (row.call(world.store, 'order', id) ?? row.call(world.store, 'capture', id))?.data;
  const asked = (body?.purchase_units as Unit[] | undefined)?.[0] ?? body;
  const found = asked && Object.keys(asked).length > 0 ? asked : (data?.purchase_units?.[0] ?? data);
  const names = { ...(data?.purchase_units?.[0] ?? data), ...found } as Record<string, unknown>;
  const { custom_id, invoice_id } = names;
  return {
    ...(typeof custom_id === 'string' ? { custom_id } : {}),
    ...(typeof invoice_id === 'string' ? { invoice_id } : {}),
  };
}

function readKey(headers: IncomingHttpHeaders): string | null {
  const key = headers['paypal-request-id'];
  return typeof key === 'string' && key !== '' ? key : null;
}

/** Null = no JSON. */
function readJson({ raw }: Request): Record<string, unknown> | null {
  if (raw === '') return {};
  try {
    const body: unknown = JSON.parse(raw);
    return Array.isArray(body) ? { operations: body } : isHash(body) ? body : null;
  } catch {
    return null;
  }
}

function toUnknown(world: World, line: LogLine): ApiError {
  world.store.put('unknown', line.request, { at: line.at, method: line.method, path: line.path });
  return isRefused(404, 'INVALID_RESOURCE_ID');
}

/** A kept answer is given again for the same call of the same id, a made thing then as 200. */
function runKept(
  world: World,
  account: Account,
  known: { route: Route; ids: string[] },
  request: Request,
  body: Record<string, unknown> | null,
  line: LogLine,
  headers: Record<string, string>,
  doing: Do | null,
): Answer {
  const { keptMs } = known.route;
  const slot = `${account.id} ${request.method} ${request.path} ${line.key}`;
  const kept = keptMs === undefined || line.key === null ? undefined : world.store.get<Kept>('kept', slot);
  if (kept && world.nowMs - kept.atMs < (keptMs ?? 0)) {
    // Who is turned away is so before anything is looked up.
    if (doing?.status !== undefined) return toError(isFailure(doing.status, doing.code), headers);
    line.isReplayed = true;
    return { status: kept.status === 201 ? 200 : kept.status, body: kept.body, headers };
  }
  const atMs = world.nowMs;
  const answer = runOnce(world, account, known, request, body, line, headers, doing);
  const isKept = answer.status < 300 && keptMs !== undefined && line.key !== null;
  if (isKept) world.store.put<Kept>('kept', slot, { atMs, status: answer.status, body: answer.body });
  if (doing?.status !== undefined) return toError(isFailure(doing.status, doing.code), headers);
  return answer;
}

function runOnce(
  world: World,
  account: Account,
  { route, ids }: { route: Route; ids: string[] },
  request: Request,
  body: Record<string, unknown> | null,
  line: LogLine,
  headers: Record<string, string>,
  doing: Do | null,
): Answer {
  if (doing?.status !== undefined && doing.effect !== true)
    return toError(isFailure(doing.status, doing.code), headers);
  world.begin(
    `${account.id} ${line.key ?? `#${world.count(`calls ${account.id}`)}`} ${request.method} ${request.path}`,
  );
  try {
    if (account.isClosed) throw isRefused(403, 'PERMISSION_DENIED');
    if (body === null) throw isRefused(400, 'MALFORMED_REQUEST_JSON');
    if ((line.key ?? '').length > KEY_LENGTH_MAX)
      throw isRefused(400, 'INVALID_STRING_LENGTH', 'PayPal-Request-Id');
    const answered = route.run({
      world,
      account,
      ids,
      body,
      query: request.query,
      raw: request.raw,
      key: line.key,
      isWhole: request.headers.prefer === 'return=representation',
      take: doing?.take,
    });
    return { status: answered.status, body: structuredClone(answered.body), headers };
  } catch (error) {
    return toError(error, headers);
  }
}

function toError(error: unknown, headers: Record<string, string>): Answer {
  if (!(error instanceof ApiError)) console.error(error);
  const known = error instanceof ApiError ? error : isFailure(500);
  const isOauth = 'error' in known.body;
  const body = isOauth
    ? known.body
    : {
        ...known.body,
        debug_id: headers['paypal-debug-id'],
        links: [
          {
            href: 'https://developer.paypal.com/api/rest/reference/orders/v2/errors/',
            rel: 'information_link',
            method: 'GET',
          },
        ],
      };
  return { status: known.status, body, headers };
}
