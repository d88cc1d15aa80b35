/** One call from its key to its answer, as Stripe does it: key, parameters, idempotency, effect. */
import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { type Do, meetFault } from '../../../core/faults.ts';
import type { LogLine } from '../../../core/log.ts';
import type { Answer, Prepared } from '../../../core/serve.ts';
import type { World } from '../../../core/world.ts';
import { API_VERSION } from '../objects/blank.ts';
import type { Account } from '../world/rows.ts';
import { allow, identify } from './authorise.ts';
import { checkParams, type Params } from './check-params.ts';
import { ApiError, isInvalid } from './errors.ts';
import { expand } from './expand.ts';
import type { Raw } from './form.ts';
import { findRoute, type Route } from './routes.ts';

const KEY_LIFE_MS = 24 * 3_600_000;
const KEY_LENGTH_MAX = 255;

export interface Request {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  params: Record<string, Raw>;
}

export interface Kept {
  /** Missing in a journal of before it was kept. */
  path?: string;
  print: string;
  atMs: number;
  status: number;
  body: unknown;
}

const underWay = new WeakMap<World, Set<string>>();

export function prepare(world: World, request: Request): Prepared {
  const requestId = `req_${world.digest(`request ${world.count('requests')}`, 14)}`;
  const line: LogLine = {
    at: world.nowMs,
    request: requestId,
    account: null,
    method: request.method,
    path: request.path,
    endpoint: null,
    key: readKey(request.headers),
    status: 0,
    fault: null,
    isReplayed: false,
  };
  const headers: Record<string, string> = { 'request-id': requestId, 'stripe-version': API_VERSION };
  const write = (status: number): void => {
    line.status = status;
    world.store.put('log', requestId, line);
    world.store.commit();
  };
  const fail = (error: unknown): Prepared => {
    const answer = toError(error, headers, null);
    return { fault: null, run: () => answer, begin: () => null, end: () => {}, write };
  };
  try {
    const caller = identify(world, request.headers.authorization);
    line.account = caller.account.id;
    const known = findRoute(request.method, request.path);
    if (!known) throw toUnknown(world, line);
    line.endpoint = `${known.route.method} ${known.route.path}`;
    const { method, path } = request;
    const fault = meetFault(world, {
      account: caller.account.id,
      method,
      path,
      key: line.key,
      stableKey: toStable(line.key),
      metadata: {
        ...ofObject(world, path),
        ...(request.params.metadata as Record<string, string> | undefined),
      },
    });
    line.fault = fault?.id ?? null;
    const slot = line.key === null ? null : `${caller.account.id} ${line.key}`;
    const busy = underWay.get(world) ?? new Set<string>();
    underWay.set(world, busy);
    return {
      fault,
      begin: () => {
        if (slot !== null && busy.has(slot))
          return toError(isInUse(String(line.key)), headers, caller.account);
        if (slot !== null) busy.add(slot);
        return null;
      },
      end: () => {
        if (slot !== null) busy.delete(slot);
      },
      run: () => {
        const answer = runKept(world, caller, known, request, line, headers, fault?.do ?? null);
        line.isReplayed = answer.headers['idempotent-replayed'] === 'true';
        return answer;
      },
      write,
    };
  } catch (error) {
    return fail(error);
  }
}

/** The client's own keys are random: they decide nothing. */
function toStable(key: string | null): string | null {
  return key === null || key.startsWith('stripe-node-retry-') ? null : key;
}

/** The metadata of what the path names. */
function ofObject(world: World, path: string): Record<string, string> {
  const [, , kind = '', id = ''] = path.split('/');
  const row = world.store.get<{ data: { metadata?: Record<string, string> } }>(kind.replace(/s$/, ''), id);
  return row?.data.metadata ?? {};
}

function readKey(headers: IncomingHttpHeaders): string | null {
  const key = headers['idempotency-key'];
  return typeof key === 'string' && key !== '' ? key : null;
}

function toUnknown(world: World, line: LogLine): ApiError {
  const call = `${line.method}: ${line.path}`;
  world.store.put('unknown', line.request, { at: line.at, method: line.method, path: line.path });
  return new ApiError(404, {
    type: 'invalid_request_error',
    message: `Unrecognized request URL (${call}). Please see https://stripe.com/docs or we can help at https://support.stripe.com/.`,
  });
}

function isInUse(key: string): ApiError {
  return new ApiError(409, {
    type: 'idempotency_error',
    code: 'idempotency_key_in_use',
    message: `There is currently another in-progress request using this Idempotent Key (that probably means you submitted twice, and the other request is still going through): ${key}. Please try again later.`,
  });
}

function runKept(
  world: World,
  caller: ReturnType<typeof identify>,
  known: { route: Route; ids: string[] },
  request: Request,
  line: LogLine,
  headers: Record<string, string>,
  doing: Do | null,
): Answer {
  const { account } = caller;
  const key = request.method === 'POST' ? line.key : null;
  if (key === null) return runOnce(world, caller, known, request, line, headers, doing).answer;
  headers['idempotency-key'] = key;
  const slot = `${account.id} ${key}`;
  const print = createHash('sha256')
    .update(`${request.method} ${request.path} ${JSON.stringify(request.params)}`)
    .digest('hex');
  const kept = world.store.get<Kept>('kept', slot);
  if (kept && world.nowMs - kept.atMs < KEY_LIFE_MS) {
    const { path = request.path } = kept;
    if (path !== request.path) return toError(isOtherPlace(key, path, request.path), headers, account);
    if (kept.print !== print) return toError(isOtherUse(key), headers, account);
    // Who is turned away is so before anything is looked up; its own failure is what Stripe has kept.
    if (doing?.status !== undefined && doing.status < 500)
      return toError(toFaultError(doing), headers, account);
    return { status: kept.status, body: kept.body, headers: { ...headers, 'idempotent-replayed': 'true' } };
  }
  const atMs = world.nowMs;
  const {
    answer,
    kept: made = answer,
    isBegun,
  } = runOnce(world, caller, known, request, line, headers, doing);
  const { status, body } = made;
  if (isBegun) world.store.put<Kept>('kept', slot, { path: request.path, print, atMs, status, body });
  return answer;
}

function isOtherPlace(key: string, first: string, now: string): ApiError {
  return new ApiError(400, {
    type: 'idempotency_error',
    message: `Keys for idempotent requests can only be used for the same endpoint they were first used for ('${first}' vs '${now}'). Try using a key other than '${key}' if you meant to execute a different request.`,
  });
}

function isOtherUse(key: string): ApiError {
  return new ApiError(400, {
    type: 'idempotency_error',
    message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
  });
}

function runOnce(
  world: World,
  caller: ReturnType<typeof identify>,
  { route, ids }: { route: Route; ids: string[] },
  request: Request,
  line: LogLine,
  headers: Record<string, string>,
  doing: Do | null,
): { answer: Answer; kept?: Answer; isBegun: boolean } {
  const { account, isPublishable } = caller;
  // A fault that stands for Stripe's own failure, with nothing done: a 5xx is kept under the key.
  if (doing?.status !== undefined && doing.effect !== true) {
    return { answer: toError(toFaultError(doing), headers, account), isBegun: doing.status >= 500 };
  }
  const stable = toStable(line.key);
  const scope = stable ?? `#${world.count(`calls ${account.id}`)}`;
  world.begin(`${account.id} ${scope} ${request.method} ${request.path}`);
  try {
    if ((line.key ?? '').length > KEY_LENGTH_MAX) throw isInvalid('The idempotency key is too long.');
    checkVersion(request.headers);
    allow(caller, route, request.headers);
    const params: Params = checkParams(route.params, request.params, route.more ?? {});
    const call = { world, account, ids, params, isPublishable, take: doing?.take };
    const object = expand(world, account, route.run(call), params.expand);
    const body = structuredClone(object);
    const made = { status: 200, body, headers };
    if (doing?.status === undefined) return { answer: made, isBegun: true };
    // Its own failure is what it keeps under the key; where it only turned the caller away, what the call has done.
    const answer = toError(toFaultError(doing), headers, account);
    return { answer, kept: doing.status >= 500 ? answer : made, isBegun: true };
  } catch (error) {
    const isBegun = !(error instanceof ApiError && error.isBeforeAll);
    return { answer: toError(error, headers, account), isBegun };
  }
}

function checkVersion(headers: IncomingHttpHeaders): void {
  const version = headers['stripe-version'];
  if (version === undefined || version === API_VERSION) return;
  throw isInvalid(`Invalid Stripe API version: ${version}. This stand-in knows ${API_VERSION} alone.`);
}

const OF_STATUS: Readonly<
  Record<
    number,
    { type: 'api_error' | 'idempotency_error' | 'invalid_request_error'; code?: string; message: string }
  >
> = {
  401: { type: 'invalid_request_error', message: 'Invalid API Key provided.' },
  403: {
    type: 'invalid_request_error',
    message: 'The provided key does not have the required permissions for this endpoint.',
  },
  409: {
    type: 'idempotency_error',
    code: 'idempotency_key_in_use',
    message:
      'There is currently another in-progress request using this Idempotent Key. Please try again later.',
  },
  429: {
    type: 'invalid_request_error',
    code: 'rate_limit',
    message:
      'Request rate limit exceeded. Learn more about rate limits here https://stripe.com/docs/rate-limits.',
  },
};

export function toFaultError(doing: Do): ApiError {
  const status = doing.status ?? 500;
  const known = OF_STATUS[status] ?? {
    type: 'api_error' as const,
    message: 'Sorry! There was an error while talking to one of our backends. Support has been notified.',
  };
  const code = doing.code ?? known.code;
  const message =
    code === 'lock_timeout'
      ? 'This object cannot be accessed right now because another API request or Stripe process is currently accessing it.'
      : known.message;
  return new ApiError(status, { type: known.type, message, code });
}

export function toError(error: unknown, headers: Record<string, string>, account: Account | null): Answer {
  const known = error instanceof ApiError ? error : null;
  if (!known) console.error(error);
  const body = known?.body ?? { type: 'api_error', message: `The stand-in failed: ${String(error)}` };
  const mode = account?.isLive ? '' : 'test/';
  const log = account
    ? { request_log_url: `https://dashboard.stripe.com/${mode}logs/${headers['request-id']}` }
    : {};
  return { status: known?.status ?? 500, body: { error: { ...body, ...log } }, headers: { ...headers } };
}
