import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fromShortId, TOKEN_BYTES, toLinkToken, toShortId } from './link-token.ts';

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
  const token = toLinkToken('0192f0c0-0000-7000-8000-000000000001', new Uint8Array(TOKEN_BYTES).fill(7));
  const [workspace = '', random = ''] = token.split('.');
  expect(fromShortId(workspace)).toBe('0192f0c0-0000-7000-8000-000000000001');
  expect(Buffer.from(random, 'base64url').length * 8).toBeGreaterThanOrEqual(128);
});
