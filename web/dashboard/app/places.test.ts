import { expect, it } from 'vitest';
import { findPlace, listOpen } from './places.ts';

it('finds the place of an address by its longest beginning', () => {
  expect(findPlace('/orders')?.place.path).toBe('orders');
  expect(findPlace('/orders/ABC123')?.place.path).toBe('orders');
  expect(findPlace('/orders/payments/ABC123')?.place.path).toBe('orders/payments');
  expect(findPlace('/')?.section.id).toBe('home');
  expect(findPlace('/nowhere')).toBeNull();
});

it('shows a section only to whoever may read something of it', () => {
  const sight = { isTest: false, may: (area: string) => area === 'events' || area === 'test-clock' };
  expect(listOpen(sight).map(({ id, places }) => [id, places.map(({ path }) => path)])).toEqual([
    ['home', ['']],
    ['developers', ['developers/events']],
  ]);
});
