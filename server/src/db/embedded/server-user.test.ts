import { chmod, mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { canEnter, type ServerUser, toCommand } from './server-user.ts';

const STRANGER: ServerUser = { via: 'switch', uid: 54_321, gid: 54_321 };

let root: string;

beforeEach(async () => {
  root = await realpath(await mkdtemp(path.join(os.tmpdir(), 'user-test-')));
  await mkdir(path.join(root, 'inner'), { mode: 0o755 });
});

afterEach(() => rm(root, { recursive: true, force: true }));

describe('canEnter', () => {
  it('is false below a folder that is closed to the user, and true once it is open', async () => {
    expect(canEnter(STRANGER, path.join(root, 'inner'))).toBe(false);
    await chmod(root, 0o711);
    expect(canEnter(STRANGER, path.join(root, 'inner'))).toBe(true);
  });

  it('goes by the group where the user is in it', async () => {
    await chmod(root, 0o710);
    const member = { ...STRANGER, gid: process.getgid?.() ?? 0 };
    expect([canEnter(member, root), canEnter(STRANGER, root)]).toEqual([true, false]);
  });
});

describe('toCommand', () => {
  it('hands on the one capability to pass closed folders, and no other', () => {
    const { file, args } = toCommand({ ...STRANGER, via: 'pass' }, '/bin/postgres', ['-D', '/data']);
    expect([file, args.slice(-4)]).toEqual(['setpriv', ['--', '/bin/postgres', '-D', '/data']]);
    expect(
      args.filter((argument) => argument.includes('caps=') || argument.includes('bounding-set=')),
    ).toEqual([
      '--inh-caps=-all,+dac_override',
      '--ambient-caps=-all,+dac_override',
      '--bounding-set=-all,+dac_override',
    ]);
  });

  it('runs the program as it is for a plain user', () => {
    expect(toCommand({ ...STRANGER, via: 'direct' }, '/bin/postgres', [])).toEqual({
      file: '/bin/postgres',
      args: [],
    });
  });
});
