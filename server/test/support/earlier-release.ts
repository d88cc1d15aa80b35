/** The program of the release before this one, made of its sources (`upgrade-fixtures/sources`) and today's packages. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { unpackTar } from 'modern-tar';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const SOURCES = path.join(ROOT, 'upgrade-fixtures/sources');
/** It serves today's pages: those of before are no part of the sources. */
const SHARED = ['node_modules', 'docs', 'web', 'embed'];
const run = promisify(execFile);

export interface EarlierRelease {
  /** What `spawnService` runs. */
  program: string;
  remove(): Promise<void>;
}

export async function buildRelease(version: string): Promise<EarlierRelease> {
  const folder = await mkdtemp(path.join(os.tmpdir(), `counterfoil-${version}-`));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    for (const { header, data } of await readSources(version)) {
      const place = path.join(folder, header.name);
      await mkdir(path.dirname(place), { recursive: true });
      await writeFile(place, data ?? '');
    }
    for (const name of SHARED) await symlink(path.join(ROOT, name), path.join(folder, name));
    const target = path.join(folder, 'server/dist/run');
    const bundle = ['--import', './scripts/typescript.mjs', 'scripts/packages/bundle-clone.ts', target];
    await run(process.execPath, bundle, { cwd: folder });
    return { program: path.join(target, 'start.js'), remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

const readSources = async (version: string) =>
  unpackTar(gunzipSync(await readFile(path.join(SOURCES, `${version}.tar.gz`))));
