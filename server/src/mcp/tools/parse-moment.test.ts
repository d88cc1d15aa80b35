import { expect, it } from 'vitest';
import { parseMoment } from './parse-moment.ts';

it('reads a moment in UTC where it names no zone', () => {
  const told = ['2027-02-28', '2027-02-28T10:00', '2027-02-28T10:00+02:00'].map((text) =>
    new Date(parseMoment(text, 'to')).toISOString(),
  );
  expect(told).toEqual(['2027-02-28T00:00:00.000Z', '2027-02-28T10:00:00.000Z', '2027-02-28T08:00:00.000Z']);
});

it.each(['2027-02-30', '2027-13-01', '03/04/2027', 'May 2027', 'soon'])('refuses %s', (text) => {
  expect(() => parseMoment(text, 'to')).toThrow('to must be a date or moment, ISO 8601');
});
