/** What a person or a script reads of an answer. */
import type { Io } from './io.ts';
import { cutTo, padTo, widthOf } from './width.ts';

/** What moves a terminal's cursor is no data, and what turns the way that a line is read. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what is taken out
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2028\u2029\u2066-\u2069]/g;
const CELL_MAX = 40;
/** Where a number is a moment (Unix ms); such a name may also hold a text. */
const MOMENT = /(?:At|End)$|^(?:at|date|from|to)$/;

/** An object is JSON in either case: fields stand under the names that a script uses. */
export function showData(io: Io, data: unknown): void {
  io.out(io.isTable ? JSON.stringify(data, null, 2) : JSON.stringify(data));
}

interface Listed {
  rows: ReadonlyArray<Record<string, unknown>>;
  columns: readonly string[];
  isJson: boolean;
}

/** A table by the description's columns, or a line of JSON for each row. */
export function showRows(io: Io, { rows, columns, isJson }: Listed): void {
  if (isJson) {
    for (const row of rows) io.out(JSON.stringify(row));
    return;
  }
  const cells = [
    columns.map(toTitle),
    ...rows.map((row) => columns.map((column) => toCell(column, row[column]))),
  ];
  const widths = columns.map((_, at) => Math.max(...cells.map((line) => widthOf(line[at] ?? ''))));
  for (const line of cells)
    io.out(
      line
        .map((cell, at) => padTo(cell, widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    );
}

const toTitle = (column: string) => column.replace(/[A-Z]/g, (letter) => ` ${letter}`).toUpperCase();

function toCell(column: string, value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (typeof value === 'number' && MOMENT.test(column))
    return new Date(value).toISOString().replace('.000Z', 'Z');
  const text = (typeof value === 'object' ? JSON.stringify(value) : String(value)).replace(CONTROLS, ' ');
  return cutTo(text, CELL_MAX);
}
