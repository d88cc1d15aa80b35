import { expect, it } from 'vitest';
import { toItemNote } from './item-note.ts';

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
