/** Query strings: tolerant in spelling, strict in values. */
import type { TSchema } from 'typebox';
import { invalidField } from '../domain/errors.ts';

export type RawQuery = Record<string, string[]>;

/** Every spelling of a parameter folded into one list; an empty value or `null` counts as not given. */
export function parseQueryString(text: string): RawQuery {
  const query: RawQuery = Object.create(null) as RawQuery;
  if (!text) return query;
  for (const [key, value] of new URLSearchParams(text)) {
    if (value === '' || value === 'null') continue;
    const name = key.replace(/\[\d*\]$/, '');
    const values = query[name];
    if (values) values.push(value);
    else query[name] = [value];
  }
  return query;
}

export interface PropertySchema {
  type?: string | string[];
  enum?: unknown[];
  format?: string;
  items?: PropertySchema;
  properties?: Record<string, PropertySchema>;
  'x-time'?: boolean;
  /** Of a moment: a day without an hour is meant to its end. */
  'x-whole-day'?: boolean;
  'x-upper-case'?: boolean;
  /** Always a price, or one where the amount beside it is a fixed one. */
  'x-price'?: 'always' | 'fixed';
}

/** The schema's view of a parameter: which keys it has and how each is written. */
export function queryProperties(schema: TSchema | undefined): Record<string, PropertySchema> {
  // A TObject carries its properties as plain JSON schema.
  return ((schema as unknown as { properties?: Record<string, PropertySchema> })?.properties ?? {}) as Record<
    string,
    PropertySchema
  >;
}

/** Turns texts into what the schema expects; unknown parameters are left out, wrong values stay for the validator. */
export function coerceQuery(
  properties: Record<string, PropertySchema>,
  raw: RawQuery,
): Record<string, unknown> {
  const query: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(properties)) {
    const values = raw[name];
    if (!values) continue;
    // The store's text cannot hold it.
    if (values.some((value) => value.includes('\u0000'))) {
      throw invalidField(name, 'must not contain the character U+0000');
    }
    if (schema.type === 'array') {
      const parts = values
        .flatMap((value) => value.split(','))
        .filter((part) => part !== '' && part !== 'null');
      if (parts.length > 0) query[name] = parts.map((part) => coerceValue(schema.items ?? {}, part));
    } else {
      const [first = '', ...others] = values;
      // Neither of the two could be told from what was meant.
      if (others.some((value) => value !== first)) throw invalidField(name, 'must be given once');
      query[name] = schema['x-time'] ? toTime(name, first, schema) : coerceValue(schema, first);
    }
  }
  return query;
}

/** A plus sign that was not encoded arrives as a space. */
function coerceValue(schema: PropertySchema, value: string): unknown {
  if (schema.type === 'boolean') {
    if (value === 'true' || value === '1') return true;
    if (value === 'false' || value === '0') return false;
    return value;
  }
  if (schema.type === 'integer' || schema.type === 'number') {
    const written = value.replace(/(?<=\de) (?=\d)/i, '+');
    return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(written) ? Number(written) : value;
  }
  if (schema.enum) return toWord(schema.enum, value);
  // The same id in either case; the store and all that compares ids know one.
  if (schema.format === 'uuid') return value.toLowerCase();
  return schema['x-upper-case'] ? value.toUpperCase() : value;
}

/** Words of a filter are taken in any case; one that is none stays as it is, for the validator to refuse. */
function toWord(words: readonly unknown[], value: string): unknown {
  if (words.includes(value)) return value;
  const plain = value.toLowerCase();
  return words.find((word) => typeof word === 'string' && word.toLowerCase() === plain) ?? value;
}

const SECONDS_BELOW = 100_000_000_000;

/** A positive number below 10^11 is seconds: real clients send both. */
export function toMs(value: number): number {
  return value > 0 && value < SECONDS_BELOW && Number.isInteger(value) ? value * 1000 : value;
}

const ISO_8601 = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/;

const IS_DAY = /^\d{4}-\d{2}-\d{2}$/;
/** The store counts in ms, and each bound of a list is itself within it. */
const WHOLE_DAY_MS = 24 * 60 * 60 * 1000 - 1;

/** ms, seconds or an ISO 8601 date or date-time (UTC unless it says otherwise). */
function toTime(name: string, value: string, schema: PropertySchema): number {
  if (/^\d{1,16}$/.test(value)) return toMs(Number(value));
  const ms = parseIso(value.replace(/(?<=[T ]\d{2}:\d{2}.*) (?=\d{2}:?\d{2}$)/, '+'));
  if (ms !== null) return schema['x-whole-day'] && IS_DAY.test(value) ? ms + WHOLE_DAY_MS : ms;
  throw invalidField(name, 'must be Unix milliseconds, Unix seconds or an ISO 8601 date');
}

/** An ISO 8601 date or date-time, UTC unless it says otherwise; null for any other text, and for 30 February. */
export function parseIso(text: string): number | null {
  if (!ISO_8601.test(text) || !isDay(text.slice(0, 10))) return null;
  const hasZone = text.length <= 10 || namesZone(text);
  const ms = Date.parse(hasZone ? text : `${text}Z`);
  return Number.isNaN(ms) ? null : ms;
}

/** Whether a time says by which clock it is one. */
export const namesZone = (text: string): boolean => /:\d{2}.*(Z|[+-]\d{2}:?\d{2})$/.test(text);

/** `Date` takes a day that its month does not have for one of the next. */
function isDay(date: string): boolean {
  const ms = Date.parse(date);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(date);
}
