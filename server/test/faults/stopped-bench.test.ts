import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { buildService } from './service-process.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const PATIENT = { timeout: 60_000, interval: 50 };

let folder: string;

beforeAll(buildService, 300_000);

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'counterfoil-stopped-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

/** `npm run bench:renewals`, which starts services with both kinds of store, and a database each. */
function startBench() {
  const { adminUrl } = inject('testServer');
  const { NODE_ENV: _test, VITEST: _vitest, ...inherited } = process.env;
  const env = { ...inherited, DATABASE_URL: adminUrl, TMPDIR: folder };
  const npm = spawn('npm', ['run', 'bench:renewals', '--', '--short'], {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  npm.stdout.on('data', (text) => {
    output += text;
  });
  return { npm, output: () => output, ended: once(npm, 'exit') };
}

/** Processes that were started in the bench's environment, by the folder that is theirs alone. */
function listProcesses(): string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`TMPDIR=${folder}\0`);
    } catch {
      // It has ended meanwhile, or is another user's.
      return false;
    }
  });
}

/** Databases of a bench whose process is ours, or was: names end in its number. */
async function listDatabases(pids: string[]): Promise<string[]> {
  const admin = new pg.Client({ connectionString: inject('testServer').adminUrl });
  await admin.connect();
  const { rows } = await admin.query(
    "select datname from pg_database where datname like 'counterfoil_bench_%'",
  );
  await admin.end();
  return rows.map(({ datname }) => datname).filter((name) => pids.some((pid) => name.endsWith(`_${pid}`)));
}

async function listFiles(): Promise<string[]> {
  const names = await readdir(folder);
  // Kept by Node and npm themselves, whoever runs them.
  return names.filter((name) => name.startsWith('counterfoil'));
}

// It reads /proc, as the bench does.
describe.runIf(process.platform === 'linux')('a bench', () => {
  it.each(['SIGTERM', 'SIGINT', 'SIGKILL'] as const)(
    'whose npm gets a %s leaves no process, no database and no folder behind',
    async (signal) => {
      const bench = startBench();
      // npm, the bench, and the service of its first shop, whose database is there before or after it.
      await expect.poll(() => listProcesses().length, PATIENT).toBeGreaterThan(2);
      await expect.poll(() => listDatabases(listProcesses()), PATIENT).toHaveLength(1);
      const pids = listProcesses();
      bench.npm.kill(signal);
      await bench.ended;
      await expect.poll(listProcesses, PATIENT).toEqual([]);
      expect(await listDatabases(pids)).toEqual([]);
      expect(await listFiles()).toEqual([]);
      expect(bench.output()).not.toContain('renewed');
    },
  );
});
