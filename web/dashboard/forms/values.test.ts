import { describe, expect, it } from 'vitest';
import { nest, parseAmount, toSent, writeAmount } from './values.ts';

describe('an amount', () => {
  it('is read as German and English write it', () => {
    expect(parseAmount('12,34', 2)).toBe(1234);
    expect(parseAmount('12.34', 2)).toBe(1234);
    expect(parseAmount('12', 2)).toBe(1200);
    expect(parseAmount('1.234,50', 2)).toBe(123450);
    expect(parseAmount('1,234.5', 2)).toBe(123450);
    expect(parseAmount('1.234', 2)).toBe(123400);
    expect(parseAmount('1.234', 3)).toBe(1234);
    expect(parseAmount('1234', 0)).toBe(1234);
    expect(parseAmount('-5', 2)).toBe(-500);
  });

  it('is none where it could mean two things or nothing', () => {
    for (const text of ['', 'abc', '12,345,6x', '1.23456', '.', '12.3456'])
      expect(parseAmount(text, 2)).toBeNull();
  });

  it('is written as it is read again, without losing a cent', () => {
    expect(writeAmount(1234, 2, 'de')).toBe('12,34');
    expect(writeAmount(9007199254740991, 2, 'en')).toBe('90071992547409.91');
    expect(parseAmount(writeAmount(5, 2, 'de'), 2)).toBe(5);
    expect(writeAmount(500, 0, 'ja')).toBe('500');
  });
});

describe('what is sent', () => {
  it('leaves out what was left empty, and sends what cannot be read as it was typed', () => {
    expect(toSent({ name: 'price', kind: 'money' }, '', 'EUR')).toBeUndefined();
    expect(toSent({ name: 'price', kind: 'money' }, 'much', 'EUR')).toBe('much');
    expect(toSent({ name: 'price', kind: 'money' }, '9,99', 'EUR')).toBe(999);
    expect(toSent({ name: 'keys', kind: 'lines' }, ' a \n\nb', 'EUR')).toEqual(['a', 'b']);
  });

  it('is nested by its paths', () => {
    expect(nest({ 'seller.name': 'A', 'seller.city': 'B', graceDays: 3 })).toEqual({
      seller: { name: 'A', city: 'B' },
      graceDays: 3,
    });
  });
});
