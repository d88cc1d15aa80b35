import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toSlug } from './slug.ts';

describe('toSlug', () => {
  it.each([
    ['Pro Photo Pack', 'pro-photo-pack'],
    ['  Élan & Größe! ', 'elan-große'],
    ['C++ / Rust', 'c-rust'],
    ['ゲーム 2', 'ゲーム-2'],
    ['!!!', 'product'],
    ['', 'product'],
  ])('%j becomes %j', (name, slug) => {
    expect(toSlug(name, 'product')).toBe(slug);
  });

  it('is never empty, never too long and never ends in a hyphen', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (name) => {
        const slug = toSlug(name, 'product');
        expect([...slug].length).toBeGreaterThan(0);
        expect([...slug].length).toBeLessThanOrEqual(80);
        expect(slug).toMatch(/^[^-\s].*$|^[^-\s]$/u);
        expect(slug.endsWith('-')).toBe(false);
      }),
    );
  });
});
