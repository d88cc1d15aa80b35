import { expect, it } from 'vitest';
import { toFullName, toItemNames } from './names.ts';

it.each([
  ['Monthly', { name: 'Cloud' }, 'Cloud · Monthly'],
  ['Cloud, monthly', { name: 'Cloud' }, 'Cloud, monthly'],
  ['the cloud', { name: 'Cloud' }, 'the cloud'],
  ['A repair', null, 'A repair'],
  ['A repair', undefined, 'A repair'],
])('calls %s of %j in the portal %s', (name, product, full) => {
  expect(toFullName({ name, product })).toBe(full);
});

it('names the variant, too, where nothing else says it', () => {
  const product = { name: 'Cloud' };
  const call = (name: string, variant: string | null) =>
    toFullName({ name, product, variant: { name: variant } });
  expect(call('Monthly', 'Pro')).toBe('Cloud · Pro · Monthly');
  expect(call('Monthly', 'Cloud Pro')).toBe('Cloud Pro · Monthly');
  expect(call('Pro, monthly', 'Pro')).toBe('Cloud · Pro, monthly');
  expect(call('Monthly', null)).toBe('Cloud · Monthly');
});

it('calls what an order holds by whole names', () => {
  const order = { itemNames: ['Monthly', 'Cloud, yearly'], itemNotes: ['Cloud', null] };
  expect(toItemNames(order)).toBe('Cloud · Monthly, Cloud, yearly');
  expect(toItemNames({})).toBe('');
});
