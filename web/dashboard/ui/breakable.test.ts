import { expect, it } from 'vitest';
import { splitAtJoints } from './breakable.tsx';

it.each([
  ['ada.hughes.1484@example.com', ['ada.', 'hughes.', '1484@', 'example.', 'com']],
  ['Order 2M3QC4CJB1RV', ['Order ', '2M3QC4CJB1RV']],
  ['Version 2.1', ['Version ', '2.1']],
  ['a_long-name/of+something', ['a_', 'long-', 'name/', 'of+', 'something']],
  ['', ['']],
])('D44 breaks %j at the joints of long words alone', (text, parts) => {
  expect(splitAtJoints(text)).toEqual(parts);
  expect(parts.join('')).toBe(text);
});
