/**
 * PostgreSQL servers of a test's own, on loopback, from the system's programs: the embedded ones can make no standby.
 * They are killed as a machine that loses its power is, but that what was written stays in the system's memory.
 */
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { findFreePort } from '../faults/service-process.ts';

const run = promisify(execFile);
const LIBRARY = '/usr/lib/postgresql';
const READY_WITHIN_MS = 60_000;

/** A replica hears of everything at once, and looks for its primary often. */
const SETTINGS = `
listen_addresses = '127.0.0.1'
max_connections = 60
shared_buffers = 16MB
fsync = off
full_page_writes = off
wal_retrieve_retry_interval = 100ms
synchronous_commit = remote_apply
`;

export interface Cluster {
  port: number;
  /** Of its database. */
  url: string;
  start(): Promise<void>;
  /** Server and backends at once, without a word. */
  kill(): Promise<void>;
  /** Server and backends stand still: whoever asks hears nothing. */
  halt(): Promise<void>;
  /** Halts what sends its log to standbys. */
  haltSending(): Promise<void>;
  /** The standby becomes the primary. */
  promote(): Promise<void>;
  /** Its commits wait for a standby, or do not. */
  setSynchronous(isSo: boolean): Promise<void>;
  query<Row extends pg.QueryResultRow>(text: string): Promise<Row[]>;
  /** Anew, as a copy of the primary that follows it; resolves once it has all that the primary has. */
  follow(primary: Cluster): Promise<void>;
  remove(): Promise<void>;
}

function findPrograms(): string {
  const versions = existsSync(LIBRARY) ? readdirSync(LIBRARY).filter((name) => /^\d+$/.test(name)) : [];
  const [newest] = versions.map(Number).sort((a, b) => b - a);
  if (newest === undefined || newest < 15)
    throw new Error(`there is no PostgreSQL 15 or newer in ${LIBRARY}`);
  return path.join(LIBRARY, String(newest), 'bin');
}

/** PostgreSQL refuses to run as root. */
function findUser(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}

const DATABASE = 'shop';

/** An empty primary that runs, with a database; `null`: nothing yet, to `follow` another. */
export async function createCluster(kind: 'primary' | 'nothing'): Promise<Cluster> {
  const programs = findPrograms();
  const user = findUser();
  const root = mkdtempSync(path.join(os.tmpdir(), 'counterfoil-cluster-'));
  if (user.uid !== undefined && user.gid !== undefined) chownSync(root, user.uid, user.gid);
  const data = path.join(root, 'data');
  const port = await findFreePort();
  const toUrl = (database: string) => `postgres://postgres@127.0.0.1:${port}/${database}`;
  const program = (name: string, args: string[]) =>
    run(path.join(programs, name), args, { cwd: root, ...user, maxBuffer: 2 ** 24 });
  let server: ChildProcess | null = null;

  async function query<Row extends pg.QueryResultRow>(text: string, database = 'postgres'): Promise<Row[]> {
    const client = new pg.Client({ connectionString: toUrl(database) });
    client.on('error', () => {});
    await client.connect();
    try {
      return (await client.query<Row>(text)).rows;
    } finally {
      await client.end();
    }
  }

  const until = async (isSo: () => Promise<boolean>) => {
    const fromMs = performance.now();
    while (!(await isSo().catch(() => false))) {
      if (performance.now() - fromMs > READY_WITHIN_MS) throw new Error(`the server at ${port} is not ready`);
      await wait(20);
    }
  };

  const cluster: Cluster = {
    port,
    url: toUrl(DATABASE),
    query: (text) => query(text, DATABASE),
    async start() {
      const args = ['-D', data, '-p', String(port), '-k', root];
      server = spawn(path.join(programs, 'postgres'), args, { cwd: root, ...user, stdio: 'ignore' });
      await until(async () => (await query('select 1')).length === 1);
    },
    async kill() {
      if (server?.pid === undefined || server.exitCode !== null || server.signalCode !== null) return;
      const ended = once(server, 'exit');
      const children = listChildren(server.pid);
      for (const pid of [server.pid, ...children]) killNow(pid);
      await ended;
      await until(async () => children.every((pid) => !existsSync(`/proc/${pid}`)));
      server = null;
    },
    async halt() {
      const own = server?.pid ?? 0;
      for (const pid of [own, ...listChildren(own)]) process.kill(pid, 'SIGSTOP');
    },
    async haltSending() {
      const senders = await query<{ pid: number }>('select pid from pg_stat_replication');
      for (const { pid } of senders) process.kill(pid, 'SIGSTOP');
    },
    promote: async () => void (await query('select pg_promote()')),
    async setSynchronous(isSo) {
      await query(`alter system set synchronous_standby_names = '${isSo ? '*' : ''}'`);
      await query('select pg_reload_conf()');
      const now = `select current_setting('synchronous_standby_names') as names`;
      await until(async () => (await query<{ names: string }>(now))[0]?.names === (isSo ? '*' : ''));
    },
    async follow(primary) {
      await cluster.kill();
      rmSync(data, { recursive: true, force: true });
      const from = `host=127.0.0.1 port=${primary.port} user=postgres`;
      await program('pg_basebackup', [
        '-d',
        from,
        '-D',
        data,
        '-c',
        'fast',
        '--no-sync',
        '-R',
        '-X',
        'stream',
      ]);
      await cluster.start();
      const caughtUp = `select count(*)::int as count from pg_stat_replication
        where state = 'streaming' and replay_lsn >= pg_current_wal_lsn()`;
      await until(async () => (await primary.query<{ count: number }>(caughtUp))[0]?.count === 1);
    },
    async remove() {
      await cluster.kill();
      rmSync(root, { recursive: true, force: true });
    },
  };
  if (kind === 'nothing') return cluster;
  await program('initdb', [
    '-D',
    data,
    '-U',
    'postgres',
    '--auth=trust',
    '--no-sync',
    '-E',
    'UTF8',
    '--locale=C',
  ]);
  appendFileSync(path.join(data, 'postgresql.conf'), SETTINGS);
  await cluster.start();
  await query(`create database ${DATABASE}`);
  return cluster;
}

function listChildren(parent: number): number[] {
  return readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8')
    .split(' ')
    .filter(Boolean)
    .map(Number);
}

/** One that has ended by itself meanwhile needs none. */
function killNow(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {}
}
