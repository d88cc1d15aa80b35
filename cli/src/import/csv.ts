/** Rows of a CSV file (RFC 4180), as its text comes: memory does not grow with it. */

const BOM = '\uFEFF';
/** What spreadsheets write between fields: semicolons where a comma is for decimals, tabs into Unicode text. */
const SEPARATORS = { ',': /["\n\r,]/g, ';': /["\n\r;]/g, '\t': /["\n\r\t]/g };
export type Separator = keyof typeof SEPARATORS;

export class CsvError extends Error {
  override readonly name = 'CsvError';
}

/** That which stands most often in the first row: names of columns hold none. */
export function findSeparator(text: string): Separator {
  const [head = ''] = text.split(/[\r\n]/, 1);
  const count = (one: string) => head.split(one).length;
  // Object.keys knows no names.
  const all = Object.keys(SEPARATORS) as Separator[];
  return all.reduce((best, one) => (count(one) > count(best) ? one : best));
}

export async function* readCsv(
  chunks: AsyncIterable<string>,
  separator: Separator = ',',
): AsyncGenerator<string[]> {
  const marks = SEPARATORS[separator];
  let rows = 0;
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
      const at = findMark(chunk, from, isQuoted ? null : marks);
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
      } else {
        row.push(field);
        [field, isAfterQuote] = ['', false];
        if (mark === separator) continue;
        // Between a carriage return and its line feed there is no row.
        if (!isEmpty(row)) {
          rows += 1;
          yield row;
        }
        row = [];
      }
    }
  }
  // All that follows it would be one field, and nobody would miss those rows.
  if (isQuoted) throw new CsvError(`The quote that opens after row ${rows} is never closed.`);
  row.push(field);
  if (!isEmpty(row)) yield row;
}

/** In quotes only a quote is one: `marks` is null there. */
function findMark(text: string, from: number, marks: RegExp | null): number {
  if (marks) marks.lastIndex = from;
  const at = marks ? (marks.exec(text)?.index ?? -1) : text.indexOf('"', from);
  return at < 0 ? text.length : at;
}

const isEmpty = (row: readonly string[]) => row.length === 1 && row[0] === '';
