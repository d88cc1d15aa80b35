import { describe, expect, it } from 'vitest';
import type { Locale } from '../ui/locale.tsx';
import { currencyOf, describeFilter, fromTyped, toTyped } from './filter-values.ts';

const from = { parameter: 'valueFrom', label: 'filter.valueFrom', kind: 'money' } as const;
const word = { parameter: 'number', label: 'column.number', kind: 'text' } as const;
const tools = (currency: string) => ({ locale: { language: 'de' } as Locale, zone: 'UTC', currency });

describe('a filter by amount', () => {
  it('is typed as the language writes it, and asked in minor units', () => {
    expect(fromTyped(from, ['19,99'], tools('EUR'))).toEqual(['1999']);
    expect(fromTyped(from, ['19.99'], tools('EUR'))).toEqual(['1999']);
    expect(fromTyped(from, ['1999'], tools('JPY'))).toEqual(['1999']);
    expect(fromTyped(from, [''], tools('EUR'))).toEqual([]);
    expect(fromTyped(from, ['much'], tools('EUR'))).toBeNull();
    expect(toTyped(from, ['1999'], tools('EUR'))).toEqual(['19,99']);
    expect(toTyped(from, ['1999'], tools('JPY'))).toEqual(['1999']);
  });

  it('leaves what is no amount as it is', () => {
    expect(toTyped(from, ['abc'], tools('EUR'))).toEqual(['abc']);
    expect(fromTyped(word, ['1999'], tools('EUR'))).toEqual(['1999']);
  });

  it('is of the currency that the list shows alone, else of the store’s', () => {
    expect(currencyOf('currencies=jpy', 'EUR')).toBe('JPY');
    expect(currencyOf('currencies=JPY,USD', 'EUR')).toBe('EUR');
    expect(currencyOf('', '')).toBe('USD');
  });
});

describe('a filter by country', () => {
  const country = { parameter: 'countries', label: 'column.country', kind: 'country' } as const;
  const nameOf = (code: string) => ({ DE: 'Deutschland', FR: 'Frankreich' })[code] ?? code;
  const german = { language: 'de', countryName: nameOf } as unknown as Locale;
  const typed = (text: string) => fromTyped(country, [text], { ...tools('EUR'), locale: german });

  it('takes codes and names, and says which is none', () => {
    expect(typed('de, Frankreich')).toEqual(['DE', 'FR']);
    expect(typed('')).toEqual([]);
    expect(typed('Atlantis')).toBeNull();
    expect(toTyped(country, ['DE', 'FR'], tools('EUR'))).toEqual(['DE, FR']);
  });
});

describe('a filter by day', () => {
  const day = { parameter: 'createdFrom', label: 'filter.createdFrom', kind: 'day' } as const;
  const locale = { language: 'en', day: (ms: number) => new Date(ms).toISOString() } as unknown as Locale;
  const told = (value: string) => describeFilter(day, [value], { locale, zone: 'UTC', currency: 'EUR' });

  it('D21 tells each moment that the operation takes, and leaves what is none as it stands', () => {
    expect(told('1767225600000')).toBe('2026-01-01T00:00:00.000Z');
    expect(told('1767225600')).toBe('2026-01-01T00:00:00.000Z');
    expect(told('2026-01-01')).toBe('2026-01-01T00:00:00.000Z');
    expect(told('2026-01-01T01:00:00+01:00')).toBe('2026-01-01T00:00:00.000Z');
    expect(['yesterday', '99999999999999999', ''].map(told)).toEqual(['yesterday', '99999999999999999', '']);
  });
});
