/** Words that no store would take are told as that, whether or not there is a store to ask. */
import { mkdtemp, readdir } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { runCommand } from '../support/run-command.ts';

const WRONG = [
  ['keys'],
  ['keys', 'nonsense'],
  ['keys', 'roll'],
  ['keys', 'roll', 'pk', '--grace-hours', 'x'],
  ['keys', 'list', 'pk'],
  ['keys', 'create', '--amounts', 'x'],
  ['keys', 'create', '--name', ' '],
  ['keys', 'create', '--publishable', '--scopes', 'orders:read'],
  ['hold'],
  ['hold', '--reason', 'x'.repeat(501)],
  ['hold', '--reason', 'a', '--workspace', 'zz', '--yes'],
  ['accounts'],
  ['accounts', 'create', 'nomail'],
  ['accounts', 'nonsense', 'a@example.com'],
  ['accounts', 'link'],
  ['accounts', 'link', 'a@example.com', '--admin'],
  ['resume'],
  ['resume', '--same', '--copy'],
  ['resume', '--same', '--workspace', 'zz'],
  ['resume', '--restored', '--skip', 'x'],
  ['retention'],
  ['retention', 'put-back'],
  ['retention', 'run', 'file'],
  ['spread', 'nonsense'],
  ['spread', 'isolate', 'nobody'],
  ['storage', 'move'],
  ['storage', 'move', '--to', 'ftp://elsewhere'],
  ['move'],
  ['move', '--to', 'elsewhere'],
  ['invariants', '--since', 'x'],
  ['backup', '--passphrase', '--recipient', 'age1'],
  ['backup', '--out', '/nowhere/at/all.tar.gz'],
] as const;

it('X15 says what is wrong with its words before it looks for a store', async () => {
  const DATA_DIR = await mkdtemp(path.join(os.tmpdir(), 'counterfoil-empty-'));
  for (const [name, ...args] of WRONG) {
    const { code, out, err } = await runCommand(name, args, { DATA_DIR, DATABASE_URL: '' });
    expect([name, args, code, out]).toEqual([name, args, 2, '']);
    expect([name, args, err]).toEqual([name, args, expect.not.stringContaining('no store')]);
  }
  expect(await readdir(DATA_DIR)).toEqual([]);
});

it('X15 says that there is none to whoever asked rightly', async () => {
  const DATA_DIR = await mkdtemp(path.join(os.tmpdir(), 'counterfoil-empty-'));
  const ran = await runCommand('hold', ['--reason', 'a', '--yes', '--json'], { DATA_DIR, DATABASE_URL: '' });
  expect(ran).toMatchObject({ code: 7, err: '' });
  expect(JSON.parse(ran.out).error.code).toBe('unreachable');
});
