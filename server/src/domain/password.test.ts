import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findPasswordIssue, toPasswordNormal } from './password.ts';

describe('a password', () => {
  it.each(['Secret-1', 'Ünïcode_9', `A1!${'x'.repeat(69)}`, `Z٣!${'🙂'.repeat(69)}`, '  Pass 1 ! '])(
    'can be %s',
    (password) => expect(findPasswordIssue(password)).toBeNull(),
  );

  it.each([
    ['Sho-rt1', '8 to 72'],
    [`A1!${'x'.repeat(70)}`, '8 to 72'],
    // Four letters and four marks that are drawn with them make no eight signs of their own.
    ['Secret12', 'special'],
    ['Secret 12', 'special'],
    ['Se\u0301cret12', 'special'],
    ['Secret--', 'digit'],
    ['secret-1', 'upper'],
    ['', '8 to 72'],
  ])('cannot be %s', (password, reason) => expect(findPasswordIssue(password)).toContain(reason));

  it('is judged by its characters alone, in whatever order they come', () => {
    const signs = fc.constantFrom('a', 'B', '7', '-', ' ', 'é', '🙂');
    fc.assert(
      fc.property(fc.array(signs, { maxLength: 90 }), (parts) => {
        const isFine =
          parts.length >= 8 &&
          parts.length <= 72 &&
          parts.some((part) => part === '-' || part === '🙂') &&
          parts.includes('7') &&
          parts.includes('B');
        expect(findPasswordIssue(parts.join('')) === null).toBe(isFine);
        expect(findPasswordIssue(parts.toReversed().join('')) === null).toBe(isFine);
      }),
    );
  });

  it('is hashed in one form, however its letters were typed', () => {
    expect(toPasswordNormal('e\u0301')).toBe(toPasswordNormal('\u00e9'));
  });
});
