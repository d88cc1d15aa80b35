/** How rows are written to a table of texts: a spreadsheet reads numbers as numbers, and takes no text for a formula. */
import { currencyDecimals } from '../money/currency.ts';
import type { Column } from './columns.ts';

export type Row = Readonly<Record<string, unknown>>;

/** The names of a file's columns: the API's paths, with what is added beside an amount and a moment. */
export function toHeader(columns: readonly Column[]): string[] {
  return columns.flatMap(({ path, kind }) => {
    if (kind === 'amount') return [path, `${path}_major`];
    return kind === 'time' ? [path, `${path}_utc`] : [path];
  });
}

/**
 * Writes one row's cells. Made once for a file, since the paths are the same in each row. `currency` is the store's,
 * which is that of an amount whose row tells none, such as what a customer has spent.
 */
export function createCellWriter(
  columns: readonly Column[],
  currency: string | null,
): (row: Row) => string[] {
  const writers = columns.map((column) => toWriter(column, currency));
  return (row) => {
    const cells: string[] = [];
    for (const write of writers) write(row, cells);
    return cells;
  };
}

function toWriter(
  { path, kind, currencyPath }: Column,
  currency: string | null,
): (row: Row, cells: string[]) => void {
  const read = toReader(path);
  switch (kind) {
    case 'amount': {
      const readCurrency = currencyPath === null ? () => currency : toReader(currencyPath);
      return (row, cells) => {
        const amount = read(row);
        cells.push(toPlain(amount), toMajor(amount, readCurrency(row)));
      };
    }
    case 'time':
      return (row, cells) => {
        const atMs = read(row);
        cells.push(toPlain(atMs), typeof atMs === 'number' ? new Date(atMs).toISOString() : '');
      };
    case 'number':
    case 'yes':
      return (row, cells) => cells.push(toPlain(read(row)));
    case 'words':
      return (row, cells) => cells.push(guardText(toWords(read(row))));
    case 'json':
    case 'fields':
      return (row, cells) => cells.push(toJsonCell(read(row)));
    default:
      return (row, cells) => cells.push(guardText(toPlain(read(row))));
  }
}

function toReader(path: string): (row: Row) => unknown {
  const names = path.split('.');
  const [first = ''] = names;
  if (names.length === 1) return (row) => row[first];
  return (row) => {
    let value: unknown = row;
    for (const name of names) {
      if (typeof value !== 'object' || value === null) return null;
      value = (value as Row)[name];
    }
    return value;
  };
}

/** A cell that begins so is run as a formula by whoever opens the file. */
const FORMULA = /^[=+\-@\t\r]/;

export function guardText(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

function toPlain(value: unknown): string {
  return value === null || value === undefined ? '' : String(value);
}

function toWords(value: unknown): string {
  return Array.isArray(value) ? value.join('; ') : toPlain(value);
}

function toJsonCell(value: unknown): string {
  return value === null || value === undefined ? '' : guardText(JSON.stringify(value));
}

/** Minor units as money, by their digits alone: no sum is ever a fraction. */
export function toMajor(amountMinor: unknown, currency: unknown): string {
  if (typeof amountMinor !== 'number' || typeof currency !== 'string') return '';
  const decimals = currencyDecimals(currency);
  if (decimals === 0) return String(amountMinor);
  const digits = String(Math.abs(amountMinor)).padStart(decimals + 1, '0');
  return `${amountMinor < 0 ? '-' : ''}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}
