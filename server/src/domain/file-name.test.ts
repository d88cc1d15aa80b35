import { describe, expect, it } from 'vitest';
import { toContentType, toFileName } from './file-name.ts';

describe('toFileName', () => {
  it.each([
    ['manual.pdf', 'manual.pdf'],
    ['Gr%C3%B6%C3%9Fe%20%26%20mehr.zip', 'Größe & mehr.zip'],
    ['..%2F..%2Fetc%2Fpasswd', 'passwd'],
    ['C:%5Cgames%5Csetup.exe', 'setup.exe'],
    ['a%00b%0D%0A.txt', 'ab.txt'],
  ])('%s becomes %s', (header, name) => {
    expect(toFileName(header)).toBe(name);
  });

  it.each([undefined, '', '%', '%ff', '..', 'folder%2F', '%20', 'x'.repeat(256)])('refuses %s', (header) => {
    expect(() => toFileName(header)).toThrow(expect.objectContaining({ code: 'invalid_input' }));
  });
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
