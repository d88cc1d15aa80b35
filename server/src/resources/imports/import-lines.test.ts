import { expect, it } from 'vitest';
import { checkLine, findMetaIssue } from './import-lines.schema.ts';

const offer = { kind: 'offer', ref: 'o', productRef: 'p', price: 1, currency: 'USD' };
const key = { kind: 'key', ref: 'k', offerRef: 'o', key: 'A', state: 'sold' };
const { price: _, ...unpriced } = offer;

it.each([
  [unpriced, 'price', 'is required'],
  [{ ...offer, prise: 1 }, 'prise', 'is not a known field'],
  [{ ...offer, price: 1.5 }, 'price', 'must be integer'],
  [{ ...key, state: 'active' }, 'state', 'must be one of available, sold, revoked'],
  [{ ...key, ref: 'a\u0000' }, 'ref', 'must not hold line breaks or other control characters'],
])('X41 names the field of a line and what it must be: %j', (line, path, message) => {
  expect(checkLine(line)).toEqual({ isFine: false, path, message });
});

it('X41 names the version that the first line of a file must bear', () => {
  expect(findMetaIssue({ kind: 'meta', format: 'counterfoil-import', version: 2, source: 'other' })).toEqual({
    path: 'version',
    message: 'must be equal to 1',
  });
});
