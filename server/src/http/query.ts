/** Query strings: tolerant in spelling, strict in values (contract.md section 1). */
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

interface PropertySchema {
  type?: string | string[];
  items?: PropertySchema;
  'x-time'?: boolean;
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
    // The store's text can not hold it.
    if (values.some((value) => value.includes('\u0000'))) {
      throw invalidField(name, 'must not contain the character U+0000');
    }
    if (schema.type === 'array') {
      const parts = values
        .flatMap((value) => value.split(','))
        .filter((part) => part !== '' && part !== 'null');
      if (parts.length > 0) query[name] = parts.map((part) => coerceValue(schema.items ?? {}, part));
    } else {
      const last = values[values.length - 1] ?? '';
      query[name] = schema['x-time'] ? toTime(name, last) : coerceValue(schema, last);
    }
  }
  return query;
}

function coerceValue(schema: PropertySchema, value: string): unknown {
  if (schema.type === 'boolean') {
    if (value === 'true' || value === '1') return true;
    if (value === 'false' || value === '0') return false;
    return value;
  }
  if (schema.type === 'integer' || schema.type === 'number') {
    return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(value) ? Number(value) : value;
  }
  return value;
}

const SECONDS_BELOW = 100_000_000_000;

/** A positive number below 10^11 is seconds: real clients send both. */
export function toMs(value: number): number {
  return value > 0 && value < SECONDS_BELOW && Number.isInteger(value) ? value * 1000 : value;
}

const ISO_8601 = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/;

/** ms, seconds or an ISO 8601 date or date-time (UTC unless it says otherwise). */
function toTime(name: string, value: string): number {
  if (/^\d{1,16}$/.test(value)) return toMs(Number(value));
  if (ISO_8601.test(value)) {
    // A "+" of an offset arrives as a space when the client did not encode it.
    const hasZone = value.length <= 10 || /(Z|[+-]\d{2}:?\d{2})$/.test(value);
    const ms = Date.parse(hasZone ? value : `${value}Z`);
    if (!Number.isNaN(ms)) return ms;
  }
  throw invalidField(name, 'must be Unix milliseconds, Unix seconds or an ISO 8601 date');
}

/** Body fields that are moments: seconds become ms. */
export function normaliseTimes(
  properties: Record<string, PropertySchema>,
  body: Record<string, unknown>,
): void {
  for (const [name, schema] of Object.entries(properties)) {
    const value = body[name];
    if (schema['x-time'] && typeof value === 'number') body[name] = toMs(value);
  }
}
