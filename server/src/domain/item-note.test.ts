import { expect, it } from 'vitest';
import { toItemNote, toWholeName } from './item-note.ts';

it.each([
  ['Monthly', 'Cloud', null, 'Cloud'],
  ['Monthly', 'Cloud', 'Pro', 'Cloud · Pro'],
  ['Monthly', 'Cloud', 'Cloud Pro', 'Cloud Pro'],
  ['Cloud, monthly', 'Cloud', 'Pro', 'Pro'],
  ['Cloud Pro', 'Cloud', 'Pro', null],
  ['the cloud', 'Cloud', null, null],
  ['Unused time on Club Pro', 'Club', 'Pro', null],
  ['A repair', null, null, null],
])(
  'S48 what %s of the product %s and the variant %s leaves out is %s',
  (name, productName, variantName, note) => {
    expect(toItemNote({ name, productName, variantName })).toBe(note);
  },
);

it('S48 calls by its whole name what stands alone', () => {
  const [product, variant] = [{ name: 'Cloud' }, { name: 'Pro' }];
  expect(toWholeName({ name: 'Monthly', product, variant })).toBe('Cloud · Pro · Monthly');
  expect(toWholeName({ name: 'Cloud, monthly', product, variant: { name: null } })).toBe('Cloud, monthly');
  expect(toWholeName({ name: 'A repair', product: null, variant: null })).toBe('A repair');
  expect(toWholeName(undefined)).toBe('');
});
