/** How wide a text stands in a terminal: a column is counted in its cells, of which wide characters take two. */

const GRAPHEMES = new Intl.Segmenter();
/** East Asian Wide and Fullwidth, and what is drawn as a picture. */
const WIDE =
  /^(?:[\u1100-\u115f\u2e80-\u303e\u3041-\u4dbf\u4e00-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|\p{Regional_Indicator}|\p{Extended_Pictographic}\ufe0f)/u;
/** A mark without a letter, and what joins or marks letters. */
const NONE = /^[\p{M}\p{Cf}]+$/u;

const listGraphemes = (text: string) => [...GRAPHEMES.segment(text)].map(({ segment }) => segment);

function toCells(grapheme: string): number {
  if (NONE.test(grapheme)) return 0;
  return WIDE.test(grapheme) ? 2 : 1;
}

export const widthOf = (text: string) =>
  listGraphemes(text).reduce((sum, grapheme) => sum + toCells(grapheme), 0);

export const padTo = (text: string, width: number) =>
  `${text}${' '.repeat(Math.max(0, width - widthOf(text)))}`;

/** What is too wide ends with an ellipsis, and never within a character. */
export function cutTo(text: string, max: number): string {
  if (widthOf(text) <= max) return text;
  let cut = '';
  let width = 0;
  for (const grapheme of listGraphemes(text)) {
    width += toCells(grapheme);
    if (width > max - 1) break;
    cut += grapheme;
  }
  return `${cut}…`;
}
