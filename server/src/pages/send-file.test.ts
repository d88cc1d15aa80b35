import { describe, expect, it } from 'vitest';
import { parseRange, toDisposition } from './send-file.ts';

describe('parseRange', () => {
  it.each([
    [undefined, null],
    ['bytes=0-9', { start: 0, end: 9 }],
    ['bytes=90-', { start: 90, end: 99 }],
    ['bytes=90-500', { start: 90, end: 99 }],
    ['bytes=-10', { start: 90, end: 99 }],
    ['bytes=-500', { start: 0, end: 99 }],
    ['bytes=100-', 'unsatisfiable'],
    ['bytes=-0', 'unsatisfiable'],
    ['bytes=9-5', null],
    ['bytes=-', null],
    ['bytes=0-1,5-6', null],
    ['items=0-1', null],
  ])('%s of 100 bytes is %j', (header, part) => {
    expect(parseRange(header, 100)).toEqual(part);
  });
});

describe('toDisposition', () => {
  it('Y31 leaves no name that reads as another to whoever saves the file', () => {
    const header = toDisposition({ disposition: 'attachment', fileName: 'photo\u202egnp.exe' });
    expect(header).toBe(`attachment; filename="photo_gnp.exe"; filename*=UTF-8''photo_gnp.exe`);
  });

  it('ends no header and begins no parameter', () => {
    const header = toDisposition({ disposition: 'attachment', fileName: 'a"\r\nx: y; filename=b.exe' });
    expect(header).toMatch(/^attachment; filename="a___x: y; filename=b\.exe"; filename\*=UTF-8''[\w.%-]+$/);
  });
});
