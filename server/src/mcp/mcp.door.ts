/**
 * Where assistants come in: the tools of a key pair, by the Model Context Protocol. Each request stands for itself and is
 * answered with JSON. What speaks the protocol is loaded at the first call, so that it costs a service without one nothing.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Service } from '../context.ts';
import type { Scope } from '../db/scope.ts';
import { assert } from '../domain/assert.ts';
import { firstCharacters } from '../domain/characters.ts';
import { Refusal } from '../domain/errors.ts';
import { isWithinSources } from '../domain/frame-sources.ts';
import { isLoopbackAddress } from '../domain/loopback.ts';
import { toSettings } from '../domain/settings.ts';
import { readClient } from '../http/audit.ts';
import { getStore } from '../resources/workspaces/workspaces.queries.ts';
import type { Caller } from './caller.ts';

const BODY_LIMIT_BYTES = 256 * 1024;
const CLIENT_MAX = 60;

declare module 'fastify' {
  interface FastifyRequest {
    /** Null until its pair was found valid. */
    assistant: (Pair & Identified) | null;
  }
}

export function registerMcp(app: FastifyInstance, service: Service): void {
  const schema = { hide: true };
  app.decorateRequest('assistant', null);
  app.route({
    method: ['GET', 'PUT', 'PATCH', 'DELETE'],
    url: '/mcp',
    schema,
    onRequest: async (_request, reply) => {
      reply.header('allow', 'POST');
      throw new Refusal('method_not_allowed');
    },
    handler: async () => undefined,
  });
  app.post('/mcp', {
    schema,
    bodyLimit: BODY_LIMIT_BYTES,
    // Before a body is read: a stranger's would be held until all of it has come.
    onRequest: (request, reply) => admit(app, service, request, reply),
    errorHandler: (error, _request, reply) => answerFault(error, reply),
    handler: (request, reply) => answer(app, service, request, reply),
  });
}

/** What JSON-RPC calls a body that is none of its messages; who reads the answer knows no other words for it. */
const FAULTS: Readonly<Record<string, number>> = {
  invalid_json: -32_700,
  duplicate_key: -32_600,
  invalid_input: -32_600,
};

/** Whose request it was is not known: it was not read. */
function answerFault(error: Error, reply: FastifyReply) {
  const code = error instanceof Refusal ? FAULTS[error.code] : undefined;
  // Keys, pages, sizes and limits are the API's, and told as on any other path.
  if (code === undefined) throw error;
  return reply.code(400).send({ jsonrpc: '2.0', id: null, error: { code, message: error.message } });
}

async function admit(app: FastifyInstance, service: Service, request: FastifyRequest, reply: FastifyReply) {
  checkHost(request, service.config.publicUrl);
  const pair = readPair(request);
  const who = pair && (await identify(app, pair, request));
  await checkOrigin(service, request, who && 'scope' in who ? who.scope : null);
  if (!pair || !who) {
    reply.header('www-authenticate', 'Bearer');
    throw new Refusal('unauthorized', {
      message: 'Send x-svc-public-key and x-svc-secret-key, or Authorization: Bearer <public>.<secret>.',
    });
  }
  if (!('scope' in who)) return passOn(reply, who);
  request.assistant = { ...pair, ...who };
}

async function answer(app: FastifyInstance, service: Service, request: FastifyRequest, reply: FastifyReply) {
  const { assistant } = request;
  assert(assistant, 'who asks is known before a body is looked at');
  if (Array.isArray(request.body))
    throw new Refusal('invalid_input', { message: 'A request holds one message, not several.' });
  const caller: Caller = { ...assistant, service, app, address: request.ip, ...readProgram(request) };
  const { serve } = await import('./serve.ts');
  const answered = await serve({ headers: toHeaders(request), body: request.body, caller });
  reply.code(answered.status);
  const type = answered.headers.get('content-type');
  if (type !== null) reply.header('content-type', type);
  return reply.send(await answered.text());
}

interface Pair {
  publicKey: string;
  secretKey: string;
}

/** The two headers, under whatever name the API goes by, or both keys as one token. Null without both. */
function readPair({ arrival, headers }: FastifyRequest): Pair | null {
  const { publicKey = null, secretKey = null } = arrival?.keys ?? {};
  if (publicKey !== null && secretKey !== null) return { publicKey, secretKey };
  const [, first, second] =
    /^Bearer ([^\s.]{1,200})\.([^\s.]{1,200})$/i.exec(headers.authorization ?? '') ?? [];
  return first !== undefined && second !== undefined ? { publicKey: first, secretKey: second } : null;
}

type Identified = Pick<Caller, 'scope' | 'scopes'>;

interface Refused {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Asked at the door, like anything else: wrong pairs, addresses and limits are looked at there. */
async function identify(
  app: FastifyInstance,
  { publicKey, secretKey }: Pair,
  { ip }: FastifyRequest,
): Promise<Identified | Refused> {
  const answered = await app.inject({
    url: '/v0/whoami',
    remoteAddress: ip,
    headers: { 'x-svc-public-key': publicKey, 'x-svc-secret-key': secretKey },
  });
  const { statusCode: status, body } = answered;
  if (status !== 200) {
    const waitS = answered.headers['retry-after'];
    return { status, body, headers: waitS === undefined ? {} : { 'retry-after': String(waitS) } };
  }
  const { workspace, mode, key } = answered.json().data;
  const scope: Scope = { workspaceId: workspace.id, testMode: mode === 'test' };
  return { scope, scopes: key.scopes };
}

function passOn(reply: FastifyReply, { status, headers, body }: Refused) {
  if (status === 401) reply.header('www-authenticate', 'Bearer');
  return reply
    .code(status)
    .headers(headers)
    .header('content-type', 'application/json; charset=utf-8')
    .send(body);
}

/** A page that a name was bent for reaches us by that name: any but our own is refused. */
function checkHost({ host }: FastifyRequest, publicUrl: string): void {
  const own = new URL(publicUrl);
  const asked = URL.canParse(`${own.protocol}//${host}`) ? new URL(`${own.protocol}//${host}`) : null;
  const isOwn = isLoopbackAddress(own.hostname)
    ? asked !== null && isLoopbackAddress(asked.hostname)
    : asked?.host === own.host;
  if (!isOwn) throw new Refusal('cross_site_request', { message: 'The Host is not the one of PUBLIC_URL.' });
}

/** A browser says which page asks: ours, or one that the store lists. */
async function checkOrigin(
  { config, db }: Service,
  { headers: { origin }, host }: FastifyRequest,
  scope: Scope | null,
): Promise<void> {
  if (origin === undefined) return;
  const own = new URL(config.publicUrl);
  if (origin === own.origin) return;
  if (isLoopbackAddress(own.hostname) && origin === `${own.protocol}//${host}`) return;
  const sources = scope ? toSettings((await getStore(db, scope)).settings).authorizedDomains : [];
  if (scope && URL.canParse(origin) && isWithinSources(origin, sources, scope)) return;
  throw new Refusal('cross_site_request', { message: 'The Origin is not among authorizedDomains.' });
}

interface Envelope {
  params?: {
    clientInfo?: { name?: unknown };
    _meta?: Record<string, unknown>;
  };
}

/** What the program says of itself, in the request or before it. */
function readProgram({
  body,
  headers,
  query,
}: FastifyRequest): Pick<Caller, 'client' | 'canAsk' | 'isReadOnly'> {
  const { params } = (typeof body === 'object' && body !== null ? body : {}) as Envelope;
  const meta = typeof params?._meta === 'object' && params._meta !== null ? params._meta : {};
  const info = (meta['io.modelcontextprotocol/clientInfo'] ?? params?.clientInfo) as
    | { name?: unknown }
    | undefined;
  const able = meta['io.modelcontextprotocol/clientCapabilities'] as { elicitation?: object } | undefined;
  const asking = able?.elicitation as { form?: unknown; url?: unknown } | undefined;
  const named = [
    info?.name,
    readClient(headers['x-counterfoil-client']),
    headers['user-agent']?.split(/[/ ]/)[0],
  ];
  const name = named.find((one): one is string => typeof one === 'string' && one !== '') ?? null;
  return {
    client: name === null ? null : toPlain(name),
    canAsk: asking !== undefined && (asking.form !== undefined || asking.url === undefined),
    isReadOnly: [(query as { writes?: unknown }).writes].flat().includes('off'),
  };
}

const toPlain = (name: string): string | null =>
  firstCharacters(name.replace(/[\p{C}\p{Default_Ignorable_Code_Point}]/gu, '').trim(), CLIENT_MAX) || null;

/** Those of the protocol; both kinds of answer are named as taken, though one alone is given. */
function toHeaders({ headers }: FastifyRequest): Record<string, string> {
  const own = Object.entries(headers).filter(([name]) => name.startsWith('mcp-'));
  return {
    ...Object.fromEntries(own.map(([name, value]) => [name, String(value)])),
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
}
