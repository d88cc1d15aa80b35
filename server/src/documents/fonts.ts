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
  // Those that are met now and then, in one weight, too.
  georgian: one('noto-sans-georgian', 'NotoSansGeorgian'),
  armenian: one('noto-sans-armenian', 'NotoSansArmenian'),
  bengali: one('noto-sans-bengali', 'NotoSansBengali'),
  tamil: one('noto-sans-tamil', 'NotoSansTamil'),
  telugu: one('noto-sans-telugu', 'NotoSansTelugu'),
  gujarati: one('noto-sans-gujarati', 'NotoSansGujarati'),
  gurmukhi: one('noto-sans-gurmukhi', 'NotoSansGurmukhi'),
  kannada: one('noto-sans-kannada', 'NotoSansKannada'),
  malayalam: one('noto-sans-malayalam', 'NotoSansMalayalam'),
  sinhala: one('noto-sans-sinhala', 'NotoSansSinhala'),
  khmer: one('noto-sans-khmer', 'NotoSansKhmer'),
  lao: one('noto-sans-lao', 'NotoSansLao'),
  myanmar: one('noto-sans-myanmar', 'NotoSansMyanmar'),
  ethiopic: one('noto-sans-ethiopic', 'NotoSansEthiopic'),
};

export type FamilyName = keyof typeof FILES;

/** Every face in use: a package of the service holds these alone. */
export const FONT_FILES = [...new Set(Object.values(FILES).flatMap(({ regular, bold }) => [regular, bold]))];

/** In the order in which they stand above. */
const USUAL = Object.keys(FILES) as readonly FamilyName[];
const CHINESE: readonly FamilyName[] = ['base', 'chinese', ...USUAL.slice(1)];

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

/** From here on are the scripts that only the large East Asian files have. */
const EAST_ASIAN = /[\u1100-\u11ff\u2e80-\ud7ff\uf900-\ufaff\ufe30-\uffef\u{1f000}-\u{3ffff}]/u;

/** Families that are opened for these letters alone. */
const ALONE: Partial<Record<FamilyName, RegExp>> = {
  ...{ japanese: EAST_ASIAN, korean: EAST_ASIAN, chinese: EAST_ASIAN },
  georgian: /\p{Script=Georgian}/u,
  armenian: /\p{Script=Armenian}/u,
  bengali: /\p{Script=Bengali}/u,
  tamil: /\p{Script=Tamil}/u,
  telugu: /\p{Script=Telugu}/u,
  gujarati: /\p{Script=Gujarati}/u,
  gurmukhi: /\p{Script=Gurmukhi}/u,
  kannada: /\p{Script=Kannada}/u,
  malayalam: /\p{Script=Malayalam}/u,
  sinhala: /\p{Script=Sinhala}/u,
  khmer: /\p{Script=Khmer}/u,
  lao: /\p{Script=Lao}/u,
  myanmar: /\p{Script=Myanmar}/u,
  ethiopic: /\p{Script=Ethiopic}/u,
};

function mayHave(family: FamilyName, codePoint: number): boolean {
  return ALONE[family]?.test(String.fromCodePoint(codePoint)) ?? true;
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
