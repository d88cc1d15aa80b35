/**
 * The HTTP application: what every request passes through. Fastify's defaults that undo the contract
 * (coerced bodies, dropped unknown fields, 404 for a wrong method) are turned off here.
 */
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import type { TSchema } from 'typebox';
import type { Service } from '../context.ts';
import { Refusal } from '../domain/errors.ts';
import type { SharedSchemas } from '../domain/logged-body.ts';
import { WHOLE_ID } from '../domain/numbers.ts';
import type { Authenticator } from './authenticate.ts';
import { parseJsonBody } from './body.ts';
import { STRANGERS_BODY_BYTES } from './body-limits.ts';
import { answerUnreadable, NO_TUNNEL } from './broken-requests.ts';
import { checkHead, hasBody, refuseEncoded, takeExpectations } from './check-head.ts';
import { type Cookies, createCookies } from './cookies.ts';
import type { Door } from './door.ts';
import { makeDrain } from './drain.ts';
import { ErrorAnswer } from './envelope.ts';
import { answerError } from './errors.ts';
import { addHealth, type Health, isProbe, type Readiness } from './health.ts';
import { registerDescription } from './openapi.ts';
import { boundPipelining } from './pipelining.ts';
import { type ProxyWatch, watchProxy } from './proxy-watch.ts';
import { parseQueryString } from './query.ts';
import { createRateLimits, type RateLimits } from './rate-limits.ts';
import { registerRoutes } from './register.ts';
import type { RequestLog } from './request-log.ts';
import { toCanonicalUrl } from './rewrite.ts';
import type { Route } from './route.ts';
import { watchHandlers } from './running.ts';
import { createKeyReader } from './sent-keys.ts';
import { createSerialisers } from './serialise.ts';
import { tellTraces } from './tell-traces.ts';
import { createValidators } from './validate.ts';
import { addWatch, type RequestWatch } from './watch.ts';
import { answerWrongMethods, refuseWrongMethods, watchMethods } from './wrong-methods.ts';

const BODY_LIMIT_BYTES = 1024 * 1024;
/** A socket that sends its request slower than this is cut; uploads watch for silence instead. */
const REQUEST_TIMEOUT_MS = 60_000;
const HEADERS_TIMEOUT_MS = 20_000;
const NODE_OPTIONS = {
  headersTimeout: HEADERS_TIMEOUT_MS,
  connectionsCheckingInterval: 5_000,
  // Node refuses without a body: `checkHead` does it in the form of all answers.
  requireHostHeader: false,
};

export interface AppOptions {
  service: Service;
  authenticator: Authenticator;
  requestLog: RequestLog;
  readiness: Readiness;
  health: Health;
  routes: readonly Route[];
  /** Shared schemas (`$id`) that routes refer to. */
  components: readonly TSchema[];
  /** Told of each request, where somebody measures. */
  watch?: RequestWatch | null;
  /** Pages and other routes outside the API. */
  extend?: (app: FastifyInstance) => void | Promise<void>;
  /** Answers who opened an address in a browser, which is no operation, where something was thrown. */
  sayInPage?: (error: Error, request: FastifyRequest, reply: FastifyReply) => FastifyReply;
}

export async function createApp(options: AppOptions): Promise<FastifyInstance> {
  const { service, readiness, sayInPage = answerError } = options;
  const app = Fastify({
    // pino's own type is narrower than Fastify's logger interface.
    loggerInstance: service.log as unknown as FastifyInstance['log'],
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    bodyLimit: BODY_LIMIT_BYTES,
    // Node knows one limit for all requests, and an upload may take longer: the hook below sets it.
    requestTimeout: 0,
    http: NODE_OPTIONS,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    // It bounds a close, too, and one that waited for longer would be an error: a stop has a limit of its own.
    pluginTimeout: 0,
    trustProxy: service.config.trustProxy.length > 0 ? service.config.trustProxy : false,
    genReqId: () => service.ids.next(service.realNowMs()),
    // What cannot be read as HTTP comes to no hook and no route.
    clientErrorHandler: (error, socket) =>
      answerUnreadable(error, socket, service.ids.next(service.realNowMs())),
    // A URL that cannot be decoded reaches no hook and no route. To a person it is a link that leads nowhere.
    frameworkErrors: (error, request, reply) => {
      reply.headers(HEADERS).header('x-request-id', request.id);
      if (isOpenedByHand(request))
        sayInPage(new Refusal('route_not_found', { cause: error }), request, reply);
      else answerError(error, request, reply);
    },
    rewriteUrl: (request) => toCanonicalUrl(request.url ?? '/'),
    routerOptions: {
      ignoreTrailingSlash: true,
      maxParamLength: 400,
      querystringParser: (text) => parseQueryString(text) as Record<string, string[]>,
    },
    schemaController: {
      compilersFactory: { buildSerializer: createSerialisers, buildValidator: createValidators() },
    },
    ajv: {
      // Of the spellings of an id only the plain one: the store does not know `urn:uuid:` before it.
      onCreate: (ajv) => void ajv.addFormat('uuid', WHOLE_ID),
      customOptions: {
        ...{ coerceTypes: false, removeAdditional: false, useDefaults: false, allErrors: false },
        // Of a missing field it tells the schema beside it: all that are missing are told at once.
        verbose: true,
        strictNumbers: true,
        allowUnionTypes: true,
        // They are ours, and the description made of them is checked: at a start it would be done anew.
        validateSchema: false,
        keywords: ['x-time', 'x-whole-day', 'x-upper-case', 'x-price'],
      },
    },
  });
  app.decorateRequest('actor', null);
  app.decorateRequest('arrival', null);
  app.decorateRequest('session', null);
  app.decorateRequest('buyer', null);
  app.decorateRequest('answered', null);
  app.decorateRequest('refused', null);
  app.setErrorHandler((error: Error, request, reply) =>
    isOpenedByHand(request) ? sayInPage(error, request, reply) : answerError(error, request, reply),
  );
  addJsonParser(app);
  addHeadChecks(app, service);
  tellTraces(app);
  if (options.watch) addWatch(app, options.watch);
  boundPipelining(app);
  addRequestHooks(app, readiness);
  // Before it is waited for requests to end: those that only wait end now.
  app.addHook('preClose', async () => service.listening.stop());
  app.addHook('preClose', makeDrain(app.server));
  app.addHook('preClose', watchHandlers(app));
  const limits = createRateLimits(service);
  const cookies = createCookies(service.config.publicUrl);
  addArrival(app, service, { limits, cookies });
  app.addSchema(ErrorAnswer);
  for (const component of options.components) app.addSchema(component);
  await registerDescription(app, service.config.publicUrl);
  addHealth(app, options.health);
  const shared = new Map(options.components.map((one) => [`${(one as { $id?: string }).$id}#`, one]));
  const { authenticator, requestLog } = options;
  // Components are JSON schemas.
  const door: Door = { service, authenticator, limits, cookies, requestLog, shared: shared as SharedSchemas };
  await app.register(async (api) => {
    const methods = watchMethods(api);
    await registerRoutes(api, door, options.routes);
    // Whom no route takes comes past the hooks of the root.
    answerWrongMethods({ api, root: app }, methods());
  });
  if (options.extend) {
    await app.register(async (pages) => {
      const methods = watchMethods(pages);
      pages.addHook('onRequest', refuseNullSign);
      pages.addHook('onRoute', (route) => {
        route.bodyLimit ??= STRANGERS_BODY_BYTES;
      });
      await options.extend?.(pages);
      refuseWrongMethods(app, methods());
    });
  }
  app.setNotFoundHandler((request) => {
    throw new Refusal('route_not_found', {
      message: `There is no ${request.method} ${request.url.split('?')[0]}.`,
    });
  });
  return app;
}

/** By a person who opens a link: a script, an image or a program asks for anything but a page. */
function isOpenedByHand({ method, url, headers }: FastifyRequest): boolean {
  const isRead = method === 'GET' || method === 'HEAD';
  return isRead && !/^\/v0(?:[/?]|$)/.test(url) && (headers.accept ?? '').includes('text/html');
}

function addHeadChecks(app: FastifyInstance, { ids, realNowMs }: Service): void {
  takeExpectations(app.server);
  app.server.on('connect', (_request, socket) =>
    answerUnreadable({ code: NO_TUNNEL }, socket, ids.next(realNowMs())),
  );
  app.addHook('preParsing', refuseEncoded);
}

function addJsonParser(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    /^application\/json(?:\s*;|$)/,
    { parseAs: 'buffer' },
    async (_request: FastifyRequest, body: Buffer) => parseJsonBody(body),
  );
}

/**
 * Of every answer, unless it says otherwise. They are set in one go: a header that is set on Node's own response makes
 * every one after it dearer.
 */
const HEADERS = {
  // Nothing is kept by a browser or a proxy but what says so itself: see docs/design/caching.md.
  'cache-control': 'no-store',
  // Pages set their own policy; an API answer may load nothing at all.
  'content-security-policy': "default-src 'none';frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  // As `frame-ancestors` above; what may be framed sends the list alone.
  'x-frame-options': 'DENY',
  'x-permitted-cross-domain-policies': 'none',
  'x-xss-protection': '0',
};

function addRequestHooks(app: FastifyInstance, readiness: Readiness): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(HEADERS).header('x-request-id', request.id);
    limitBodyTime(request);
    if (readiness.isReady || isProbe(request)) return done();
    reply.header('retry-after', 1).header('connection', 'close');
    done(new Refusal('unavailable'));
  });
  // What is asked from now on is told so by Fastify; this is of what was running. Before nothing is listened for any more a
  // client that is told to connect anew would do so here.
  app.addHook('onSend', (_request, reply, payload: unknown, done) => {
    if (readiness.isStopping && !app.server.listening) reply.header('connection', 'close');
    done(null, payload);
  });
}

/** Links are typed and prefilled by anybody, and the store's text cannot hold U+0000. */
async function refuseNullSign({ url }: FastifyRequest): Promise<void> {
  if (url.includes('%00')) throw new Refusal('invalid_input', { message: 'The link is not valid.' });
}

/** Cuts a sender that dribbles its body; `complete` tells a slow body from slow work of ours. */
function limitBodyTime({ raw, routeOptions }: FastifyRequest): void {
  if (!hasBody(raw) || routeOptions.config.isUpload) return;
  const timer = setTimeout(() => {
    if (!raw.complete) raw.destroy();
  }, REQUEST_TIMEOUT_MS);
  timer.unref();
  raw.once('close', () => clearTimeout(timer));
}

/** Before anything is read or compared, whatever the path: who comes, by which address, and how often. */
function addArrival(
  app: FastifyInstance,
  service: Service,
  { limits, cookies }: { limits: RateLimits; cookies: Cookies },
): void {
  const readKeys = createKeyReader(service.config.nameAliases, cookies);
  const proxy: ProxyWatch = watchProxy(service.log);
  app.addHook('onRequest', (request, reply, done) => {
    request.arrival = limits.admit(request, reply, readKeys(request.headers));
    proxy.look(request);
    checkHead(request);
    done();
  });
}
