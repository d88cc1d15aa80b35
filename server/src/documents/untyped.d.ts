/** The parts that we use of packages that bring no types. */

declare module 'fontkit' {
  export interface Font {
    hasGlyphForCodePoint(codePoint: number): boolean;
    getGlyph(id: number): object;
    layout(text: string): object;
    /** The tables that were read so far, by their tag. */
    _tables: Record<string, unknown>;
  }
  export function create(bytes: Uint8Array): Font;
}

declare module 'linebreak' {
  export default class LineBreaker {
    constructor(text: string);
    nextBreak(): { position: number; required: boolean } | null;
  }
}

declare module 'bidi-js' {
  export interface EmbeddingLevels {
    levels: Uint8Array;
  }
  export interface Bidi {
    getEmbeddingLevels(text: string, direction?: 'ltr' | 'rtl'): EmbeddingLevels;
    getMirroredCharacter(character: string): string | null;
  }
  export default function createBidi(): Bidi;
}
