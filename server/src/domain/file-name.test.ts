import { describe, expect, it } from 'vitest';
import { toContentType, toFileName } from './file-name.ts';

describe('toFileName', () => {
  it.each([
    ['manual.pdf', 'manual.pdf'],
    ['Gr%C3%B6%C3%9Fe%20%26%20mehr.zip', 'Größe & mehr.zip'],
    ['..%2F..%2Fetc%2Fpasswd', 'passwd'],
    ['C:%5Cgames%5Csetup.exe', 'setup.exe'],
    [encodeURIComponent('\u{1f600}'.repeat(255)), '\u{1f600}'.repeat(255)],
    ['%D9%85%D9%84%D9%81%E2%80%8C.pdf', 'ملف\u200c.pdf'],
  ])('%s becomes %s', (header, name) => {
    expect(toFileName(header)).toBe(name);
  });

  it.each([undefined, '', '%', '%ff', '..', 'folder%2F', '%20', 'x'.repeat(256)])('refuses %s', (header) => {
    expect(() => toFileName(header)).toThrow(expect.objectContaining({ code: 'invalid_input' }));
  });

  it.each(['a%00b.txt', 'a%0D%0A.txt', 'a%7F', 'a%C2%85', '%E2%80%AEgnp.exe', 'a%E2%81%A6b'])(
    'Y31 refuses %s, whose characters steer what is shown',
    (header) => {
      expect(() => toFileName(header)).toThrow(
        expect.objectContaining({
          code: 'invalid_input',
          details: [expect.objectContaining({ path: 'x-file-name' })],
        }),
      );
    },
  );
});

describe('toContentType', () => {
  it.each([
    ['image/PNG', 'image/png'],
    ['text/html; charset=utf-8', 'text/html'],
    [undefined, 'application/octet-stream'],
    ['no type', 'application/octet-stream'],
    ['a/b\r\nx: y', 'application/octet-stream'],
  ])('%j becomes %s', (header, type) => {
    expect(toContentType(header)).toBe(type);
  });
});
