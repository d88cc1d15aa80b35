import PDFDocument from 'pdfkit';
import { expect, it } from 'vitest';
import { createTypesetter } from './typesetter.ts';

const STYLE = { size: 10 };
const WIDTH = 200;

/** Lines of a text, and how many letters were measured for each letter of it. */
function wrap(text: string) {
  const doc = new PDFDocument();
  const measure = doc.widthOfString.bind(doc);
  let measured = 0;
  doc.widthOfString = (part, options) => {
    measured += part.length;
    return measure(part, options);
  };
  const lines = createTypesetter(doc).wrap(text, STYLE, WIDTH);
  return { lines, share: measured / text.length };
}

it.each([
  ['one word', 'Kapitänsmützenabzeichen'.repeat(40)],
  ['short words', 'a b '.repeat(250)],
  ['a word of marks', 'ใจดี'.repeat(240)],
  ['words that run to the left', 'محمد '.repeat(200)],
  ['a word that runs to the left', 'محمد'.repeat(240)],
])('sets %s of a thousand letters by measuring each not thirty times', (_what, text) => {
  const { lines, share } = wrap(text);
  expect(share).toBeLessThan(30);
  expect(lines.length).toBeGreaterThan(5);
  for (const { width } of lines) expect(width).toBeLessThanOrEqual(WIDTH);
  const shown = lines.flatMap(({ runs }) => runs.map((run) => run.text)).join('');
  expect(shown.replaceAll(' ', '').length).toBe(text.replaceAll(' ', '').length);
});

it('goes on after a word that was cut, and begins none at the end of a line', () => {
  const long = 'x'.repeat(60);
  const { lines } = wrap(`one ${long} two`);
  const texts = lines.map(({ runs }) => runs.map((run) => run.text).join(''));
  expect(texts[0]).toBe('one');
  expect(texts.slice(1).join('')).toBe(`${long} two`);
  expect(texts.at(-1)).toMatch(/^x+ two$/);
});

it.each(['ਗ਼ੰਇ', 'றஞ௵ே௯ல௩ஂ', 'તઍૼૃઝ', 'ൡഎഩ഻ഝഃൌ൶', 'ឝ᧫ណំីក', 'ໝໜ຺ຸ໎', 'ꩲဃဣၒႆၔ́ၟ'])(
  'sets %s although the marks have no place on its letters',
  (text) => {
    expect(wrap(text).lines).toHaveLength(1);
  },
);

it('begins no line with a mark or a currency behind a space that does not break', () => {
  for (let letters = 1; letters < 60; letters++) {
    const { lines } = wrap(`${'x'.repeat(letters)} Motif\u202f: autre, 12\u202f345\u00a0EUR`);
    const starts = lines.map(({ runs }) => runs[0]?.text.slice(0, 1));
    expect(starts.filter((start) => start === ':' || start === '3' || start === 'E')).toEqual([]);
  }
});

it.each(['١٢٣', '۱۲۳'])('leaves the digits of %s in their order, wherever they stand', (digits) => {
  // A run of several is turned round by the font, as a word is.
  for (const text of [digits, `شارع الملك فهد ${digits}`, `Haus ${digits}`]) {
    const runs = wrap(text).lines.flatMap((line) => line.runs.map((run) => run.text));
    expect(runs.filter((run) => digits.includes(run))).toEqual([...digits]);
  }
});
