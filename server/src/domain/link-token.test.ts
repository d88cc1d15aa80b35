import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  fromShortId,
  readOpeningToken,
  readWorkspace,
  TOKEN_BYTES,
  toLinkToken,
  toOpeningToken,
  toShortId,
} from './link-token.ts';

const WORKSPACE = '0192f0c0-0000-7000-8000-000000000001';
const RANDOM = new Uint8Array(TOKEN_BYTES).fill(7);

it('writes every id in 22 digits, and reads it again', () => {
  fc.assert(
    fc.property(fc.uuid({ version: [1, 4, 7, 15] }), (id) => {
      const short = toShortId(id);
      expect(short).toMatch(/^[0-9A-Za-z]{22}$/);
      expect(fromShortId(short)).toBe(id);
    }),
  );
});

it('reads no id from what is none', () => {
  for (const text of ['', 'a'.repeat(21), 'z'.repeat(22), `${'0'.repeat(21)}-`]) {
    expect(fromShortId(text)).toBeNull();
  }
});

it('Y10 makes a token of the workspace and of at least 128 random bits', () => {
  const token = toLinkToken(WORKSPACE, RANDOM);
  const [workspace = '', random = ''] = token.split('.');
  expect(fromShortId(workspace)).toBe(WORKSPACE);
  expect(Buffer.from(random, 'base64url').length * 8).toBeGreaterThanOrEqual(128);
});

it('reads from a token whose it is, and from one of before nothing', () => {
  expect(readWorkspace(toLinkToken(WORKSPACE, RANDOM))).toBe(WORKSPACE);
  for (const other of ['', 'a'.repeat(32), `${'a'.repeat(21)}.b`, `${'z'.repeat(22)}.b`])
    expect(readWorkspace(other)).toBeNull();
});

it('reads from a session’s token what it opens', () => {
  const opening = { kind: 'element', id: '0192f0c0-0000-7000-8000-00000000000a' } as const;
  const token = toOpeningToken(WORKSPACE, RANDOM, opening);
  expect(readOpeningToken(token)).toEqual({ ...opening, workspaceId: WORKSPACE });
  for (const other of [toLinkToken(WORKSPACE, RANDOM), token.slice(1), `${token}0`, WORKSPACE, '']) {
    expect(readOpeningToken(other)).toBeNull();
  }
});
