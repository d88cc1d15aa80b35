import { describe, expect, it } from 'vitest';
import { hasSignOf, toFilePurpose } from './file-purpose.ts';

describe('toFilePurpose', () => {
  it.each([
    [undefined, 'image/png', 'picture'],
    [undefined, 'image/avif', 'picture'],
    ['', 'image/webp', 'picture'],
    [undefined, 'image/svg+xml', 'download'],
    [undefined, 'application/zip', 'download'],
    ['download', 'image/png', 'download'],
    ['picture', 'image/gif', 'picture'],
  ])('of header %j and type %s is %s', (header, type, purpose) => {
    expect(toFilePurpose(header, type)).toBe(purpose);
  });

  it.each([
    ['picture', 'image/svg+xml'],
    ['picture', 'text/html'],
    ['PICTURE', 'image/png'],
    ['cover', 'image/png'],
  ])('refuses %s for %s', (header, type) => {
    expect(() => toFilePurpose(header, type)).toThrow('x-file-purpose');
  });
});

it('tells a picture by how it begins', () => {
  const png = Buffer.from('89504e470d0a1a0a0000000d', 'hex');
  expect(hasSignOf('image/png', png)).toBe(true);
  expect(hasSignOf('image/jpeg', png)).toBe(false);
  expect(hasSignOf('image/webp', Buffer.from('RIFF\n\u0000\u0000\u0000WEBP', 'latin1'))).toBe(true);
  expect(hasSignOf('image/avif', Buffer.from('\u0000\u0000\u0000 ftypavif', 'latin1'))).toBe(true);
  expect(hasSignOf('image/gif', Buffer.from('<svg>', 'latin1'))).toBe(false);
});
