import { expect, it } from 'vitest';
import { formatSize } from './file-size.ts';

it.each([
  [1, 'en', '1 byte'],
  [11, 'en', '11 bytes'],
  [11, 'de', '11 Byte'],
  [2_400_000, 'en', '2.4 MB'],
  [2_400, 'de', '2,4 kB'],
])('writes %i bytes in %s as %s', (bytes, language, text) => {
  expect(formatSize(bytes, language).replaceAll('\u00a0', ' ')).toBe(text);
});
