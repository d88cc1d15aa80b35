/**
 * The service as a test sees it: the real application over a database of its own, two workspaces, and a
 * client that checks every answer against the description.
 */
import type { FastifyInstance, InjectOptions, LightMyRequestResponse as Response } from 'fastify';
import pino, { type Logger } from 'pino';
import { inject } from 'vitest';
import { parseConfig } from '../../src/config.ts';
import type { Service } from '../../src/context.ts';
import type { Scope } from '../../src/db/scope.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { createWorkspace } from '../../src/flows/workspaces/create-workspace.ts';
import { type Wired, type WireOptions, wire } from '../../src/main/wire.ts';
import type { KeyPairPlain } from '../../src/resources/api-keys/key-pairs.ts';
import { type AnswerChecker, createAnswerChecker } from './answer-checker.ts';
import { createTestDatabase, STORE_FORM } from './database.ts';
import { createCodeNotes } from './provoked-codes.ts';

export interface Answer {
  status: number;
  headers: Record<string, string | string[] | number | undefined>;
  text: string;
  // Tests read answers of every shape; the checker has compared them with the description.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  body: any;
}

export type Keys = 'secret' | 'public' | 'none' | KeyPairPlain;

export interface RequestOptions {
  keys?: Keys;
  query?: Record<string, string | string[]>;
  body?: unknown;
  headers?: Record<string, string>;
}

export interface TestStore {
  scope: Scope;
  keys: KeyPairPlain;
  request(method: string, path: string, options?: RequestOptions): Promise<Answer>;
  get(path: string, options?: RequestOptions): Promise<Answer>;
  post(path: string, body?: unknown, options?: RequestOptions): Promise<Answer>;
  patch(path: string, body?: unknown, options?: RequestOptions): Promise<Answer>;
  delete(path: string, options?: RequestOptions): Promise<Answer>;
}

export interface TestApp {
  app: FastifyInstance;
  wired: Wired;
  service: Service;
  /** The test-mode and live stores of the first workspace, and the test store of a second one. */
  test: TestStore;
  live: TestStore;
  other: TestStore;
  /** Another process's worth of the service over the same store; it is closed with this one. */
  startBeside(): Promise<FastifyInstance>;
  close(): Promise<void>;
}

/** Limits of the store's connections, and the address by which the store is reached instead of its own. */
interface AppOptions extends Pick<WireOptions, 'limits' | 'realNowMs' | 'monotonicMs'> {
  through?: (url: string) => Promise<string>;
}

/**
 * Crowds of a test meet on two busy cores: what the limits are about is tried where it is meant, with those of
 * production (`limits: {}`).
 */
const PATIENT: WireOptions['limits'] = { lockTimeoutMs: 60_000, acquireTimeoutMs: 60_000 };

/**
 * Starts the application in this process; `env` overrides settings (rate limits are off unless given), `log` is
 * told everything instead of what TEST_LOG says.
 */
export async function createTestApp(
  env: Record<string, string> = {},
  log: Logger = pino({ level: process.env.TEST_LOG ?? 'silent' }),
  { through, ...options }: AppOptions = {},
): Promise<TestApp> {
  const database = await createTestDatabase();
  const config = parseConfig({
    STORE_FORM,
    RATE_LIMIT_LIVE: '0',
    RATE_LIMIT_TEST: '0',
    PROCESSOR_RATE: '0',
    PUBLIC_URL: 'http://localhost:3000',
    // No test asks the real register of tax numbers; nothing listens here, and the guard lets nobody through.
    VIES_URL: 'http://127.0.0.1:9',
    ...env,
  });
  const store = through ? { connectionString: await through(database.url) } : database.poolConfig;
  const wiring = { config, store, log, guardEscapes: true, realNowMs: Date.now, limits: PATIENT, ...options };
  const wired = await wire(wiring);
  const besides: Wired[] = [];
  wired.readiness.isReady = true;
  const { app, service } = wired;
  await app.ready();
  noteCodes(app);
  const answers = takeChecker(app);
  const first = await newWorkspace(service, 'First');
  const second = await newWorkspace(service, 'Second');
  return {
    app,
    wired,
    service,
    test: createStore(app, answers, { workspaceId: first.workspaceId, testMode: true, keys: first.test }),
    live: createStore(app, answers, { workspaceId: first.workspaceId, testMode: false, keys: first.live }),
    other: createStore(app, answers, { workspaceId: second.workspaceId, testMode: true, keys: second.test }),
    startBeside: async () => {
      const beside = await wire(wiring);
      besides.push(beside);
      beside.readiness.isReady = true;
      await beside.app.ready();
      noteCodes(beside.app);
      return beside.app;
    },
    close: async () => {
      for (const one of [...besides, wired]) await one.close();
      await database.drop();
    },
  };
}

/** Every refusal that any test meets counts for the catalogue, however it sent its request. */
function noteCodes(app: FastifyInstance): void {
  const notes = createCodeNotes(inject('codesFolder'));
  const send = app.inject.bind(app) as (options: InjectOptions | string) => Promise<Response>;
  // No test uses the chained form, in which nothing is given.
  app.inject = (async (options: InjectOptions | string) => {
    const response = await send(options);
    notes.note(response.payload);
    return response;
  }) as typeof app.inject;
}

let checker: AnswerChecker | null = null;

/** Settings change only the address in the description, and to make it costs more than most tests. */
function takeChecker(app: FastifyInstance): AnswerChecker {
  checker ??= createAnswerChecker(app.swagger());
  return checker;
}

function newWorkspace(service: Service, name: string) {
  const nowMs = service.realNowMs();
  const ownerEmail = `owner@${name.toLowerCase()}.example`;
  return inTransaction(service.db, (tx) =>
    createWorkspace(tx, service.ids, { name, ownerEmail, ownerPasswordHash: 'not used', nowMs }),
  );
}

function createStore(
  app: FastifyInstance,
  checker: AnswerChecker,
  { keys, ...scope }: Scope & { keys: KeyPairPlain },
): TestStore {
  async function request(method: string, path: string, options: RequestOptions = {}): Promise<Answer> {
    const injected: InjectOptions = {
      method: method as NonNullable<InjectOptions['method']>,
      url: path,
      headers: {
        ...keyHeaders(keys, options.keys ?? 'secret'),
        ...toJsonHeader(options.body),
        ...options.headers,
      },
      ...(options.query ? { query: options.query } : {}),
      ...(options.body === undefined ? {} : { payload: toPayload(options.body) }),
    };
    const response = await app.inject(injected);
    const isJson = String(response.headers['content-type'] ?? '').startsWith('application/json');
    const answer: Answer = {
      status: response.statusCode,
      headers: response.headers,
      text: response.payload,
      body: isJson ? response.json() : null,
    };
    checker.check(method, path, answer);
    return answer;
  }
  return {
    scope,
    keys,
    request,
    get: (path, options) => request('GET', path, options),
    post: (path, body, options) => request('POST', path, { body: body ?? {}, ...options }),
    patch: (path, body, options) => request('PATCH', path, { body: body ?? {}, ...options }),
    delete: (path, options) => request('DELETE', path, options),
  };
}

function toPayload(body: unknown): string | Buffer {
  return typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
}

function toJsonHeader(body: unknown): Record<string, string> {
  return body === undefined ? {} : { 'content-type': 'application/json' };
}

function keyHeaders(own: KeyPairPlain, keys: Keys): Record<string, string> {
  if (keys === 'none') return {};
  const pair = typeof keys === 'object' ? keys : own;
  const publicHeader = { 'x-svc-public-key': pair.publicKey };
  return keys === 'public' ? publicHeader : { ...publicHeader, 'x-svc-secret-key': pair.secretKey };
}
