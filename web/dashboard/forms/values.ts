/** Between what is typed and what the API takes. */
import { decimalsOf } from '../../ui/money.ts';
import { offsetAt } from '../lists/query.ts';
import type { Field } from './types.ts';

export type Values = Record<string, unknown>;

export const readPath = (of: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>(
      (at, part) => (typeof at === 'object' && at !== null ? (at as Values)[part] : undefined),
      of,
    );

/** What the fields hold of an object, by their names. */
export const readFields = (fields: readonly Field[], of: unknown): Values =>
  Object.fromEntries(fields.map(({ name }) => [name, readPath(of, name)]));

/** A field as the values of the others make it. */
export const fieldAmong = (field: Field, values: Values): Field =>
  field.follows ? { ...field, ...field.follows(values) } : field;

/** What parts the decimals of numbers in a language. */
const pointOf = (language: string): string =>
  new Intl.NumberFormat(language).formatToParts(0.5).find(({ type }) => type === 'decimal')?.value ?? '.';

/** Digits in groups of three, as a thousand and more are written: never `0.500`, which is half of one. */
const GROUPED = /^[1-9]\d{0,2}(?:(?:,\d{3})+|(?:\.\d{3})+)$/;

/**
 * `12,34` and `12.34` are 1234 minor units of a currency with two decimals; null where it is no amount. A sign with
 * three digits behind it could be of thousands or of decimals: the language decides, so that nobody who types
 * `1.234` pays a thousand times what was meant.
 */
export function parseAmount(text: string, decimals: number, language: string): number | null {
  const cleaned = text.replaceAll(/[\s'’]/g, '');
  const match = /^(-?)([\d.,]+)$/.exec(cleaned);
  if (!match) return null;
  const [, sign = '', digits = ''] = match;
  const last = Math.max(digits.lastIndexOf('.'), digits.lastIndexOf(','));
  const point = digits.charAt(last);
  const isOnly = last === digits.search(/[.,]/);
  const isWhole = last < 0 || (GROUPED.test(digits) && !(isOnly && point === pointOf(language)));
  const whole = isWhole ? digits : digits.slice(0, last);
  const behind = isWhole ? '' : digits.slice(last + 1);
  if (!isWhole && (behind.length > decimals || decimals === 0 || whole.includes(point))) return null;
  if (!/^\d*$/.test(whole) && !GROUPED.test(whole)) return null;
  const minor = Number(`${sign}${whole.replaceAll(/\D/g, '')}${behind.padEnd(decimals, '0')}`);
  return /\d/.test(whole + behind) && Number.isSafeInteger(minor) ? minor : null;
}

/** `1.000`, `1,000` and `1 000` are a thousand; what is none stays the text that was typed. */
function parseCount(text: string): number | string {
  const whole = /^\d{1,3}([.,'’\s]\d{3})+$/.test(text) ? text.replaceAll(/\D/g, '') : text;
  return parseNumber(whole);
}

/** `7,5` and `7.5` alike. */
function parseNumber(text: string): number | string {
  const number = Number(text.replace(',', '.'));
  return Number.isFinite(number) ? number : text;
}

/** An amount as it is typed in a language. */
export function writeAmount(minor: number, decimals: number, language: string): string {
  const format = new Intl.NumberFormat(language, {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
    useGrouping: false,
  });
  const text = String(Math.abs(minor)).padStart(decimals + 1, '0');
  const point = text.length - decimals;
  const decimal = decimals === 0 ? text : `${text.slice(0, point)}.${text.slice(point)}`;
  return format.format(`${minor < 0 ? '-' : ''}${decimal}` as `${number}`);
}

/** An amount as a button says it: written as it is typed, its currency named. */
export const nameAmount = (
  minor: number,
  currency: string,
  language: string,
  decimals = decimalsOf(currency),
) => `${writeAmount(minor, decimals, language)} ${currency}`;

/** Whose clock a moment is typed by: the store's, but of laws, whose days are days anywhere. */
const zoneOf = (field: Field, zone: string | undefined): string => (field.isUtc ? 'UTC' : (zone ?? 'UTC'));

/** A moment as a clock of the zone shows it, to the minute. */
const toClock = (ms: number, zone: string): string =>
  new Date(ms + offsetAt(ms, zone)).toISOString().slice(0, 16);

/** What a clock of the zone shows as a moment; what is none stays the text that was typed. */
function fromClock(text: string, zone: string): number | string {
  const shown = Date.parse(`${text}Z`);
  if (Number.isNaN(shown)) return text;
  return shown - offsetAt(shown - offsetAt(shown, zone), zone);
}

export interface InputTools {
  language: string;
  currency: string;
  /** The store's; UTC where there is none. */
  zone?: string;
}

/** What stands in a field for a value of the API. */
export function toInput(field: Field, value: unknown, tools: InputTools): unknown {
  if (field.kind === 'yes') return value === true;
  if (field.kind === 'lines') return Array.isArray(value) ? value.map(String).join('\n') : '';
  if (field.kind === 'many' || field.kind === 'offers') return Array.isArray(value) ? value.map(String) : [];
  if (field.kind === 'pairs')
    return Object.entries(typeof value === 'object' && value !== null ? value : {})
      .map(([name, text]) => `${name}=${String(text)}`)
      .join('\n');
  if (field.kind === 'permissions') return typeof value === 'object' && value !== null ? value : {};
  if (field.kind === 'rows') {
    const rows = Array.isArray(value) ? (value as Values[]) : [];
    return rows.map((row) =>
      Object.fromEntries(
        (field.columns ?? []).map((column) => [column.name, toInput(column, row[column.name], tools)]),
      ),
    );
  }
  if (value === null || value === undefined) return '';
  if (field.kind === 'money' && typeof value === 'number') {
    return writeAmount(value, decimalsOf(field.currency ?? tools.currency), tools.language);
  }
  if (field.kind === 'percent' && typeof value === 'number') {
    return new Intl.NumberFormat(tools.language, { useGrouping: false, maximumFractionDigits: 9 }).format(
      value,
    );
  }
  if (field.kind === 'time' && typeof value === 'number') return toClock(value, zoneOf(field, tools.zone));
  return String(value);
}

/** What the API is told; undefined = nothing of this field. */
export function toSent(field: Field, input: unknown, tools: InputTools): unknown {
  if (field.kind === 'yes') return input === true;
  if (field.kind === 'many' || field.kind === 'offers' || field.kind === 'permissions') return input;
  if (field.kind === 'rows') {
    const rows = Array.isArray(input) ? (input as Values[]) : [];
    return rows.map((row) =>
      Object.fromEntries(
        (field.columns ?? []).map((column) => [column.name, toSent(column, row[column.name], tools) ?? null]),
      ),
    );
  }
  const text = String(input ?? '').trim();
  if (field.kind === 'pairs') {
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    return Object.fromEntries(
      lines.map((line) => {
        const [name = '', ...rest] = line.split('=');
        return [name.trim(), rest.join('=').trim()];
      }),
    );
  }
  if (field.kind === 'lines') {
    const lines = text
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean);
    return field.areNumbers ? lines.map(parseCount) : lines;
  }
  if (text === '') return undefined;
  // What is no number, and no amount, goes as it was typed, so that the API says so at the field.
  if (field.kind === 'number') return parseCount(text);
  if (field.kind === 'percent') return parseNumber(text);
  if (field.kind === 'money') {
    const { currency, language } = tools;
    return parseAmount(text, decimalsOf(field.currency ?? currency), language) ?? text;
  }
  if (field.kind === 'time') return fromClock(text, zoneOf(field, tools.zone));
  return text;
}

/** `{ 'seller.name': 'A' }` is `{ seller: { name: 'A' } }`. */
export function nest(flat: Values): Values {
  const body: Values = {};
  for (const [path, value] of Object.entries(flat)) {
    const parts = path.split('.');
    const last = parts.pop() ?? path;
    let at = body;
    for (const part of parts) {
      at[part] ??= {};
      // Made on the line above.
      at = at[part] as Values;
    }
    at[last] = value;
  }
  return body;
}
