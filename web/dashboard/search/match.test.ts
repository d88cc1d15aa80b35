import { expect, it } from 'vitest';
import { isWholeNumber, matchPlaces } from './match.ts';

it('puts what begins with the words before what holds them', () => {
  const places = [{ title: 'Test clock' }, { title: 'Customers' }, { title: 'Custom fields' }];
  expect(matchPlaces(places, 'cust').map(({ title }) => title)).toEqual(['Customers', 'Custom fields']);
  expect(matchPlaces(places, 'CLOCK')).toEqual([{ title: 'Test clock' }]);
  expect(matchPlaces(places, ' ')).toHaveLength(3);
});

it('knows a whole number from a part of one', () => {
  expect(['YPKF438D71EM', 'YPKF438D71EM-2', 'YPKF', 'ada@example.com'].map(isWholeNumber)).toEqual([
    true,
    true,
    false,
    false,
  ]);
});
