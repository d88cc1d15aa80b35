import { spawnSync } from 'node:child_process';
import { cp, mkdtemp, readdir, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { createTestApp } from '../../../test/support/harness.ts';
import { runCommand } from '../../../test/support/run-command.ts';
import type { Sealer } from '../../providers/files/age.ts';
import { removeUnfinished, writeArchive } from './write-archive.ts';

/** Writes an archive in `folder`, and keeps what lies there while its bytes are being written. */
async function leaveHalf(folder: string): Promise<{ parts: string; target: string }> {
  const target = path.join(folder, 'backup.tar.gz');
  const parts = path.join(folder, 'live.parts');
  const left = path.join(folder, `backup-${spawnSync('true').pid}.parts`);
  const seal: Sealer = async function* (source) {
    yield* source;
    await cp(parts, left, { recursive: true });
  };
  await writeArchive(target, { about: {}, mtimeMs: 0, folder: parts, seal }, (into) =>
    into.addText('a.txt', 'a'),
  );
  // As it would lie there, had the process been killed then.
  await cp(target, `${target}.partial`);
  return { parts: left, target };
}

const newFolder = () => mkdtemp(path.join(os.tmpdir(), 'counterfoil-archive-'));

it('takes away all that a killed process has left of an archive, and no archive', async () => {
  const folder = await newFolder();
  const { parts, target } = await leaveHalf(folder);
  expect((await readdir(folder)).length).toBe(3);
  await removeUnfinished(parts);
  expect(await readdir(folder)).toEqual([path.basename(target)]);
  // Of before it was noted where the archive is written.
  await removeUnfinished(parts);
});

it('does so with the next backup, wherever the killed one was to lie', async () => {
  let databaseUrl = '';
  const through = async (url: string) => {
    databaseUrl = url;
    return url;
  };
  const app = await createTestApp({}, undefined, { through });
  try {
    const [dataDir, elsewhere] = [await newFolder(), await newFolder()];
    const { parts } = await leaveHalf(elsewhere);
    await cp(parts, path.join(dataDir, path.basename(parts)), { recursive: true });
    await writeFile(path.join(dataDir, `backup-${process.pid}.parts`), 'of one that lives');
    const out = path.join(dataDir, 'next.tar.gz');
    const env = { DATA_DIR: dataDir, DATABASE_URL: databaseUrl };
    expect((await runCommand('backup', ['--out', out], env)).code).toBe(0);
    expect((await readdir(dataDir)).sort()).toEqual([`backup-${process.pid}.parts`, 'next.tar.gz']);
    expect(await readdir(elsewhere)).not.toContain('backup.tar.gz.partial');
  } finally {
    await app.close();
  }
});
