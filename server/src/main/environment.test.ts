import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readEnvironment } from './environment.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'counterfoil-environment-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it('reads a file of settings, and lets the environment win over it', async () => {
  const file = path.join(folder, 'settings');
  await writeFile(file, '# A comment\nPORT=4000\nPUBLIC_URL="https://shop.example"\n');
  const env = readEnvironment({ ENV_FILE: file, PORT: '5000' });
  expect(env).toMatchObject({ PORT: '5000', PUBLIC_URL: 'https://shop.example' });
});

it('reads nothing where ENV_FILE is empty, and refuses a named file that is not there', () => {
  const env = { ENV_FILE: '', PORT: '5000' };
  expect(readEnvironment(env)).toBe(env);
  expect(() => readEnvironment({ ENV_FILE: path.join(folder, 'none') })).toThrow(/ENOENT/);
});
