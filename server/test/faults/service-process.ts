/** The built service as a process of its own, to be started, killed and looked at from outside. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { portOf } from '../support/port-of.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const START = path.join(ROOT, 'server/dist/run/start.js');
/** A busy machine may take minutes: what has ended is told at once. */
const READY_WITHIN_MS = 240_000;

export interface Credentials {
  baseUrl: string;
  owner: { email: string; password: string };
  test: { publicKey: string; secretKey: string };
  live: { publicKey: string; secretKey: string };
  checkoutUrl: string | null;
}

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
  afterMs: number;
}

export interface ServiceProcess {
  baseUrl: string;
  pid: number | undefined;
  /** What it has printed to both streams so far. */
  output(): string;
  /** Waits until /readyz answers 200; throws with the output when the process ends before. */
  ready(): Promise<void>;
  /** The same of a process that listens nowhere, as a worker alone: it has said that it is ready. */
  said(text: string): Promise<void>;
  signal(signal: NodeJS.Signals): void;
  /** Its end, with the time since it was started. */
  exited: Promise<Exit>;
}

export interface ServiceOptions {
  port: number;
  dataDir: string;
  /** A store of its own; the embedded one in `dataDir` when null. */
  databaseUrl: string | null;
  env?: Record<string, string>;
  /** The built program of another release; missing = this one's. */
  program?: string;
}

/** Builds what is missing or out of date, as `npm start` would. */
export async function buildService(): Promise<void> {
  const child = spawn(process.execPath, [path.join(ROOT, 'scripts/bootstrap.mjs'), 'build'], { cwd: ROOT });
  const output = collect(child);
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`the build failed:\n${output()}`);
}

export function spawnService(options: ServiceOptions): ServiceProcess {
  const { DATABASE_URL: _shared, NODE_ENV: _test, VITEST: _vitest, ...inherited } = process.env;
  const startedMs = performance.now();
  const child = spawn(process.execPath, [options.program ?? START], {
    cwd: ROOT,
    env: {
      ...inherited,
      PORT: String(options.port),
      HOST: '127.0.0.1',
      DATA_DIR: options.dataDir,
      RATE_LIMIT_TEST: '0',
      RATE_LIMIT_LIVE: '0',
      // The settings of whoever runs the tests are not the service's.
      ENV_FILE: '',
      ...(options.databaseUrl === null ? {} : { DATABASE_URL: options.databaseUrl }),
      ...options.env,
    },
  });
  const output = collect(child);
  const baseUrl = `http://127.0.0.1:${options.port}`;
  const exited = once(child, 'exit').then(([code, signal]) => ({
    code: code as number | null,
    signal: signal as NodeJS.Signals | null,
    afterMs: performance.now() - startedMs,
  }));
  let end: Exit | null = null;
  void exited.then((exit) => {
    end = exit;
  });
  async function until(isSo: () => Promise<boolean>): Promise<void> {
    const fromMs = performance.now();
    while (performance.now() - fromMs < READY_WITHIN_MS) {
      if (end) throw new Error(`the service ended before it was ready:\n${output()}`);
      if (await isSo()) return;
      await wait(20);
    }
    throw new Error(`the service was not ready within ${READY_WITHIN_MS} ms:\n${output()}`);
  }
  return {
    baseUrl,
    pid: child.pid,
    output,
    exited,
    signal: (signal) => void child.kill(signal),
    ready: () => until(async () => (await fetch(`${baseUrl}/readyz`).catch(() => null))?.status === 200),
    said: (text) => until(async () => output().includes(text)),
  };
}

function collect(child: ChildProcess): () => string {
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
  }
  return () => text;
}

/** A port that was free a moment ago. */
export async function findFreePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const port = portOf(server);
  server.close();
  await once(server, 'close');
  return port;
}

export async function readCredentials(dataDir: string): Promise<Credentials> {
  // Written by the service under test, whose form the tests check.
  return JSON.parse(await readFile(path.join(dataDir, 'credentials.json'), 'utf8')) as Credentials;
}
