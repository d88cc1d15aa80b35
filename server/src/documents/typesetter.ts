/**
 * Sets text of any script into a PDF: chooses fonts letter by letter, breaks lines by Unicode's rules, and
 * puts right-to-left words where they are read. pdfkit alone knows one font and one direction.
 */
import createBidi from 'bidi-js';
import LineBreaker from 'linebreak';
import type PDFDocument from 'pdfkit';
import { createFontShelf, type FamilyName, type FontShelf, type OpenFont, type Weight } from './fonts.ts';

export interface TextStyle {
  size: number;
  weight?: Weight;
  color?: string;
  align?: 'left' | 'right';
}

export interface Typesetter {
  /** The text in lines that fit. A text without anything to show has no lines. */
  wrap(text: string, style: TextStyle, width: number): TextLine[];
  /** Draws one line; `y` is its baseline, and `x` its left or, aligned right, its right end. */
  drawLine(line: TextLine, style: TextStyle, at: { x: number; y: number }): void;
}

export interface TextLine {
  width: number;
  runs: Run[];
}

/** A piece that is drawn with one font, in the order in which the eye meets them. */
interface Run {
  font: OpenFont;
  text: string;
  width: number;
}

/** A character with what is decided about it. */
interface Cell {
  text: string;
  font: OpenFont;
  level: number;
}

type Doc = InstanceType<typeof PDFDocument>;

const REPLACEMENT = '\ufffd';
const MARK = /[\p{M}\u200c\u200d]/u;
const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}]/u;
/** What fontkit turns round as soon as it stands in a run, digits too, which are read from the left in these scripts as well. */
const TURNED = /[\p{Script_Extensions=Arabic}\p{Script_Extensions=Hebrew}]/u;
/** Of these fontkit fails to place a mark on a letter that the font has no anchor for: they stand where they fall. */
const WITHOUT_ANCHORS =
  /[\p{Script=Tamil}\p{Script=Gujarati}\p{Script=Gurmukhi}\p{Script=Malayalam}\p{Script=Khmer}\p{Script=Lao}\p{Script=Myanmar}]/u;
/** Signs that steer a text and have no shape; the order has been worked out when they are dropped. */
const SHAPELESS = /\p{Default_Ignorable_Code_Point}/u;
/** Pictures among letters, with the tones and flags that are made of several. */
const PICTURE = /\u20e3|[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}]/u;
const FLAG_LETTER = /\p{Regional_Indicator}/u;
const FIRST_FLAG_LETTER = 0x1f1e6;
/** Tones of skin, and the frame of a key: they say nothing alone. */
const EMPHASIS = /[\u20e3\p{Emoji_Modifier}]/gu;
/** Signs that tell one text from another. */
const SAYING = /[\p{L}\p{N}\p{S}]/u;
/** As much of one text as a document shows. */
const LENGTH_MAX = 2000;

/** Knows nothing but Unicode's tables, which it reads once. */
const bidi = createBidi();

export function createTypesetter(doc: Doc): Typesetter {
  const shelf = createFontShelf();
  const known = new Set<string>();

  function use({ name, font }: OpenFont, size: number): void {
    // The types of pdfkit do not say that it takes an opened font.
    if (!known.has(name)) doc.registerFont(name, font as unknown as Buffer);
    known.add(name);
    doc.font(name).fontSize(size);
  }

  function measure(font: OpenFont, text: string, size: number): number {
    use(font, size);
    return doc.widthOfString(text, { features: toFeatures(text) });
  }

  function setLine(cells: readonly Cell[], size: number): TextLine {
    const runs = toRuns(cells, (character) => bidi.getMirroredCharacter(character)).map((run) => ({
      ...run,
      width: measure(run.font, run.text, size),
    }));
    const width = runs.reduce((sum, run) => sum + run.width, 0);
    return { width, runs };
  }

  return {
    wrap(text, { size, weight = 'regular' }, width) {
      const clean = toPrintable(toClean(text), { weight, shelf });
      if (clean === '') return [];
      const { levels } = bidi.getEmbeddingLevels(clean);
      const cells = toCells(clean, { levels, weight, shelf });
      return breakLines(clean, cells, (part) => setLine(part, size), width);
    },
    drawLine({ runs, width }, { size, color = '#000000', align = 'left' }, { x, y }) {
      let left = align === 'right' ? x - width : x;
      doc.fillColor(color);
      for (const run of runs) {
        use(run.font, size);
        doc.text(run.text, left, y, {
          lineBreak: false,
          baseline: 'alphabetic',
          features: toFeatures(run.text),
        });
        left += run.width;
      }
    },
  };
}

/**
 * What is optional of a right-to-left font is left out: a reader that finds two letters in one shape turns
 * them the wrong way round.
 */
function toFeatures(text: string): PDFKit.Mixins.OpenTypeFeatures[] {
  // fontkit also takes features to switch off, which the types of pdfkit do not say.
  const without = (off: Record<string, false>) => off as unknown as PDFKit.Mixins.OpenTypeFeatures[];
  if (RIGHT_TO_LEFT.test(text)) return without({ liga: false, dlig: false, clig: false });
  if (WITHOUT_ANCHORS.test(text)) return without({ mark: false, mkmk: false, abvm: false, blwm: false });
  return [];
}

/** One paragraph, composed so that letters with marks find their shape, without what cannot be shown; its spaces that do not break stay. */
function toClean(text: string): string {
  return text
    .slice(0, LENGTH_MAX)
    .normalize('NFC')
    .replace(/(?:(?![\u00a0\u202f])[\s\p{Cc}])+/gu, ' ')
    .trim();
}

/**
 * Pictures that no font has are left out rather than shown as boxes: what is left says the same. A text of nothing else
 * is spelled out, so that its line says which it is. A circled 1 or a script A becomes the plain one.
 */
function toPrintable(text: string, { weight, shelf }: { weight: Weight; shelf: FontShelf }): string {
  const hasPicture = PICTURE.test(text);
  if (!hasPicture && text.normalize('NFKC') === text) return text;
  const order = shelf.toOrder(text);
  const isShown = (character: string) =>
    SHAPELESS.test(character) || shelf.findFont(character.codePointAt(0) ?? 0, weight, order) !== null;
  const left = [...text].map((character) => {
    if (isShown(character)) return character;
    if (PICTURE.test(character)) return '';
    const plain = character.normalize('NFKC');
    return [...plain].every(isShown) ? plain : character;
  });
  const printable = toClean(left.join(''));
  return hasPicture && !SAYING.test(printable) ? spellOut(text) : printable;
}

/** A flag by the letters that it is made of, another picture by its number in Unicode. */
function spellOut(text: string): string {
  const words = [...text.replace(EMPHASIS, '')].map((character) => {
    const codePoint = character.codePointAt(0) ?? 0;
    if (FLAG_LETTER.test(character)) return String.fromCharCode(codePoint - FIRST_FLAG_LETTER + 65);
    return PICTURE.test(character) ? ` U+${codePoint.toString(16).toUpperCase()} ` : character;
  });
  return toClean(words.join('')) || text;
}

function toCells(
  text: string,
  { levels, weight, shelf }: { levels: Uint8Array; weight: Weight; shelf: FontShelf },
): Cell[] {
  const order = shelf.toOrder(text);
  const cells: Cell[] = [];
  let index = 0;
  for (const character of text) {
    const level = levels[index] ?? 0;
    index += character.length;
    const last = cells.at(-1);
    const codePoint = character.codePointAt(0) ?? 0;
    // A mark belongs to its letter: in another font it would stand beside it.
    if (last && MARK.test(character) && last.font.font.hasGlyphForCodePoint(codePoint))
      cells.push({ text: character, font: last.font, level });
    else if (SHAPELESS.test(character)) cells.push({ text: '', font: shelf.open('base', weight), level });
    else cells.push({ ...toShown(character, { weight, shelf, order }), level });
    // One cell for each unit of the text, so that positions in both are the same.
    for (let unit = 1; unit < character.length; unit += 1)
      cells.push({ text: '', font: shelf.open('base', weight), level });
  }
  return cells;
}

function toShown(
  character: string,
  { weight, shelf, order }: { weight: Weight; shelf: FontShelf; order: readonly FamilyName[] },
): { text: string; font: OpenFont } {
  const font = shelf.findFont(character.codePointAt(0) ?? 0, weight, order);
  // PDF/A has no room for a letter without a shape.
  return font ? { text: character, font } : { text: REPLACEMENT, font: shelf.open('base', weight) };
}

function breakLines(
  text: string,
  cells: readonly Cell[],
  setLine: (cells: readonly Cell[]) => TextLine,
  width: number,
): TextLine[] {
  // Most texts fit on one line: those are measured once.
  const whole = setLine(trimEnd([...cells]));
  if (whole.width <= width) return [whole];
  const lines: TextLine[] = [];
  const breaks = listBreaks(text);
  let start = 0;
  let next = 0;
  const cut = (to: number) => {
    lines.push(setLine(trimEnd(cells.slice(start, to))));
    start = to;
  };
  const fits = (to: number) => setLine(trimEnd(cells.slice(start, to))).width <= width;
  for (let end = breaks[next]; end !== undefined; end = breaks[next]) {
    const count = countMost(breaks.length - next, (n) => fits(breaks[next + n - 1] ?? end));
    if (count === 0) {
      cut(start + countFitting(cells.slice(start, end), setLine, width));
    } else {
      cut(breaks[next + count - 1] ?? end);
      next += count;
    }
    // The rest of a word that was cut goes on with what follows it.
    if (count === 0 && start >= end) next += 1;
  }
  return lines;
}

/**
 * The greatest number up to `most` that fits, 0 where not even 1 does; what is less fits, too. By doubling and halving:
 * each try measures all from the start, and a stranger's text may be one word of a thousand letters.
 */
function countMost(most: number, fits: (count: number) => boolean): number {
  let fitting = 0;
  let over = 1;
  while (over <= most && fits(over)) {
    fitting = over;
    over *= 2;
  }
  over = Math.min(over, most + 1);
  while (over - fitting > 1) {
    const middle = Math.floor((fitting + over) / 2);
    if (fits(middle)) fitting = middle;
    else over = middle;
  }
  return fitting;
}

function listBreaks(text: string): number[] {
  const breaker = new LineBreaker(text);
  const positions: number[] = [];
  for (let found = breaker.nextBreak(); found; found = breaker.nextBreak()) positions.push(found.position);
  return positions;
}

/** How much of a word that is too long for a line goes on it: at least one letter, or it would never end. */
function countFitting(
  cells: readonly Cell[],
  setLine: (cells: readonly Cell[]) => TextLine,
  width: number,
): number {
  const letters = new Intl.Segmenter('en', { granularity: 'grapheme' });
  const text = cells.map((cell) => cell.text || '\u200d').join('');
  const ends = [...letters.segment(text)].map(({ index, segment }) => index + segment.length);
  const count = countMost(ends.length, (n) => setLine(cells.slice(0, ends[n - 1])).width <= width);
  return Math.min(ends[Math.max(count, 1) - 1] ?? 1, cells.length);
}

function trimEnd(cells: Cell[]): Cell[] {
  let end = cells.length;
  while (end > 0 && (cells[end - 1]?.text ?? '').trim() === '') end -= 1;
  return cells.slice(0, end);
}

/** The cells in the order of the eye (rule L2 of Unicode's bidirectional algorithm), joined by font. */
function toRuns(
  cells: readonly Cell[],
  mirror: (character: string) => string | null,
): Array<{ font: OpenFont; text: string }> {
  const shown = cells.filter((cell) => cell.text !== '');
  const pieces = toPieces(shown, mirror);
  const highest = Math.max(0, ...pieces.map(({ level }) => level));
  for (let level = highest; level >= 1; level -= 1) reverseFrom(pieces, level);
  const runs: Array<{ font: OpenFont; text: string; isWord: boolean }> = [];
  for (const { font, text, level } of pieces) {
    const last = runs.at(-1);
    const isWord = level % 2 === 1 || TURNED.test(text);
    if (last && last.font === font && !last.isWord && !isWord) last.text += text;
    else runs.push({ font, text, isWord });
  }
  return runs;
}

/** What keeps its letters' order when the rest is turned: a right-to-left word, which fontkit turns itself. */
function toPieces(cells: readonly Cell[], mirror: (character: string) => string | null): Cell[] {
  const pieces: Cell[] = [];
  let isInWord = false;
  for (const { font, text, level } of cells) {
    const isTurned = level % 2 === 1;
    const last = pieces.at(-1);
    const isLetter: boolean = isTurned && (RIGHT_TO_LEFT.test(text) || (isInWord && MARK.test(text)));
    if (last && isLetter && isInWord && last.font === font && last.level === level) last.text += text;
    else pieces.push({ font, level, text: isTurned && !isLetter ? (mirror(text) ?? text) : text });
    isInWord = isLetter;
  }
  return pieces;
}

function reverseFrom(pieces: Cell[], level: number): void {
  let start = 0;
  while (start < pieces.length) {
    let end = start;
    while (end < pieces.length && (pieces[end]?.level ?? 0) >= level) end += 1;
    if (end > start) pieces.splice(start, end - start, ...pieces.slice(start, end).reverse());
    start = end + 1;
  }
}
