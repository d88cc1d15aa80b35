import { mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeFolder } from './make-folder.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'make-folder-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it('makes a folder with those above it, and takes one that is there', async () => {
  const deep = path.join(folder, 'a/b/c');
  await makeFolder(deep);
  await makeFolder(deep);
  expect((await stat(deep)).isDirectory()).toBe(true);
  await symlink(deep, path.join(folder, 'link'));
  await makeFolder(path.join(folder, 'link/d'));
  expect((await stat(path.join(deep, 'd'))).isDirectory()).toBe(true);
});

it.each([
  ['/proc/nope', 'ENOENT'],
  ['/proc/nope/deeper', 'ENOENT'],
])('refuses %s, where nothing can be made, at once', async (name, code) => {
  await expect(makeFolder(name)).rejects.toMatchObject({ code });
});

it('refuses a name that is a file, or lies below one', async () => {
  const file = path.join(folder, 'file');
  await writeFile(file, '');
  await expect(makeFolder(file)).rejects.toMatchObject({ code: 'EEXIST' });
  await expect(makeFolder(path.join(file, 'below'))).rejects.toMatchObject({ code: 'ENOTDIR' });
});
