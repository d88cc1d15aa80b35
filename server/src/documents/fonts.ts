/**
 * The fonts of our documents: whole files, since those cut up by script lose letters. Each is opened only
 * when a text needs it, and only the letters that are used go into a document.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { create, type Font } from 'fontkit';

export type Weight = 'regular' | 'bold';

/** A font of one document. */
export interface OpenFont {
  /** Its name within the document. */
  name: string;
  font: Font;
}

export interface FontShelf {
  /** The first of the fonts for this text that has the character; null when none has. */
  findFont(codePoint: number, weight: Weight, order: readonly FamilyName[]): OpenFont | null;
  /** The order in which fonts are asked for a text. */
  toOrder(text: string): readonly FamilyName[];
  open(family: FamilyName, weight: Weight): OpenFont;
}

const FILES = {
  // Latin, Cyrillic, Greek and most signs.
  base: both('noto-sans', 'NotoSans'),
  // Noto's Arabic builds its letters of parts, and others join two letters in one shape: a reader of the
  // document could not tell the letters again.
  arabic: both('vazirmatn', 'Vazirmatn'),
  hebrew: both('noto-sans-hebrew', 'NotoSansHebrew'),
  thai: both('noto-sans-thai', 'NotoSansThai'),
  devanagari: both('noto-sans-devanagari', 'NotoSansDevanagari'),
  japanese: both('noto-sans-jp', 'NotoSansJP'),
  korean: both('nanum-gothic', 'NanumGothic'),
  // In one weight: a whole family of simplified Chinese would be larger than all the others.
  chinese: one('zcool-xiaowei', 'ZCOOLXiaoWei'),
};

export type FamilyName = keyof typeof FILES;

/** Every face in use: a package of the service holds these alone. */
export const FONT_FILES = [...new Set(Object.values(FILES).flatMap(({ regular, bold }) => [regular, bold]))];

const USUAL: readonly FamilyName[] = [
  'base',
  'arabic',
  'hebrew',
  'thai',
  'devanagari',
  'japanese',
  'korean',
  'chinese',
];
const CHINESE: readonly FamilyName[] = ['base', 'chinese', ...USUAL.slice(1, -1)];

export function createFontShelf(): FontShelf {
  const opened = new Map<string, OpenFont>();

  function open(family: FamilyName, weight: Weight): OpenFont {
    const path = FILES[family][weight];
    const known = opened.get(path);
    if (known) return known;
    const font = { name: `${family}-${weight}`, font: openFont(path) };
    opened.set(path, font);
    return font;
  }

  function findFont(codePoint: number, weight: Weight, order: readonly FamilyName[]): OpenFont | null {
    for (const family of order) {
      if (!mayHave(family, codePoint)) continue;
      const font = open(family, weight);
      if (font.font.hasGlyphForCodePoint(codePoint)) return font;
    }
    return null;
  }

  return { open, findFont, toOrder: (text) => (isSimplified(text, open) ? CHINESE : USUAL) };
}

/** From here on are the scripts that only the large East Asian files have: they are opened for nothing else. */
const EAST_ASIAN = /[\u1100-\u11ff\u2e80-\ud7ff\uf900-\ufaff\ufe30-\uffef\u{1f000}-\u{3ffff}]/u;
const EAST_ASIAN_FAMILIES = new Set<FamilyName>(['japanese', 'korean', 'chinese']);

function mayHave(family: FamilyName, codePoint: number): boolean {
  return !EAST_ASIAN_FAMILIES.has(family) || EAST_ASIAN.test(String.fromCodePoint(codePoint));
}

/** Whether a text has a Chinese sign that Japanese lacks: a name half in one font and half in another looks torn. */
function isSimplified(text: string, open: FontShelf['open']): boolean {
  const signs = [...text].filter((character) => /\p{Script=Han}/u.test(character));
  if (signs.length === 0) return false;
  const { font: japanese } = open('japanese', 'regular');
  return signs.some((sign) => !japanese.hasGlyphForCodePoint(sign.codePointAt(0) ?? 0));
}

const require = createRequire(import.meta.url);
/** What of a file is the same in every document: its bytes, and the tables that have been read from them. */
const readOf = new Map<string, { bytes: Buffer; tables: Font['_tables'] }>();

/**
 * Each document has a font object of its own, since a glyph remembers the letters that it was first drawn for and
 * would carry them into the next document. The tables tell only what the file says, and reading them takes longer
 * than drawing: they are shared, the way fontkit shares them among the variations of a font.
 */
function openFont(path: string): Font {
  const read = readOf.get(path);
  const bytes = read?.bytes ?? readFileSync(require.resolve(path));
  const font = create(bytes);
  if (read) font._tables = read.tables;
  else readOf.set(path, { bytes, tables: font._tables });
  return font;
}

function both(folder: string, name: string): Record<Weight, string> {
  return { regular: toFile(folder, '400Regular', name), bold: toFile(folder, '700Bold', name) };
}

function one(folder: string, name: string): Record<Weight, string> {
  const file = toFile(folder, '400Regular', name);
  return { regular: file, bold: file };
}

function toFile(folder: string, style: string, name: string): string {
  return `@expo-google-fonts/${folder}/${style}/${name}_${style}.ttf`;
}
