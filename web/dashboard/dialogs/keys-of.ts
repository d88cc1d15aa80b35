/** The keys of what somebody pasted, or of a file as programs write it. */

/** Spreadsheets write "Unicode text" as UTF-16, with a mark of it at the beginning. */
const MARKS = [
  { bytes: [0xff, 0xfe], encoding: 'utf-16le' },
  { bytes: [0xfe, 0xff], encoding: 'utf-16be' },
] as const;

export function decodeText(bytes: Uint8Array): string {
  const marked = MARKS.find((mark) => mark.bytes.every((byte, place) => bytes[place] === byte));
  return new TextDecoder(marked?.encoding ?? 'utf-8').decode(bytes);
}

/** What the head of a column of keys is called: nobody is to buy it. */
const HEAD = /^(?:(?:product|licen[cs]e|serial|activation|cd)[ _-]?)?(?:keys?|codes?)$/i;
/** Between quotes a separator is part of the key, and two quotes are one. */
const QUOTED = /^\s*"((?:[^"]|"")*)"\s*(?:[,;\t]|$)/;

function toFirstCell(line: string): string {
  const quoted = QUOTED.exec(line)?.[1];
  return (quoted === undefined ? (line.split(/[,;\t]/)[0] ?? '') : quoted.replaceAll('""', '"')).trim();
}

/** One key a line; of a table the first column, without its head. */
export function toKeys(text: string): string[] {
  const keys = text
    .split(/\r\n|\r|\n/)
    .map(toFirstCell)
    .filter(Boolean);
  return HEAD.test(keys[0] ?? '') ? keys.slice(1) : keys;
}

/** How many keys are there already by the same text: the check counts them with those in stock. */
export function countTwice(keys: readonly string[], invalid: ReadonlySet<number | null>): number {
  const valid = keys.filter((_key, index) => !invalid.has(index));
  return valid.length - new Set(valid).size;
}
