/** The built service over a store of its own, which a test kills and starts anew as often as it likes. */
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type pg from 'pg';
import { createTestDatabase, openPool, type TestDatabase } from '../support/database.ts';
import {
  buildService,
  type Credentials,
  findFreePort,
  readCredentials,
  type ServiceProcess,
  spawnService,
} from './service-process.ts';

export interface Answered {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape are read for a field or two.
  body: any;
}

export interface Asking {
  body?: unknown;
  headers?: Record<string, string>;
  /** The printed pair of the test store when missing. */
  keys?: Credentials['test'];
}

export interface KillableService {
  database: TestDatabase;
  /** To look at its store from outside. */
  pool: pg.Pool;
  dataDir: string;
  credentials: Credentials;
  baseUrl: string;
  /** As a dead machine would: returns when the process is gone. */
  kill(): Promise<void>;
  /** Starts it anew, on the same port; returns when it is ready. */
  start(): Promise<void>;
  ask(method: string, url: string, asking?: Asking): Promise<Answered>;
  /** What is posted is answered 200; returns its data. */
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape are read for a field or two.
  post(url: string, body: unknown): Promise<any>;
  close(): Promise<void>;
}

export async function openKillableService(env: Record<string, string> = {}): Promise<KillableService> {
  await buildService();
  const database = await createTestDatabase();
  const pool = openPool(database);
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'counterfoil-killed-'));
  const port = await findFreePort();
  let service: ServiceProcess | null = null;

  async function start(): Promise<void> {
    service = spawnService({ port, dataDir, databaseUrl: database.url, env });
    await service.ready();
  }
  async function kill(): Promise<void> {
    service?.signal('SIGKILL');
    await service?.exited;
  }
  async function close(): Promise<void> {
    await kill();
    await pool.end();
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
  }

  try {
    await start();
    const credentials = await readCredentials(dataDir);
    const baseUrl = `http://127.0.0.1:${port}`;
    const ask = (method: string, url: string, asking: Asking = {}) =>
      askService(method, `${baseUrl}${url}`, { keys: credentials.test, ...asking });
    const post = async (url: string, body: unknown) => {
      const answer = await ask('POST', url, { body });
      if (answer.status !== 200) throw new Error(`${url} answered ${answer.status}`);
      return answer.body.data;
    };
    return { database, pool, dataDir, credentials, baseUrl, kill, start, ask, post, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function askService(
  method: string,
  url: string,
  { body, headers, keys }: Asking & { keys: Credentials['test'] },
): Promise<Answered> {
  const response = await fetch(url, {
    method,
    headers: {
      'x-svc-public-key': keys.publicKey,
      'x-svc-secret-key': keys.secretKey,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
}
