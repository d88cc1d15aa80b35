import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, statfs } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { hasCode } from '../../src/db/embedded/platform.ts';
import { openEmbeddedStore } from '../../src/db/embedded/store.ts';
import { migrate } from '../../src/db/migrate.ts';
import { buildService } from '../faults/service-process.ts';
import { joinCluster, listNodes } from '../spread/cluster.ts';
import { runSpread } from '../spread/spread-command.ts';
import { openPooler, type Pooler } from './pooler.ts';
import { listUnprovoked } from './provoked-codes.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /**
     * The run's server: a URL that may create databases, the migrated database to copy, and how copies are cheapest. The
     * other nodes where that is spread: each of them has its part under the same name.
     */
    testServer: {
      adminUrl: string;
      otherNodes: readonly string[];
      templateName: string;
      strategy: 'file_copy' | 'wal_log';
    };
    /** Where a pooler stands before the server, of which the service is to know nothing; null = there is none. */
    poolerUrl: string | null;
    /** Where the codes of refusals are noted, see `provoked-codes.ts`. */
    codesFolder: string;
  }
}

/** The project whose stores are spread over the cluster at TEST_CLUSTER. */
const SPREAD_SUITE = 'suite-on-cluster';
const PREFIX = 'counterfoil-test-';
const MEMORY = '/dev/shm';
/** What the databases of the files that run at once take, several times over. */
const ROOM_BYTES = 2 * 1024 ** 3;

interface Server {
  adminUrl: string;
  stop(): Promise<void>;
}

/** One server for the whole run: the embedded one in a folder of its own, or the one at DATABASE_URL. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = process.env.DATABASE_URL ? toOwnServer(process.env.DATABASE_URL) : await openServer();
  // Part of every name, so that two runs on one server neither meet nor remove each other's databases.
  const run = `counterfoil_test_${randomBytes(4).toString('hex')}`;
  let pooler: Pooler | null = null;
  const otherNodes = project.name === SPREAD_SUITE ? listOtherNodes() : [];
  const teardown = async () => {
    await pooler?.close();
    for (const node of [server.adminUrl, ...otherNodes]) await dropDatabases(node, run);
    await server.stop();
  };
  try {
    await createTemplate([server.adminUrl, ...otherNodes], `${run}_template`);
    // As many as a service has: some tests hold rows in all of them.
    if (process.env.TEST_POOLER === 'true') pooler = await openPooler(server.adminUrl, { size: 20 });
  } catch (error) {
    await teardown();
    throw error;
  }
  const strategy = await findStrategy(server.adminUrl);
  const { adminUrl } = server;
  project.provide('testServer', { adminUrl, otherNodes, templateName: `${run}_template`, strategy });
  project.provide('poolerUrl', pooler ? pooler.through(server.adminUrl) : null);
  // Of several runs that share the suite out, whoever started them compares what all have met: `npm run check:codes`.
  const shared = process.env.CODES_DIR;
  const codesFolder = shared ?? (await mkdtemp(path.join(os.tmpdir(), `${PREFIX}${process.pid}-codes-`)));
  await mkdir(codesFolder, { recursive: true });
  project.provide('codesFolder', codesFolder);
  return async () => {
    await teardown();
    if (shared !== undefined) return;
    await checkCodes(project, codesFolder).finally(() => rm(codesFolder, { recursive: true, force: true }));
  };
}

/** Fails a run of all tests in which some code of the error catalogue was never answered. */
async function checkCodes(project: TestProject, codesFolder: string): Promise<void> {
  if (project.name !== 'server' || process.env.TEST_WHOLE !== 'true') return;
  const { testFiles } = await project.globTestFiles();
  const ran = new Set(project.vitest.state.getFiles().map(({ filepath }) => filepath));
  const isWhole = testFiles.every((file) => ran.has(file)) && !project.vitest.config.testNamePattern;
  const missing = isWhole ? listUnprovoked(codesFolder) : [];
  if (missing.length === 0) return;
  console.error(`No test provokes these codes of server/src/domain/errors.ts: ${missing.join(', ')}`);
  process.exitCode = 1;
}

const listOtherNodes = () => listNodes().slice(1);

function toOwnServer(url: string): Server {
  return { adminUrl: url, stop: async () => {} };
}

async function openServer(): Promise<Server> {
  const place = await findPlace();
  await removeAbandoned(place);
  const dataDir = await mkdtemp(path.join(place, `${PREFIX}${process.pid}-`));
  const store = await openEmbeddedStore({ dataDir, log: () => {}, durable: false }).catch(async (error) => {
    await rm(dataDir, { recursive: true, force: true });
    throw error;
  });
  // A run cut short by process.exit has no teardown; the server sees its folder go and ends by itself.
  const removeNow = () => rmSync(dataDir, { recursive: true, force: true });
  process.once('exit', removeNow);
  return {
    adminUrl: store.url,
    stop: async () => {
      await store.stop();
      await rm(dataDir, { recursive: true, force: true });
      process.off('exit', removeNow);
    },
  };
}

/**
 * In memory where there is room: a disk's file system writes down each of the thousand files that every copy of the template
 * brings and takes away, which takes ten times as long as the copy itself.
 */
async function findPlace(): Promise<string> {
  const free = await statfs(MEMORY).catch(() => null);
  return free && free.bavail * free.bsize > ROOM_BYTES ? MEMORY : os.tmpdir();
}

/** A killed run leaves its folder, and a server, which ends by itself soon after its folder is gone. */
async function removeAbandoned(place: string): Promise<void> {
  for (const name of await readdir(place)) {
    const pid = name.startsWith(PREFIX) ? Number(name.slice(PREFIX.length).split('-')[0]) : Number.NaN;
    if (pid > 0 && !isAlive(pid)) await rm(path.join(place, name), { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return hasCode(error, 'EPERM');
  }
}

/**
 * A server that flushes nothing copies files in a tenth of the time that it takes to write them to the log, page by page; one
 * that flushes would do so for each of them.
 */
async function findStrategy(adminUrl: string): Promise<'file_copy' | 'wal_log'> {
  const [flushes] = await runOn(adminUrl, 'show fsync');
  return flushes === 'off' ? 'file_copy' : 'wal_log';
}

/** On the first node; over all of them where there are more. */
async function createTemplate(nodes: readonly string[], name: string): Promise<void> {
  const [adminUrl = '', ...others] = nodes;
  await runOn(adminUrl, `create database ${name}`);
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  await migrate({ connectionString: url.href });
  if (others.length > 0) await spreadTemplate(url.href);
  for (const node of nodes) {
    // Keeps everybody out, autovacuum too: a database with a session in it cannot be copied.
    await runOn(node, `alter database ${name} allow_connections false`);
    await runOn(node, `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`);
  }
}

/** By the operator's own command. */
async function spreadTemplate(url: string): Promise<void> {
  await buildService();
  await joinCluster({ url, drop: async () => {} });
  const { code, output } = await runSpread(url, ['apply', '--yes']);
  if (code !== 0) throw new Error(`the template was not spread:\n${output}`);
}

async function dropDatabases(adminUrl: string, run: string): Promise<void> {
  const names = await runOn(adminUrl, `select datname from pg_database where datname like '${run}%'`);
  for (const name of names) await runOn(adminUrl, `drop database if exists ${name} with (force)`);
}

/** Answers the first column. */
async function runOn(url: string, statement: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<string[]>({ text: statement, rowMode: 'array' });
    return rows.map(([first = '']) => first);
  } finally {
    await client.end();
  }
}
