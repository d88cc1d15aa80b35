import { expect, it } from 'vitest';
import { findPlace, firstOf, listOpen, placeInOther } from './places.ts';

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

it('takes the address of a section for the first place of it that is open', () => {
  const sight = { isTest: false, may: (area: string) => area === 'members' };
  expect(firstOf('/settings', sight)?.path).toBe('settings/notifications');
  expect(firstOf('/finance', sight)).toBeUndefined();
  expect(firstOf('/settings/nowhere', sight)).toBeUndefined();
});

it('D49 keeps the place in the other store, or the nearest that is open there', () => {
  const live = { isTest: false, may: (area: string) => area !== 'mails' && area !== 'api-keys' };
  const placeOf = (path: string) => placeInOther(path, live);
  expect(placeOf('/orders/ABC123')).toBe('/orders');
  expect(placeOf('/orders/payments')).toBe('/orders/payments');
  expect(placeOf('/developers/test-clock')).toBe('/developers/webhooks');
  expect(placeOf('/account/profile')).toBe('/account/profile');
  expect(placeOf('/installation')).toBe('/installation');
  expect([placeOf('/mail/some-mail'), placeOf('/'), placeOf('/nowhere')]).toEqual(['', '', '']);
});
