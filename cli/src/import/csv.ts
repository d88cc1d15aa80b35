/** Rows of a CSV file (RFC 4180), as its text comes: memory does not grow with it. */

const BOM = '\uFEFF';

export async function* readCsv(chunks: AsyncIterable<string>): AsyncGenerator<string[]> {
  let row: string[] = [];
  let field = '';
  let isQuoted = false;
  /** A quote in a quoted field: it ends the field, or is the first of the two that mean one. */
  let isAfterQuote = false;
  let isFirst = true;
  const endField = () => {
    row.push(field);
    field = '';
    isAfterQuote = false;
  };
  for await (const chunk of chunks) {
    const text = isFirst && chunk.startsWith(BOM) ? chunk.slice(1) : chunk;
    isFirst = false;
    for (const letter of text) {
      if (isQuoted && letter === '"') {
        isQuoted = false;
        isAfterQuote = true;
      } else if (isQuoted) field += letter;
      else if (letter === '"' && (isAfterQuote || field === '')) {
        if (isAfterQuote) field += letter;
        isQuoted = true;
        isAfterQuote = false;
      } else if (letter === ',') endField();
      else if (letter === '\n') {
        endField();
        if (!isEmpty(row)) yield row;
        row = [];
      } else if (letter !== '\r') field += letter;
    }
  }
  endField();
  if (!isEmpty(row)) yield row;
}

const isEmpty = (row: readonly string[]) => row.length === 1 && row[0] === '';
