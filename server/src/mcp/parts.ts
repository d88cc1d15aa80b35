/**
 * What tools answer, a part each: its schema and how it is read of the API's answer, in one place, so that what is not
 * named is never sent, and what is sent always fits.
 */
import { type TSchema, Type } from 'typebox';
import { currencyDecimals, isCurrency } from '../domain/money/currency.ts';
import { type Reading, toCleanText, toCleanValue } from './clean.ts';

export const ROWS_MAX = 20;

export interface Part {
  schema: TSchema;
  read(source: unknown, reading: Reading): unknown;
}

type Path = string;

/** What lies at a path such as `user.id`; undefined = nothing does. */
export function at(source: unknown, path: Path): unknown {
  let value = source;
  for (const name of path === '' ? [] : path.split('.')) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}

const nullable = (schema: TSchema, description?: string): TSchema =>
  Type.Union([schema, Type.Null()], description === undefined ? {} : { description });

/** An id, a word of a closed list, or a text of somebody's. */
export const text = (path: Path, description?: string): Part => ({
  schema: nullable(Type.String({ maxLength: 500 }), description),
  read: (source, reading) => {
    const value = at(source, path);
    return typeof value === 'string' ? toCleanText(value, reading) : null;
  },
});

/** Only for pairs that may read users. */
export const email = (path: Path): Part => ({
  schema: nullable(Type.String({ maxLength: 500 }), 'Null for keys without the scope users:read.'),
  read: (source, reading) => {
    const value = at(source, path);
    return typeof value === 'string' && reading.mayReadEmails ? toCleanText(value, reading) : null;
  },
});

/** A link that was made to be shared. */
export const link = (path: Path, description: string): Part => ({
  schema: nullable(Type.String({ maxLength: 2000 }), description),
  read: (source) => {
    const value = at(source, path);
    return typeof value === 'string' ? value : null;
  },
});

export const integer = (path: Path, description: string): Part => ({
  schema: nullable(Type.Integer(), description),
  read: (source) => {
    const value = at(source, path);
    return Number.isInteger(value) ? value : null;
  },
});

export const number = (path: Path, description: string): Part => ({
  schema: nullable(Type.Number(), description),
  read: (source) => {
    const value = at(source, path);
    return typeof value === 'number' ? value : null;
  },
});

export const flag = (path: Path, description: string): Part => ({
  schema: nullable(Type.Boolean(), description),
  read: (source) => {
    const value = at(source, path);
    return typeof value === 'boolean' ? value : null;
  },
});

export const moment = (path: Path, description: string): Part => ({
  schema: nullable(Type.String({ format: 'date-time' }), `${description} ISO 8601, UTC.`),
  read: (source) => toIso(at(source, path)),
});

export const toIso = (ms: unknown): string | null =>
  typeof ms === 'number' && Math.abs(ms) <= 8.64e15 ? new Date(ms).toISOString() : null;

const MONEY = Type.Object(
  {
    minor: Type.Integer({ description: 'In minor units of the currency.' }),
    currency: Type.String({ description: 'ISO 4217.' }),
    text: Type.String({ description: 'The same for people, such as 19.99 USD.' }),
  },
  { additionalProperties: false },
);

export const money = (path: Path, description: string, currencyPath: Path = 'currency'): Part => ({
  schema: nullable(MONEY, description),
  read: (source) => toMoney(at(source, path), at(source, currencyPath)),
});

export function toMoney(minor: unknown, currency: unknown) {
  if (typeof minor !== 'number' || typeof currency !== 'string') return null;
  const decimals = isCurrency(currency) ? currencyDecimals(currency) : 2;
  return { minor, currency, text: `${toDecimal(minor, decimals)} ${currency}` };
}

/** By digits: a sum may be beyond what a division keeps. */
function toDecimal(minor: number, decimals: number): string {
  const digits = String(Math.abs(minor)).padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const sign = minor < 0 ? '-' : '';
  return decimals === 0 ? `${sign}${whole}` : `${sign}${whole}.${digits.slice(-decimals)}`;
}

/** Answers that a merchant's questions got, by key. */
export const free = (path: Path, description: string): Part => ({
  schema: nullable(Type.Object({}, { additionalProperties: true }), description),
  read: (source, reading) => {
    const value = at(source, path);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? toCleanValue(value, reading)
      : null;
  },
});

/** Read of what lies at the path. */
export const inner = (path: Path, part: Part): Part => ({
  schema: part.schema,
  read: (source, reading) => part.read(at(source, path), reading),
});

export function object(parts: Readonly<Record<string, Part>>, description?: string): Part {
  const properties = Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, part.schema]));
  return {
    schema: nullable(Type.Object(properties, { additionalProperties: false }), description),
    read: (source, reading) => {
      if (typeof source !== 'object' || source === null) return null;
      const read = ([name, part]: [string, Part]) => [name, part.read(source, reading)];
      return Object.fromEntries(Object.entries(parts).map(read));
    },
  };
}

/** At most 20 rows; more are said to be left out. */
export const list = (path: Path, part: Part, description: string): Part => ({
  schema: Type.Array(part.schema, { maxItems: ROWS_MAX, description }),
  read: (source, reading) => {
    const value = at(source, path);
    const rows = Array.isArray(value) ? value : [];
    if (rows.length > ROWS_MAX) reading.truncated = true;
    return rows.slice(0, ROWS_MAX).map((row) => part.read(row, reading));
  },
});
