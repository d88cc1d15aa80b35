import { describe, expect, it } from 'vitest';
import { FORMS } from './forms.ts';
import type { Field } from './types.ts';
import { fieldAmong, nest, parseAmount, toInput, toSent, writeAmount } from './values.ts';

const EUROS = { language: 'de', currency: 'EUR' };

describe('an amount', () => {
  it('is read as German and English write it', () => {
    for (const language of ['de', 'en']) {
      const read = (text: string, decimals = 2) => parseAmount(text, decimals, language);
      expect(read('12,34')).toBe(1234);
      expect(read('12.34')).toBe(1234);
      expect(read('12')).toBe(1200);
      expect(read('1.234,50')).toBe(123450);
      expect(read('1,234.5')).toBe(123450);
      expect(read(' 1 234 567,8 ')).toBe(123456780);
      expect(read('1.234.567')).toBe(123456700);
      expect(read('1234', 0)).toBe(1234);
      expect(read('-5')).toBe(-500);
    }
  });

  it('of three digits behind a sign is of thousands or of decimals by the language', () => {
    expect(parseAmount('1.234', 2, 'de')).toBe(123400);
    expect(parseAmount('1,234', 2, 'en')).toBe(123400);
    expect(parseAmount('1,234', 2, 'de')).toBeNull();
    expect(parseAmount('1.234', 2, 'en')).toBeNull();
    expect(parseAmount('1.234', 3, 'en')).toBe(1234);
    expect(parseAmount('1,234', 3, 'de')).toBe(1234);
    expect(parseAmount('1,234', 3, 'en')).toBe(1234000);
    expect(parseAmount('1.234', 0, 'de')).toBe(1234);
    expect(parseAmount('1.234', 0, 'en')).toBeNull();
  });

  it('is none where it could mean two things or nothing', () => {
    const odd = ['', 'abc', '12,345,6x', '1.23456', '.', '12.3456', '0,001', '0.500', '1.2.3', '1,23,456.7'];
    for (const text of odd) {
      expect(parseAmount(text, 2, 'de')).toBeNull();
      expect(parseAmount(text, 2, 'en')).toBeNull();
    }
    expect(parseAmount('12.50', 0, 'en')).toBeNull();
  });

  it('is written as it is read again, without losing a cent', () => {
    expect(writeAmount(1234, 2, 'de')).toBe('12,34');
    expect(writeAmount(9007199254740991, 2, 'en')).toBe('90071992547409.91');
    expect(parseAmount(writeAmount(5, 2, 'de'), 2, 'de')).toBe(5);
    expect(writeAmount(500, 0, 'ja')).toBe('500');
  });
});

describe('a field that follows others', () => {
  const amount = FORMS.discount?.fields.find(({ name }) => name === 'amount') as Field;
  const price = FORMS.offer?.fields.find(({ name }) => name === 'price') as Field;
  const sent = (field: Field, values: Record<string, unknown>) =>
    toSent(fieldAmong(field, values), values[field.name], EUROS);

  it('makes a discount’s amount percent or money by its type', () => {
    expect(sent(amount, { amountType: 'percentage', amount: '7,5' })).toBe(7.5);
    expect(sent(amount, { amountType: 'fixed', amount: '7,5' })).toBe(750);
    expect(sent(amount, { amountType: 'fixed', amount: 'half' })).toBe('half');
  });

  it('makes an amount one of the currency that is chosen beside it', () => {
    expect(sent(amount, { amountType: 'fixed', amount: '500', currency: 'jpy ' })).toBe(500);
    expect(sent(price, { price: '500', currency: 'JPY' })).toBe(500);
    expect(sent(price, { price: '1.5', currency: 'KWD' })).toBe(1500);
    expect(sent(price, { price: '500', currency: '' })).toBe(50_000);
    // Browsers count no decimals here; the API counts two.
    expect(sent(price, { price: '500', currency: 'HUF' })).toBe(50_000);
  });

  it('is filled from what is there as it is typed', () => {
    const shown = (row: Record<string, unknown>) =>
      toInput(fieldAmong(amount, row), row.amount, { language: 'de', currency: 'EUR' });
    expect(shown({ amountType: 'fixed', amount: 500, currency: 'USD' })).toBe('5,00');
    expect(shown({ amountType: 'fixed', amount: 500, currency: 'JPY' })).toBe('500');
    expect(shown({ amountType: 'percentage', amount: 12.5, currency: 'USD' })).toBe('12,5');
  });
});

describe('what is sent', () => {
  it('leaves out what was left empty, and sends what cannot be read as it was typed', () => {
    expect(toSent({ name: 'price', kind: 'money' }, '', EUROS)).toBeUndefined();
    expect(toSent({ name: 'price', kind: 'money' }, 'much', EUROS)).toBe('much');
    expect(toSent({ name: 'price', kind: 'money' }, '9,99', EUROS)).toBe(999);
    expect(toSent({ name: 'keys', kind: 'lines' }, ' a \n\nb', EUROS)).toEqual(['a', 'b']);
  });

  it('reads counts as they are written, and clears nothing by a slip', () => {
    const sent = (text: string) => toSent({ name: 'limit', kind: 'number' }, text, EUROS);
    expect(['1000', '1.000', '1,000', '1 000', '12.345.678'].map(sent)).toEqual([
      1000, 1000, 1000, 1000, 12_345_678,
    ]);
    expect(sent('1.5')).toBe(1.5);
    expect(sent('ten')).toBe('ten');
    const rate = (text: string) => toSent({ name: 'percentage', kind: 'percent' }, text, EUROS);
    expect(['9.975', '9,975', '19', 'half'].map(rate)).toEqual([9.975, 9.975, 19, 'half']);
  });

  it('is a moment by the store’s clock, in summer and in winter, and by UTC where a law says the day', () => {
    const at: Field = { name: 'validFrom', kind: 'time' };
    const tools = { language: 'de', currency: 'EUR', zone: 'Europe/Berlin' };
    const both = (field: Field, ms: number) => {
      const shown = toInput(field, ms, tools);
      return [shown, toSent(field, shown, tools)];
    };
    const summer = Date.parse('2026-07-01T10:00:00Z');
    expect(both(at, summer)).toEqual(['2026-07-01T12:00', summer]);
    const winter = Date.parse('2026-01-01T10:00:00Z');
    expect(both(at, winter)).toEqual(['2026-01-01T11:00', winter]);
    expect(both({ ...at, isUtc: true }, winter)).toEqual(['2026-01-01T10:00', winter]);
    expect(toSent(at, 'soon', tools)).toBe('soon');
  });

  it('is nested by its paths', () => {
    expect(nest({ 'seller.name': 'A', 'seller.city': 'B', graceDays: 3 })).toEqual({
      seller: { name: 'A', city: 'B' },
      graceDays: 3,
    });
  });
});
