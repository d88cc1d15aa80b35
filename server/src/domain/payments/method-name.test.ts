import { expect, it } from 'vitest';
import { FIELD_TYPES } from '../processors/method-types.ts';
import { nameMethod } from './method-name.ts';

it.each([
  ['card', 'amex', 'American Express'],
  ['card', 'jcb', 'JCB'],
  ['card', null, null],
  ['bank_transfer', null, null],
  ['paypal', null, 'PayPal'],
  ['some_new_way', null, 'some new way'],
])('of %s with the brand %s is %s', (type, brand, name) => {
  expect(nameMethod({ type, brand })).toBe(name);
});

it('has a name for each method that is offered', () => {
  const named = FIELD_TYPES.filter((type) => type !== 'card').map((type) =>
    nameMethod({ type, brand: null }),
  );
  for (const name of named) expect(name).toMatch(/[A-Z]/);
});
