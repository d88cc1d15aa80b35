/** Rows as the text of a file. */
import { stringify } from 'csv-stringify/sync';
import { createCellWriter, type Row, toHeader } from '../../domain/exports/cells.ts';
import type { Column } from '../../domain/exports/columns.ts';
import type { ExportRow } from '../../resources/exports/exports.queries.ts';

export interface Formatter {
  /** What the file begins with. */
  head: string;
  format(rows: readonly Row[]): string;
}

/** By it a spreadsheet knows that the file is UTF-8. */
const BOM = '\uFEFF';
const CSV = { record_delimiter: '\r\n' } as const;

export function createFormatter(
  { format, columns: paths }: Pick<ExportRow, 'format' | 'columns'>,
  listed: readonly Column[],
  /** The store's: see `createCellWriter`. */
  currency: string | null,
): Formatter {
  if (format === 'ndjson') {
    return { head: '', format: (rows) => rows.map((row) => `${JSON.stringify(row)}\n`).join('') };
  }
  const known = new Map(listed.map((column) => [column.path, column]));
  // What the list does not name is an answer to a question of the store.
  const columns = paths.map((path): Column => known.get(path) ?? { path, kind: 'text', currencyPath: null });
  const toCells = createCellWriter(columns, currency);
  return {
    head: `${BOM}${stringify([toHeader(columns)], CSV)}`,
    format: (rows) => stringify(rows.map(toCells), CSV),
  };
}
