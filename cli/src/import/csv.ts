/** Rows of a CSV file (RFC 4180), as its text comes: memory does not grow with it. */

const BOM = '\uFEFF';
const MARKS = /["\n\r,]/g;

export async function* readCsv(chunks: AsyncIterable<string>): AsyncGenerator<string[]> {
  let row: string[] = [];
  let field = '';
  let isQuoted = false;
  /** A quote in a quoted field: it ends the field, or is the first of the two that mean one. */
  let isAfterQuote = false;
  let isFirst = true;
  for await (const chunk of chunks) {
    let from = isFirst && chunk.startsWith(BOM) ? 1 : 0;
    isFirst = false;
    for (;;) {
      const at = findMark(chunk, from, isQuoted);
      field += chunk.slice(from, at);
      // A quote amid a field that has none around it is no mark.
      const isDoubled: boolean = isAfterQuote && at === from && chunk[at] === '"';
      if (at > from) isAfterQuote = false;
      if (at === chunk.length) break;
      from = at + 1;
      const mark = chunk[at];
      if (mark === '"') {
        if (isDoubled) field += mark;
        isAfterQuote = isQuoted;
        isQuoted = !isQuoted && (isDoubled || field === '');
        if (!isQuoted && !isAfterQuote) field += mark;
      } else if (mark !== '\r') {
        row.push(field);
        [field, isAfterQuote] = ['', false];
        if (mark === ',') continue;
        if (!isEmpty(row)) yield row;
        row = [];
      }
    }
  }
  row.push(field);
  if (!isEmpty(row)) yield row;
}

/** In quotes only a quote is one. */
function findMark(text: string, from: number, isQuoted: boolean): number {
  MARKS.lastIndex = from;
  const at = isQuoted ? text.indexOf('"', from) : (MARKS.exec(text)?.index ?? -1);
  return at < 0 ? text.length : at;
}

const isEmpty = (row: readonly string[]) => row.length === 1 && row[0] === '';
