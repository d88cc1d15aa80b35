import { expect, it } from 'vitest';
import { createFontShelf } from './fonts.ts';

it('reads the tables of a font once, and gives each document glyphs of its own', () => {
  const [one, other] = [createFontShelf(), createFontShelf()].map(
    (shelf) => shelf.open('base', 'regular').font,
  );
  one?.layout('office');
  other?.layout('office');
  // Compared by hand: what is this large takes a matcher seconds.
  expect(other?._tables.GSUB).toBeTypeOf('object');
  expect(other?._tables.GSUB === one?._tables.GSUB).toBe(true);
  expect(other?.getGlyph(40) === one?.getGlyph(40)).toBe(false);
});
