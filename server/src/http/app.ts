/**
 * The HTTP application: what every request passes through. Fastify's defaults that undo the contract
 * (coerced bodies, dropped unknown fields, 404 for a wrong method) are turned off here.
 */
import type { Server } from 'node:http';
import net from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import helmet from '@fastify/helmet';
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import type { TSchema } from 'typebox';
import type { Service } from '../context.ts';
import { Refusal } from '../domain/errors.ts';
import { WHOLE_ID } from '../domain/numbers.ts';
import type { Authenticator } from './authenticate.ts';
import { parseJsonBody } from './body.ts';
import { ErrorAnswer } from './envelope.ts';
import { answerError } from './errors.ts';
import { registerDescription } from './openapi.ts';
import { boundPipelining } from './pipelining.ts';
import { type ProxyWatch, watchProxy } from './proxy-watch.ts';
import { parseQueryString } from './query.ts';
import { createRateLimits, type RateLimits } from './rate-limits.ts';
import { type Door, registerRoutes } from './register.ts';
import { toCanonicalUrl } from './rewrite.ts';
import type { Route } from './route.ts';
import { createKeyReader } from './sent-keys.ts';
import { createSerialisers } from './serialise.ts';

const BODY_LIMIT_BYTES = 1024 * 1024;
/** A socket that sends its request slower than this is cut; uploads watch for silence instead. */
const REQUEST_TIMEOUT_MS = 60_000;
const HEADERS_TIMEOUT_MS = 20_000;

/** Whether the service takes requests; while it stops it serves what comes on open connections. */
export interface Readiness {
  isReady: boolean;
  isStopping: boolean;
}

export interface AppOptions {
  service: Service;
  authenticator: Authenticator;
  readiness: Readiness;
  routes: readonly Route[];
  /** Shared schemas (`$id`) that routes refer to. */
  components: readonly TSchema[];
  /** Told of each request, where somebody measures. */
  watch?: RequestWatch | null;
  /** Pages and other routes outside the API. */
  extend?: (app: FastifyInstance) => void | Promise<void>;
}

export interface RequestWatch {
  began(): void;
  ended(request: EndedRequest): void;
}

export interface EndedRequest {
  /** The route's template; null = there is no such route. */
  route: string | null;
  /** The noun that the operation is about. */
  tag: string | null;
  method: string;
  status: number;
  ms: number;
}

export async function createApp(options: AppOptions): Promise<FastifyInstance> {
  const { service, readiness } = options;
  const app = Fastify({
    // pino's own type is narrower than Fastify's logger interface.
    loggerInstance: service.log as unknown as FastifyInstance['log'],
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_LIMIT_BYTES,
    // Node knows one limit for all requests, and an upload may take longer: the hook below sets it.
    requestTimeout: 0,
    http: { headersTimeout: HEADERS_TIMEOUT_MS, connectionsCheckingInterval: 5_000 },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    trustProxy: service.config.trustProxy.length > 0 ? service.config.trustProxy : false,
    genReqId: () => service.ids.next(service.realNowMs()),
    // A URL that can not be decoded reaches no hook and no route.
    frameworkErrors: (error, request, reply) => {
      reply.header('x-request-id', request.id);
      answerError(error, request, reply);
    },
    rewriteUrl: (request) => toCanonicalUrl(request.url ?? '/'),
    routerOptions: {
      ignoreTrailingSlash: true,
      maxParamLength: 400,
      querystringParser: (text) => parseQueryString(text) as Record<string, string[]>,
    },
    schemaController: { compilersFactory: { buildSerializer: createSerialisers } },
    ajv: {
      // Of the spellings of an id only the plain one: the store does not know `urn:uuid:` before it.
      onCreate: (ajv) => void ajv.addFormat('uuid', WHOLE_ID),
      customOptions: {
        coerceTypes: false,
        removeAdditional: false,
        useDefaults: false,
        allErrors: false,
        strictNumbers: true,
        allowUnionTypes: true,
        keywords: ['x-time', 'x-upper-case', 'x-price'],
      },
    },
  });
  app.decorateRequest('actor', null);
  app.decorateRequest('arrival', null);
  app.setErrorHandler(answerError);
  addJsonParser(app);
  if (options.watch) addWatch(app, options.watch);
  boundPipelining(app);
  addRequestHooks(app, readiness);
  app.addHook('preClose', () => drain(app.server));
  await addHeaders(app);
  const limits = createRateLimits(service);
  addArrival(app, service, limits);
  app.addSchema(ErrorAnswer);
  for (const component of options.components) app.addSchema(component);
  await registerDescription(app, service.config.publicUrl);
  addHealth(app, service, readiness);
  const door: Door = { service, authenticator: options.authenticator, limits };
  await app.register(async (api) => {
    const methods = collectMethods(api);
    await registerRoutes(api, door, options.routes);
    answerWrongMethods(api, methods);
  });
  if (options.extend) {
    await app.register(async (pages) => {
      pages.addHook('onRequest', refuseNullSign);
      await options.extend?.(pages);
    });
  }
  app.setNotFoundHandler((request) => {
    throw new Refusal('route_not_found', {
      message: `There is no ${request.method} ${request.url.split('?')[0]}.`,
    });
  });
  return app;
}

function addWatch(app: FastifyInstance, watch: RequestWatch): void {
  app.addHook('onRequest', async () => watch.began());
  app.addHook('onResponse', async ({ method, routeOptions }, reply) => {
    const { url, schema } = routeOptions;
    // Fastify's type of a schema does not know what it is described by.
    const { tags } = (schema ?? {}) as { tags?: string[] };
    const [route = null, tag = null] = [url, tags?.[0]];
    watch.ended({ route, tag, method, status: reply.statusCode, ms: reply.elapsedTime });
  });
}

function addJsonParser(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    /^application\/json(?:\s*;|$)/,
    { parseAs: 'buffer' },
    async (_request: FastifyRequest, body: Buffer) => parseJsonBody(body),
  );
}

function addRequestHooks(app: FastifyInstance, readiness: Readiness): void {
  app.addHook('onRequest', async (request, reply) => {
    // Nothing is kept by a browser or a proxy but what says so itself: see docs/design/caching.md.
    reply.header('x-request-id', request.id).header('cache-control', 'no-store');
    limitBodyTime(request);
    if (!readiness.isReady && !isProbe(request)) {
      reply.header('retry-after', 1).header('connection', 'close');
      throw new Refusal('unavailable');
    }
  });
}

/**
 * Within this time a client in the midst of its work, on a busy machine too, sends the next request, and is told to
 * connect anew.
 */
const LAST_REQUESTS_MS = 2_000;
const IDLE_CHECK_MS = 50;

const QUIET_TURN_MS = 0.3;
const TURNS_MAX = 1000;

/**
 * A connection that the system has made and Node has not yet accepted is reset when the listening socket
 * closes. After a turn of the event loop that did next to nothing there is hardly room for one.
 */
async function waitForQuietTurn(): Promise<void> {
  for (let turn = 0; turn < TURNS_MAX; turn += 1) {
    const beganMs = performance.now();
    await new Promise(setImmediate);
    if (performance.now() - beganMs < QUIET_TURN_MS && turn > 0) return;
  }
}

/**
 * Takes no new connections and lets those that are open end with an answer that says `connection: close`.
 * Node's own close cuts every connection without a running request, also one whose request is on its way.
 */
async function drain(server: Server): Promise<void> {
  if (!server.listening) return;
  await waitForQuietTurn();
  const closed = new AbortController();
  net.Server.prototype.close.call(server, () => closed.abort());
  await wait(LAST_REQUESTS_MS, undefined, { signal: closed.signal }).catch(() => {});
  while (!closed.signal.aborted) {
    server.closeIdleConnections();
    await wait(IDLE_CHECK_MS, undefined, { signal: closed.signal }).catch(() => {});
  }
}

/** Links are typed and prefilled by anybody, and the store's text can not hold U+0000. */
async function refuseNullSign({ url }: FastifyRequest): Promise<void> {
  if (url.includes('%00')) throw new Refusal('invalid_input', { message: 'The link is not valid.' });
}

/** Cuts a sender that dribbles its body; `complete` tells a slow body from slow work of ours. */
function limitBodyTime({ raw, routeOptions }: FastifyRequest): void {
  const hasBody =
    raw.headers['content-length'] !== undefined || raw.headers['transfer-encoding'] !== undefined;
  if (!hasBody || routeOptions.config.isUpload) return;
  const timer = setTimeout(() => {
    if (!raw.complete) raw.destroy();
  }, REQUEST_TIMEOUT_MS);
  timer.unref();
  raw.once('close', () => clearTimeout(timer));
}

function isProbe(request: FastifyRequest): boolean {
  return request.url === '/healthz' || request.url === '/readyz';
}

async function addHeaders(app: FastifyInstance): Promise<void> {
  await app.register(helmet, {
    // Pages set their own policy; an API answer may load nothing at all.
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
    strictTransportSecurity: { maxAge: 31_536_000 },
    crossOriginResourcePolicy: false,
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
  });
}

/** Before anything is read or compared, whatever the path: who comes, by which address, and how often. */
function addArrival(app: FastifyInstance, service: Service, limits: RateLimits): void {
  const readKeys = createKeyReader(service.config.nameAliases);
  const proxy: ProxyWatch = watchProxy(service.log);
  app.addHook('onRequest', async (request: FastifyRequest, reply: FastifyReply) => {
    request.arrival = limits.admit(request, reply, readKeys(request.headers));
    proxy.look(request);
    checkHost(request);
  });
}

/** Of two hosts a proxy in front may believe one and we the other. */
function checkHost({ raw }: FastifyRequest): void {
  let hosts = 0;
  for (let i = 0; i < raw.rawHeaders.length; i += 2) {
    const name = raw.rawHeaders[i];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  if (hosts > 1)
    throw new Refusal('invalid_input', { message: 'The request has more than one Host header.' });
}

function addHealth(app: FastifyInstance, service: Service, readiness: Readiness): void {
  app.get('/healthz', { schema: { hide: true } }, async () => ({ status: 'ok' }));
  app.get('/readyz', { schema: { hide: true } }, async () => {
    if (!readiness.isReady || readiness.isStopping) throw new Refusal('unavailable');
    try {
      await service.pool.query('select 1');
    } catch (cause) {
      throw new Refusal('unavailable', { cause });
    }
    return { status: 'ready' };
  });
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** Notes which methods a path knows, as routes are added. */
function collectMethods(app: FastifyInstance): Map<string, Set<string>> {
  const methods = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ url, method }) => {
    const known = methods.get(url) ?? new Set();
    for (const one of [method].flat()) known.add(one);
    methods.set(url, known);
  });
  return methods;
}

/** A known path with a wrong method is 405 with `allow`; Fastify would say 404. */
function answerWrongMethods(app: FastifyInstance, methods: Map<string, Set<string>>): void {
  for (const [url, known] of [...methods]) {
    const allow = [...known].join(', ');
    const method = METHODS.filter((candidate) => !known.has(candidate));
    if (method.length === 0) continue;
    app.route({
      method,
      url,
      schema: { hide: true },
      onRequest: async (_request, reply) => {
        reply.header('allow', allow);
        throw new Refusal('method_not_allowed');
      },
      handler: async () => undefined,
    });
  }
}
