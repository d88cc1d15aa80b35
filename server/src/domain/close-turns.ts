/** Opens a turn of the order of letters that U+202C ends, and one that U+2069 ends. */
const EMBEDDING = /[\u202a\u202b\u202d\u202e]/u;
const ISOLATE = /[\u2066-\u2068]/u;
const EMBEDDING_END = '\u202c';
const ISOLATE_END = '\u2069';

/**
 * A text that others typed, for a sentence of ours: a turn of the order of letters that it leaves open ends with it, and
 * one that it did not begin it cannot end. Otherwise the date and the amount behind it are read backwards.
 */
export function closeTurns(text: string): string {
  const open: string[] = [];
  let closed = '';
  for (const letter of text) {
    if (EMBEDDING.test(letter)) open.push(EMBEDDING_END);
    else if (ISOLATE.test(letter)) open.push(ISOLATE_END);
    else if (letter === EMBEDDING_END || letter === ISOLATE_END) {
      const at = open.lastIndexOf(letter);
      if (at < 0) continue;
      // What was opened within it and is still open ends with it.
      while (open.length > at + 1) closed += open.pop();
      open.pop();
    }
    closed += letter;
  }
  return closed + open.reverse().join('');
}
