import { expect, it } from 'vitest';
import { orderTables } from './order-tables.ts';

it('fills a table after those that its rows point to', () => {
  const tables = [
    { name: 'charges', pointsTo: ['payments', 'stores'] },
    { name: 'payments', pointsTo: ['stores'] },
    { name: 'invoices', pointsTo: ['invoices', 'payments'] },
    { name: 'stores', pointsTo: ['elsewhere'] },
  ];
  const order = orderTables(tables, new Set()).flat();
  expect(order.indexOf('stores')).toBe(0);
  expect(order.indexOf('payments')).toBe(1);
  expect(order.toSorted()).toEqual(['charges', 'invoices', 'payments', 'stores']);
});

it('fills a circle together, the end of which waits, and what points to it afterwards', () => {
  const tables = [
    { name: 'charges', pointsTo: ['orders'] },
    { name: 'orders', pointsTo: ['subscriptions', 'stores'] },
    { name: 'subscriptions', pointsTo: ['orders', 'stores'] },
    { name: 'stores', pointsTo: [] },
  ];
  expect(orderTables(tables, new Set(['subscriptions>orders']))).toEqual([
    ['stores'],
    ['subscriptions', 'orders'],
    ['charges'],
  ]);
});

it('knows a circle that nothing opens', () => {
  const tables = [
    { name: 'a', pointsTo: ['b'] },
    { name: 'b', pointsTo: ['a'] },
  ];
  expect(() => orderTables(tables, new Set())).toThrow('circle');
});
