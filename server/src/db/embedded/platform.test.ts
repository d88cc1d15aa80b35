import { existsSync, readlinkSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findNativeDir, linkLibraries } from './platform.ts';

let root: string;
let nativeDir: string;

beforeEach(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'platform-test-'));
  await chmod(root, 0o777);
  nativeDir = path.join(root, 'package/native');
  await mkdir(path.join(nativeDir, 'lib'), { recursive: true });
  await writeFile(path.join(nativeDir, 'lib/libpq.so.5.18'), 'a library');
  const links = [{ source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' }];
  await writeFile(path.join(nativeDir, 'pg-symlinks.json'), JSON.stringify(links));
});

afterEach(() => rm(root, { recursive: true, force: true }));

/** Root may write everywhere, so a folder is only read-only for somebody else. */
async function asPlainUser<T>(work: () => Promise<T>): Promise<T> {
  if (process.getuid?.() !== 0) return work();
  process.seteuid?.('nobody');
  try {
    return await work();
  } finally {
    process.seteuid?.('root');
  }
}

describe('findNativeDir', () => {
  it('finds the binaries of this platform', () => {
    expect(existsSync(path.join(findNativeDir(), 'bin/postgres'))).toBe(true);
  });

  it.each([
    ['win32', 'x64'],
    ['linux', 'riscv64'],
  ])('says in one line what to do on %s-%s, which has no binary', (platform, arch) => {
    expect(() => findNativeDir(platform, arch)).toThrow(
      `There is no embedded PostgreSQL for this platform (${platform}-${arch}): set DATABASE_URL to a PostgreSQL 15 or newer.`,
    );
  });
});

describe('linkLibraries', () => {
  it('makes them in a copy of the folder under another name', async () => {
    const copy = path.join(root, 'native-1');
    await rename(nativeDir, copy);
    await linkLibraries(copy, path.join(root, 'spare'));
    expect(readlinkSync(path.join(copy, 'lib/libpq.so.5'))).toBe('libpq.so.5.18');
  });

  it('makes the links that the install script did not, and finds them there afterwards', async () => {
    const spare = path.join(root, 'spare');
    expect(await linkLibraries(nativeDir, spare)).toEqual({ nativeDir, libraryDir: null });
    expect(readlinkSync(path.join(nativeDir, 'lib/libpq.so.5'))).toBe('libpq.so.5.18');
    expect(await linkLibraries(nativeDir, spare)).toEqual({ nativeDir, libraryDir: null });
  });

  it('makes them elsewhere when node_modules cannot be written', async () => {
    await chmod(path.join(nativeDir, 'lib'), 0o555);
    const spare = path.join(root, 'spare');
    const binaries = await asPlainUser(() => linkLibraries(nativeDir, spare));
    expect(binaries).toEqual({ nativeDir, libraryDir: spare });
    expect(readlinkSync(path.join(spare, 'libpq.so.5'))).toBe(path.join(nativeDir, 'lib/libpq.so.5.18'));
  });
});
