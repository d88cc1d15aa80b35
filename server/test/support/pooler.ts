/** PgBouncer as a process of its own, between a test and the store: it hands a session on after each transaction. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { portOf } from './port-of.ts';

export interface PoolerOptions {
  /** Sessions of the server for each database. */
  size: number;
  /** What is left out, of what a connection asks for as it starts, and not refused. */
  ignored?: readonly string[];
  mode?: 'transaction' | 'session';
}

export interface Pooler {
  /** The same database, by the pooler. */
  through(url: string): string;
  /** Ends at once, with all connections; `begin` brings it back at the same port. */
  end(): Promise<void>;
  begin(): Promise<void>;
  close(): Promise<void>;
}

/** It refuses to be root; nobody's rights are enough to read its settings. */
const AS = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];

/** Over the server of `serverUrl`, for all of its databases. */
export async function openPooler(serverUrl: string, options: PoolerOptions): Promise<Pooler> {
  const { host, port: serverPort, user = '', password } = new pg.Client({ connectionString: serverUrl });
  const port = await findFreePort();
  const folder = mkdtempSync(path.join(os.tmpdir(), 'counterfoil-pooler-'));
  chmodSync(folder, 0o755);
  const settings = path.join(folder, 'pgbouncer.ini');
  const users = path.join(folder, 'users.txt');
  writeFileSync(users, `"${user}" "${typeof password === 'string' ? password : ''}"\n`);
  const { size, ignored = [], mode = 'transaction' } = options;
  writeFileSync(
    settings,
    `[databases]
* = host=${host} port=${serverPort}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${users}
pool_mode = ${mode}
default_pool_size = ${size}
max_client_conn = 500
ignore_startup_parameters = ${['extra_float_digits', ...ignored].join(', ')}
`,
  );
  let running: ChildProcess | null = null;
  async function end(): Promise<void> {
    const child = running;
    running = null;
    if (!child || child.exitCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
  async function begin(): Promise<void> {
    const child = spawn('pgbouncer', ['-q', ...AS, settings], { stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (part: string) => {
      said += part;
    });
    let failure: Error | null = null;
    child.once('error', (error) => {
      failure = error;
    });
    running = child;
    while (!(await isListening(port))) {
      if (failure) throw failure;
      if (child.exitCode !== null) throw new Error(`the pooler did not start:\n${said}`);
      await wait(10);
    }
  }
  await begin();
  return {
    through: (url) => {
      const reached = new URL(url);
      reached.hostname = '127.0.0.1';
      reached.port = String(port);
      return reached.href;
    },
    ...{ begin, end },
    close: async () => {
      await end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}

async function findFreePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const port = portOf(server);
  server.close();
  await once(server, 'close');
  return port;
}
