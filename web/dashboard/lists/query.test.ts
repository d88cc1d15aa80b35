import { describe, expect, it } from 'vitest';
import {
  offsetAt,
  startOfDay,
  toDay,
  toFilterQuery,
  toOperationQuery,
  valuesOf,
  withFilter,
  withPage,
} from './query.ts';

describe('the query of a list', () => {
  it('reaches the operation as the address has it, but for what is the screen’s own', () => {
    expect(toOperationQuery('statuses=PAID&statuses=NEW&columns=number&take=20')).toBe(
      'statuses=PAID&statuses=NEW&take=20',
    );
    expect(toOperationQuery('', { userId: 'u' })).toBe('userId=u&take=50');
  });

  it('takes choices one by one or behind commas, and a text as it is', () => {
    const choices = { parameter: 'statuses', kind: 'choices' };
    expect(valuesOf('statuses=received,unmatched&statuses=open', choices)).toEqual([
      'received',
      'unmatched',
      'open',
    ]);
    expect(valuesOf('statuses=a,b', { parameter: 'statuses', kind: 'text' })).toEqual(['a,b']);
  });

  it('is kept by views and exports without page', () => {
    expect(toFilterQuery('country=DE&cursor=abc&take=20&columns=x')).toBe('country=DE');
  });

  it('begins at the first page when a filter changes, and keeps all else', () => {
    expect(withFilter('country=DE&cursor=abc', 'statuses', ['PAID', ''])).toBe('country=DE&statuses=PAID');
    expect(withFilter('country=DE', 'country', [])).toBe('');
    expect(withPage('country=DE&cursor=a', null)).toBe('country=DE');
  });
});

describe('the days of a zone', () => {
  it('begin when its clock says midnight, in summer and in winter', () => {
    expect(startOfDay('2026-07-01', 'Europe/Berlin')).toBe(Date.parse('2026-06-30T22:00:00Z'));
    expect(startOfDay('2026-01-01', 'Europe/Berlin')).toBe(Date.parse('2025-12-31T23:00:00Z'));
    expect(startOfDay('2026-01-01', 'Asia/Kathmandu')).toBe(Date.parse('2025-12-31T18:15:00Z'));
    expect(offsetAt(Date.parse('2026-01-01T00:00:00.123Z'), 'UTC')).toBe(0);
  });

  it('are called by the zone’s own date', () => {
    expect(toDay(Date.parse('2026-01-01T23:30:00Z'), 'Europe/Berlin')).toBe('2026-01-02');
  });
});
