/** An operators' command that is interrupted, where no service runs: it has started the embedded PostgreSQL itself. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EXIT } from '../../src/main/exit-codes.ts';
import { buildService, findFreePort, spawnService } from './service-process.ts';

const BIN = fileURLToPath(new URL('../../bin/counterfoil.mjs', import.meta.url));

let dataDir: string;
let lock: string;

beforeAll(async () => {
  await buildService();
  dataDir = await mkdtemp(path.join(os.tmpdir(), 'counterfoil-interrupted-'));
  const service = spawnService({ port: await findFreePort(), dataDir, databaseUrl: null });
  await service.ready();
  service.signal('SIGTERM');
  await service.exited;
  lock = path.join(dataDir, 'postgres/postmaster.pid');
}, 300_000);
afterAll(() => rm(dataDir, { recursive: true, force: true }));

interface Ran {
  child: ChildProcess;
  output: () => string;
}

/** Without an input that ends: what asks for a passphrase goes on waiting for it. */
function run(args: string[], env: Record<string, string> = {}): Ran {
  const { DATABASE_URL: _shared, NODE_ENV: _test, VITEST: _vitest, ...inherited } = process.env;
  const child = spawn(process.execPath, [BIN, ...args], {
    cwd: dataDir,
    env: { ...inherited, DATA_DIR: dataDir, ENV_FILE: '', ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
  }
  return { child, output: () => text };
}

describe('Ctrl-C on an operators’ command', { timeout: 120_000 }, () => {
  it.each(['SIGINT', 'SIGTERM'] as const)(
    'ends it with 130, and the PostgreSQL with it: %s',
    async (signal) => {
      expect(existsSync(lock)).toBe(false);
      const { child, output } = run([
        'backup',
        '--passphrase',
        '--out',
        path.join(dataDir, `${signal}.tar.gz`),
      ]);
      const ended = once(child, 'exit');
      await expect.poll(() => existsSync(lock), { timeout: 60_000 }).toBe(true);
      child.kill(signal);
      expect(await ended).toEqual([EXIT.declined, null]);
      expect(existsSync(lock)).toBe(false);
      expect(output()).toBe('');
    },
  );

  it('leaves nothing of a store that was to be thrown away', async () => {
    const tmp = await mkdtemp(path.join(os.tmpdir(), 'counterfoil-thrown-'));
    const file = path.join(dataDir, 'sealed.tar.gz');
    const made = run(['backup', '--passphrase', '--out', file]);
    made.child.stdin?.end('correct horse\n');
    expect(await once(made.child, 'exit')).toEqual([0, null]);
    const { child } = run(['upgrade-file', file], { TMPDIR: tmp });
    const ended = once(child, 'exit');
    await expect.poll(() => readdir(tmp), { timeout: 60_000 }).not.toEqual([]);
    child.kill('SIGINT');
    expect(await ended).toEqual([EXIT.declined, null]);
    expect(await readdir(tmp)).toEqual([]);
    await rm(tmp, { recursive: true });
  });

  describe('that makes a copy out of the backups', () => {
    let backups: string;
    beforeAll(async () => {
      backups = await mkdtemp(path.join(os.tmpdir(), 'counterfoil-interrupted-backups-'));
      const env = { BACKUP_DIR: backups, BACKUP_SAME_DISK: 'true' };
      const { child } = run(['backup', '--base'], env);
      expect(await once(child, 'exit')).toEqual([0, null]);
    }, 120_000);
    afterAll(() => rm(backups, { recursive: true, force: true }));

    /** The servers that run on what lies below. */
    const listServers = async (folder: string): Promise<string[]> => {
      const lines = await Promise.all(
        (await readdir('/proc'))
          .filter((name) => /^\d+$/.test(name))
          .map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')),
      );
      return lines.filter((line) => line.includes('postgres') && line.includes(folder));
    };

    // What is there of the copy when the signal comes: its folder, its server while it replays the log, its store.
    const moments = ['PG_VERSION', 'postmaster.pid', 'pg_hba.conf'];
    const ways = [['restore'], ['backup', 'verify']] as const;
    it.each(ways.flatMap((verb) => moments.map((moment) => ({ verb, moment }))))(
      'leaves no folder and no server of it: $verb at $moment',
      async ({ verb, moment }) => {
        const folder = await mkdtemp(path.join(os.tmpdir(), 'counterfoil-copy-'));
        const from = path.join(folder, 'backups');
        await cp(backups, from, { recursive: true });
        const to = verb[0] === 'restore' ? ['--to', path.join(folder, 'new')] : [];
        const { child, output } = run([...verb, '--from', from, ...to]);
        const ended = once(child, 'exit');
        const find = async () =>
          (await readdir(folder, { recursive: true }).catch(() => [])).find(
            (name) => /partial-|verify-/.test(name) && name.endsWith(`/postgres/${moment}`),
          );
        await expect.poll(find, { timeout: 60_000, interval: 5 }).toBeDefined();
        child.kill('SIGINT');
        expect(await ended).toEqual([EXIT.declined, null]);
        expect(output()).toBe('');
        const left = await readdir(folder, { recursive: true });
        expect(left.filter((name) => /^new|verify-/.test(name))).toEqual([]);
        expect(await listServers(folder)).toEqual([]);
        await rm(folder, { recursive: true });
      },
    );
  });
});
