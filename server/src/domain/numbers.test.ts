import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { orderNumberFrom, parseNumber, paymentNumber, toOrderNumber } from './numbers.ts';

const twelveBytes = fc.uint8Array({ minLength: 12, maxLength: 12 });

describe('orderNumberFrom', () => {
  it('gives 12 characters without I, L, O and U that the API accepts again', () => {
    fc.assert(
      fc.property(twelveBytes, (bytes) => {
        const number = orderNumberFrom(bytes);
        expect(number).toMatch(/^[0-9A-HJKMNP-TV-Z]{12}$/);
        expect(parseNumber(number)).toBe(number);
      }),
    );
  });

  it('gives every character to equally many bytes', () => {
    const counts = new Map<string, number>();
    for (let byte = 0; byte < 256; byte++) {
      const character = orderNumberFrom(new Uint8Array(12).fill(byte)).charAt(0);
      counts.set(character, (counts.get(character) ?? 0) + 1);
    }
    expect(counts.size).toBe(32);
    expect(new Set(counts.values())).toEqual(new Set([8]));
  });

  it('crashes on too little randomness', () => {
    expect(() => orderNumberFrom(new Uint8Array(11))).toThrow('12 random bytes');
  });
});

describe('toOrderNumber', () => {
  it.each([
    ['7K3M9XQ2V8TD', '7K3M9XQ2V8TD'],
    [' #7k3m 9xq2 v8td ', '7K3M9XQ2V8TD'],
    ['7K3M9XQ2V8TD-12', '7K3M9XQ2V8TD'],
    ['\u200b７Ｋ３Ｍ９ＸＱ２Ｖ８ＴＤ', '7K3M9XQ2V8TD'],
    ['7K3M9XQ2V8TD-', null],
    ['INV-2026-000001', null],
    ['', null],
  ])('reads %j as %s', (typed, number) => {
    expect(toOrderNumber(typed)).toBe(number);
  });
});

describe('parseNumber', () => {
  it.each([
    ['ABCDEFGH1234', 'ABCDEFGH1234'],
    ['#ABCDEFGH1234', 'ABCDEFGH1234'],
    ['%23ABCDEFGH1234', 'ABCDEFGH1234'],
    ['abcdefgh1234-7', 'ABCDEFGH1234-7'],
    ['#42', '42'],
    ['42-1', '42-1'],
    ['A'.repeat(32), 'A'.repeat(32)],
  ])('reads %s', (input, number) => {
    expect(parseNumber(input)).toBe(number);
  });

  it.each([
    '',
    '#',
    '##42',
    'ABCDEFGH123',
    'A'.repeat(33),
    'ABCDEFGH1234-',
    'ABCDEFGH1234-x',
    'ABCDEFGH 1234',
    '42\n',
    '0190b5f4-6a5c-7000-8000-000000000000',
  ])('refuses %j', (input) => {
    expect(parseNumber(input)).toBeNull();
  });
});

describe('paymentNumber', () => {
  it('is the order number for the first payment and counts the later ones', () => {
    expect(paymentNumber('ABCDEFGH1234', 0)).toBe('ABCDEFGH1234');
    expect(paymentNumber('ABCDEFGH1234', 12)).toBe('ABCDEFGH1234-12');
  });
});
