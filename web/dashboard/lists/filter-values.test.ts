import { describe, expect, it } from 'vitest';
import type { Locale } from '../ui/locale.tsx';
import { currencyOf, fromTyped, toTyped } from './filter-values.ts';

const from = { parameter: 'valueFrom', label: 'filter.valueFrom', kind: 'money' } as const;
const word = { parameter: 'number', label: 'column.number', kind: 'text' } as const;
const tools = (currency: string) => ({ locale: { language: 'de' } as Locale, zone: 'UTC', currency });

describe('a filter by amount', () => {
  it('is typed as the language writes it, and asked in minor units', () => {
    expect(fromTyped(from, ['19,99'], 'EUR')).toEqual(['1999']);
    expect(fromTyped(from, ['19.99'], 'EUR')).toEqual(['1999']);
    expect(fromTyped(from, ['1999'], 'JPY')).toEqual(['1999']);
    expect(fromTyped(from, [''], 'EUR')).toEqual([]);
    expect(fromTyped(from, ['much'], 'EUR')).toBeNull();
    expect(toTyped(from, ['1999'], tools('EUR'))).toEqual(['19,99']);
    expect(toTyped(from, ['1999'], tools('JPY'))).toEqual(['1999']);
  });

  it('leaves what is no amount as it is', () => {
    expect(toTyped(from, ['abc'], tools('EUR'))).toEqual(['abc']);
    expect(fromTyped(word, ['1999'], 'EUR')).toEqual(['1999']);
  });

  it('is of the currency that the list shows alone, else of the store’s', () => {
    expect(currencyOf('currencies=jpy', 'EUR')).toBe('JPY');
    expect(currencyOf('currencies=JPY,USD', 'EUR')).toBe('EUR');
    expect(currencyOf('', '')).toBe('USD');
  });
});
