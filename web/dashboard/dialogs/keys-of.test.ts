import { expect, it } from 'vitest';
import { countTwice, decodeText, toKeys } from './keys-of.ts';

it('keys are the first column of a table, whichever program wrote it', () => {
  expect(toKeys('AAAA-1\nAAAA-2\n\nAAAA-3')).toEqual(['AAAA-1', 'AAAA-2', 'AAAA-3']);
  expect(toKeys('Key;Note\r\nAAAA-1;first\r\n"AAAA-2";"second"\r\n')).toEqual(['AAAA-1', 'AAAA-2']);
  expect(toKeys('License key\tSold\rAAAA-1\tno')).toEqual(['AAAA-1']);
  expect(toKeys('"AA,AA-1",x\n"AA""1"')).toEqual(['AA,AA-1', 'AA"1']);
  expect(toKeys('KEY-1\nKEYS-2')).toEqual(['KEY-1', 'KEYS-2']);
  expect(toKeys('')).toEqual([]);
});

it('keys that are given twice are told from those in stock, and from those that are not valid', () => {
  const keys = ['AAAA-1', 'AAAA-2', 'AAAA-1', 'AAAA-1', 'long', 'long'];
  expect(countTwice(keys, new Set([4, 5]))).toBe(2);
  expect(countTwice(['AAAA-1'], new Set())).toBe(0);
});

it('a file is read in the encoding that it begins with', () => {
  const text = 'Key\r\nÄÄ-1';
  const wide = (isLittle: boolean) => {
    const view = new DataView(new ArrayBuffer((text.length + 1) * 2));
    [...`\uFEFF${text}`].forEach((letter, place) => {
      view.setUint16(place * 2, letter.charCodeAt(0), isLittle);
    });
    return new Uint8Array(view.buffer);
  };
  const narrow = new TextEncoder().encode(`\uFEFF${text}`);
  for (const bytes of [wide(true), wide(false), narrow]) expect(decodeText(bytes)).toBe(text);
});
