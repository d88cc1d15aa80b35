import { expect, it } from 'vitest';
import { listNew } from './news.ts';

const idAt = (moment: string) => `0193${moment}-0000-7000-8000-000000000000`;
const change = (operation: string, id: string | null, object = 'order') => ({
  changeId: `${operation} ${id}`,
  object,
  id,
  operation,
  actor: null,
  createdAt: 1,
});
const shown = new Set([idAt('0005'), idAt('0009')]);
const listed = (...changes: ReturnType<typeof change>[]) => listNew(changes, 'order', shown);

it('D39 an order that is made or paid for the first time is new', () => {
  expect(listed(change('createTestPurchase', idAt('000a')))).toEqual([idAt('000a')]);
  expect(listed(change('payment_success', idAt('000b')))).toEqual([idAt('000b')]);
});

it('D39 an edit of what stands on another page is not new', () => {
  expect(listed(change('updateOrder', idAt('000a')), change('payment_refunded', idAt('0001')))).toEqual([]);
});

it('D39 what is older than all that is shown is not new, whatever was paid for it', () => {
  expect(listed(change('payment_success', idAt('0001')))).toEqual([]);
});

it('D39 neither what is shown, nor another kind of object, nor a change of no object is new', () => {
  expect(
    listed(
      change('payment_success', idAt('0009')),
      change('createUser', idAt('000a'), 'user'),
      change('createOrder', null),
    ),
  ).toEqual([]);
});
