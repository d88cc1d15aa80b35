import { describe, expect, it } from 'vitest';
import { fillText } from './texts.ts';

describe('fillText', () => {
  it('fills every place, and leaves one without a value visible', () => {
    expect(fillText('{a} and {a}, {b}', { a: 1 })).toBe('1 and 1, {b}');
  });
});
