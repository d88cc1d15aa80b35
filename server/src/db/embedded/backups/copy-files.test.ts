import { createHash, randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { copyTree, hashFile } from './copy-files.ts';

let folder: string;
const at = (name: string) => path.join(folder, name);
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'copy-files-test-'));
  await mkdir(at('from'));
  for (let n = 0; n < 200; n += 1) await writeFile(at(`from/${n}`), 'content');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it('writes nothing any more once it has said that it failed', async () => {
  await mkdir(at('to'));
  await writeFile(at('to/0'), 'in the way');
  await expect(copyTree({ from: at('from'), to: at('to'), durable: false })).rejects.toThrow('EEXIST');
  const left = await readdir(at('to'));
  // Meanwhile whatever still ran would have ended.
  expect(await copyTree({ from: at('from'), to: at('whole'), durable: false })).toHaveLength(200);
  expect(await readdir(at('to'))).toEqual(left);
});

it('copies what is read in pieces byte by byte, with the hash of all of it', async () => {
  // Neither a whole number of pieces nor an even one.
  const content = randomBytes(5 * 1024 * 1024 + 4_321);
  await mkdir(at('large'));
  await writeFile(at('large/file'), content);
  const [copied] = await copyTree({ from: at('large'), to: at('large-copied'), durable: true });
  const sha256 = createHash('sha256').update(content).digest('hex');
  expect(copied).toEqual({ path: 'file', bytes: content.length, sha256 });
  expect(content.equals(await readFile(at('large-copied/file')))).toBe(true);
  expect(await hashFile(at('large-copied/file'))).toBe(sha256);
});
