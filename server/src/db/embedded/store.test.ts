import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { chmod, chown, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterEach, describe, expect, it } from 'vitest';
import { findServerUser } from './server-user.ts';
import { type EmbeddedStoreOptions, openEmbeddedStore } from './store.ts';

const IS_ROOT = process.getuid?.() === 0;
const NOBODY = IS_ROOT ? findServerUser('/nonexistent') : null;

/** Opens a store in a process of its own, which can then be killed. Node 20 needs Vite to read TypeScript. */
const SERVICE = `
  import { runnerImport } from 'vite';
  const [source, dataDir] = process.argv.slice(1);
  const { module } = await runnerImport(source, { configFile: false, logLevel: 'silent' });
  try {
    await module.openEmbeddedStore({ dataDir, log() {} });
    console.log('open');
    process.stdin.resume();
  } catch (error) {
    console.log(error.message);
    process.exitCode = 1;
  }
`;

/** Recovery takes a moment, and much longer on a machine that does other things. */
const PATIENT = { timeout: 180_000 };

const undo: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

/** A folder that only we may enter, as root's home is; the server's user may not. */
async function makeDir(): Promise<string> {
  const dir = await realpath(await mkdtemp(path.join(os.tmpdir(), 'store-test-')));
  undo.push(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

async function open(options: Pick<EmbeddedStoreOptions, 'dataDir' | 'purpose' | 'durable'>) {
  const log: string[] = [];
  const store = await openEmbeddedStore({ durable: false, ...options, log: (line) => log.push(line) });
  undo.push(() => store.stop());
  return { ...store, log };
}

async function query(store: { poolConfig: pg.ClientConfig }, statement: string): Promise<unknown[]> {
  const client = new pg.Client(store.poolConfig);
  // A server that is killed meanwhile is reported here too; the query fails by itself.
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

interface Service {
  child: ChildProcess;
  said: string;
}

async function runService(dataDir: string, options: { uid?: number; gid?: number; env?: NodeJS.ProcessEnv }) {
  const source = path.join(import.meta.dirname, 'store.ts');
  const child = spawn(process.execPath, ['--input-type=module', '-e', SERVICE, source, dataDir], {
    cwd: import.meta.dirname,
    stdio: ['pipe', 'pipe', 'inherit'],
    ...options,
  });
  undo.push(() => kill(child));
  const said = await new Promise<string>((resolve) =>
    child.stdout.once('data', (text) => resolve(String(text))),
  );
  return { child, said: said.trim() } satisfies Service;
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await ended;
}

function readPid(dataDir: string): number {
  return Number(readFileSync(path.join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0]);
}

function isRunning(dataDir: string): boolean {
  return existsSync(path.join(dataDir, 'postgres/postmaster.pid'));
}

describe('opening a store', () => {
  it('creates a durable cluster with the database, owned by a role that is no superuser', async () => {
    const dataDir = path.join(await makeDir(), 'data');
    const store = await open({ dataDir, durable: true });
    const [row] = await query(
      store,
      `select current_database() as name, rolsuper, datlocprovider, datlocale, current_setting('fsync') as fsync,
         current_setting('synchronous_commit') as commit, current_setting('listen_addresses') as listen
       from pg_roles, pg_database where rolname = current_user and datname = current_database()`,
    );
    expect(row).toEqual({
      name: 'counterfoil',
      rolsuper: false,
      datlocprovider: 'b',
      datlocale: 'C.UTF-8',
      fsync: 'on',
      commit: 'on',
      listen: '',
    });
    const byUrl = { poolConfig: { connectionString: store.url } };
    expect(await query(byUrl, 'select current_database() as name')).toEqual([{ name: 'counterfoil' }]);
  });

  it('keeps its rows over a stop and a start', async () => {
    const dataDir = await makeDir();
    const first = await open({ dataDir });
    await query(first, 'create table kept as select 7 as id');
    await first.stop();
    expect(isRunning(dataDir)).toBe(false);
    expect(await query(await open({ dataDir }), 'select id from kept')).toEqual([{ id: 7 }]);
  });

  it('works in a folder whose path is too long for a socket', async () => {
    const dataDir = path.join(await makeDir(), 'deep'.repeat(30), 'deeper'.repeat(20));
    const store = await open({ dataDir });
    expect(store.poolConfig.host.length).toBeLessThan(80);
    undo.push(() => rm(store.poolConfig.host, { force: true }));
    expect(await query(store, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('ends with one cluster when two first starts meet', async () => {
    const dataDir = await makeDir();
    const [one, two] = await Promise.all([
      open({ dataDir, purpose: 'attach' }),
      open({ dataDir, purpose: 'attach' }),
    ]);
    await query(one, 'create table seen ()');
    expect(await query(two, 'select count(*) as rows from seen')).toEqual([{ rows: '0' }]);
  });

  it('starts over a lock file whose process number went to another program', async () => {
    const dataDir = await makeDir();
    await (await open({ dataDir })).stop();
    const other = spawn('sleep', ['60'], { uid: NOBODY?.uid, gid: NOBODY?.gid });
    undo.push(() => kill(other));
    const lock = path.join(dataDir, 'postgres/postmaster.pid');
    await writeFile(lock, `${other.pid}\n${dataDir}/postgres\n1\n5432\n${dataDir}/run\n\n`);
    if (NOBODY) await chown(lock, NOBODY.uid, NOBODY.gid);
    expect(await query(await open({ dataDir }), 'select 1 as one')).toEqual([{ one: 1 }]);
  });
});

describe('one service for a DATA_DIR', () => {
  it('refuses a second service, names the first, and leaves it undisturbed', async () => {
    const dataDir = await makeDir();
    const first = await open({ dataDir });
    const pool = new pg.Pool(first.poolConfig);
    await pool.query('create table mine ()');
    await expect(open({ dataDir })).rejects.toThrow(
      `DATA_DIR ${dataDir} is in use by another service (pid ${process.pid})`,
    );
    expect((await pool.query('select from mine')).rowCount).toBe(0);
    await pool.end();
  });

  it('lets a command attach to the running service and leaves the server running after it', async () => {
    const dataDir = await makeDir();
    const service = await open({ dataDir });
    await query(service, 'create table served as select 1 as id');
    const command = await open({ dataDir, purpose: 'attach' });
    expect(await query(command, 'select id from served')).toEqual([{ id: 1 }]);
    await command.stop();
    expect(await query(service, 'select id from served')).toEqual([{ id: 1 }]);
  });

  it('stops a server that a command has started, unless a service has come meanwhile', async () => {
    const dataDir = await makeDir();
    const command = await open({ dataDir, purpose: 'attach' });
    const service = await open({ dataDir });
    await command.stop();
    expect(await query(service, 'select 1 as one')).toEqual([{ one: 1 }]);
    await service.stop();
    expect(isRunning(dataDir)).toBe(false);
    await (await open({ dataDir, purpose: 'attach' })).stop();
    expect(isRunning(dataDir)).toBe(false);
  });
});

describe('after a kill', () => {
  it('takes over the server of a killed service at once, with every row', async () => {
    const dataDir = await makeDir();
    const service = await runService(dataDir, {});
    expect(service.said).toBe('open');
    const pid = readPid(dataDir);
    const beside = await open({ dataDir, purpose: 'attach' });
    await query(beside, 'create table kept as select 7 as id');
    await kill(service.child);
    const next = await open({ dataDir });
    expect(next.log).toEqual([`PostgreSQL was running already (pid ${pid})`]);
    expect(await query(next, 'select id from kept')).toEqual([{ id: 7 }]);
  });

  it('starts a killed server again under a living service, which stays the only one', async () => {
    const dataDir = await makeDir();
    const service = await open({ dataDir, durable: true });
    await query(service, 'create table kept as select 7 as id');
    process.kill(readPid(dataDir), 'SIGKILL');
    await expect
      .poll(() => query(service, 'select id from kept').catch(() => null), PATIENT)
      .toEqual([{ id: 7 }]);
    await expect.poll(() => service.log.at(-1), PATIENT).toBe('PostgreSQL is back');
    await expect(open({ dataDir })).rejects.toThrow(/is in use by another service/);
  });

  it('recovers what was committed when service and server are killed together', async () => {
    const dataDir = await makeDir();
    const service = await runService(dataDir, {});
    const beside = await open({ dataDir, purpose: 'attach', durable: true });
    await query(beside, 'create table kept as select 7 as id');
    const pid = readPid(dataDir);
    await kill(service.child);
    process.kill(pid, 'SIGKILL');
    expect(await query(await open({ dataDir }), 'select id from kept')).toEqual([{ id: 7 }]);
  });
});

describe.runIf(IS_ROOT)('users', () => {
  it('gives files and socket to nobody alone when the service is root', async () => {
    const dataDir = await makeDir();
    const store = await open({ dataDir });
    for (const dir of [path.join(dataDir, 'postgres'), store.poolConfig.host]) {
      const { uid, mode } = statSync(dir);
      expect([uid, mode & 0o777]).toEqual([NOBODY?.uid, 0o700]);
    }
  });

  it('runs as a plain user', async () => {
    const dataDir = path.join(await makeDir(), 'data');
    await mkdir(dataDir);
    await chmod(path.dirname(dataDir), 0o755);
    await chown(dataDir, NOBODY?.uid ?? 0, NOBODY?.gid ?? 0);
    const service = await runService(dataDir, { uid: NOBODY?.uid, gid: NOBODY?.gid });
    expect(service.said).toBe('open');
    await kill(service.child);
    await open({ dataDir });
  });

  it('Y28 asks a password of root’s store, which its own account alone reads', async () => {
    const dataDir = await makeDir();
    const store = await open({ dataDir });
    const { password: _secret, ...config } = store.poolConfig;
    for (const user of ['counterfoil', 'postgres']) {
      for (const given of [{}, { password: 'guessed' }]) {
        await expect(query({ poolConfig: { ...config, ...given, user } }, 'select 1')).rejects.toThrow();
      }
    }
    const file = statSync(path.join(dataDir, 'postgres.password'));
    expect([file.uid, file.mode & 0o777]).toEqual([0, 0o600]);
    const [row] = await query(
      store,
      'select rolname from pg_roles where rolname = current_user and not rolsuper',
    );
    expect(row).toEqual({ rolname: 'counterfoil' });
    const rules = readFileSync(path.join(dataDir, 'postgres/pg_hba.conf'), 'utf8');
    expect(rules).toMatch(/^host all all all reject$/m);
    expect(rules).not.toMatch(/trust/);
  });

  it('Y28 lets no process of another account to the socket', async () => {
    const dataDir = await makeDir();
    await chmod(dataDir, 0o755);
    const { poolConfig } = await open({ dataDir });
    const script = `require('node:net').connect(process.argv[1]).on('error', (error) => console.log(error.code))
      .on('connect', () => { console.log('in'); process.exit(); })`;
    const child = spawn(process.execPath, ['-e', script, `${poolConfig.host}/.s.PGSQL.5432`], {
      cwd: '/',
      uid: 54_321,
      gid: 54_321,
    });
    const said = await new Promise((resolve) =>
      child.stdout.once('data', (text) => resolve(String(text).trim())),
    );
    expect(said).toBe('EACCES');
  });

  it('Y28 lets the one account in whose process asks, where that account has a name', async () => {
    const dataDir = path.join(await makeDir(), 'data');
    await mkdir(dataDir);
    await chmod(path.dirname(dataDir), 0o755);
    await chown(dataDir, NOBODY?.uid ?? 0, NOBODY?.gid ?? 0);
    expect((await runService(dataDir, { uid: NOBODY?.uid, gid: NOBODY?.gid })).said).toBe('open');
    const rules = readFileSync(path.join(dataDir, 'postgres/pg_hba.conf'), 'utf8');
    expect(rules).toMatch(/^local all postgres,counterfoil peer map=service$/m);
    expect(readFileSync(path.join(dataDir, 'postgres/pg_ident.conf'), 'utf8')).toMatch(
      /^service "nobody" postgres$/m,
    );
    expect(existsSync(path.join(dataDir, 'postgres.password'))).toBe(false);
  });

  it('Y28 gives the passwords to a cluster that trusted everybody, running or at rest', async () => {
    for (const isRunning of [true, false]) {
      const dataDir = await makeDir();
      const first = await open({ dataDir });
      await writeFile(path.join(dataDir, 'postgres/pg_hba.conf'), 'local all all trust\n');
      if (isRunning) process.kill(readPid(dataDir), 'SIGHUP');
      else await first.stop();
      const second = await open({ dataDir, purpose: 'attach' });
      const { password: _secret, ...config } = second.poolConfig;
      // The server reads its rules anew a moment after it is told to.
      await expect
        .poll(
          () =>
            query({ poolConfig: config }, 'select 1').then(
              () => 'in',
              () => 'refused',
            ),
          { timeout: 30_000 },
        )
        .toBe('refused');
      expect(await query(second, 'select 1 as one')).toEqual([{ one: 1 }]);
    }
  });

  it('refuses the store of another user in one line', async () => {
    const dataDir = await makeDir();
    await chmod(dataDir, 0o755);
    await mkdir(path.join(dataDir, 'postgres'));
    const service = await runService(dataDir, { uid: NOBODY?.uid, gid: NOBODY?.gid });
    expect(service.said).toBe(`The store in ${dataDir}/postgres belongs to another user (uid 0).`);
  });

  it('moves the cluster to a place that nobody can enter where it cannot be let through', async () => {
    const dataDir = path.join(await makeDir(), 'data');
    // Without setpriv in its path, the service cannot hand on the right to pass closed folders.
    const service = await runService(dataDir, { env: { PATH: '/nonexistent' } });
    expect(service.said).toBe('open');
    const cluster = await realpath(path.join(dataDir, 'postgres'));
    undo.unshift(() => rm(path.dirname(cluster), { recursive: true, force: true }));
    // Named by nothing that could be guessed or found again: Y28, a folder that was removed meets no old cluster.
    expect(cluster).toMatch(/^\/var\/lib\/counterfoil\/[0-9a-f-]{36}\/postgres$/);
    await kill(service.child);
    const again = await open({ dataDir });
    expect(again.log).toEqual([expect.stringContaining('running already')]);
  });
});
