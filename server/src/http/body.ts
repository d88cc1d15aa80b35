/** JSON bodies: what `JSON.parse` lets pass and neither PostgreSQL nor money can bear is refused here. */
import { parse } from 'secure-json-parse';
import { Refusal } from '../domain/errors.ts';

const DEPTH_LIMIT = 32;
const NODE_LIMIT = 50_000;
const decoder = new TextDecoder('utf-8', { fatal: true });

/** Parses a body; empty is `{}`. Throws invalid_json or invalid_input naming the place. */
export function parseJsonBody(raw: Buffer): unknown {
  if (raw.length === 0) return {};
  const value = parseText(decode(raw));
  inspect(value);
  return value;
}

function decode(raw: Buffer): string {
  try {
    return decoder.decode(raw);
  } catch (cause) {
    throw new Refusal('invalid_json', { message: 'The body is not valid UTF-8.', cause });
  }
}

function parseText(text: string): unknown {
  try {
    return parse(text, { protoAction: 'error', constructorAction: 'error' });
  } catch (cause) {
    throw new Refusal('invalid_json', { cause });
  }
}

interface Place {
  value: unknown;
  path: string;
  depth: number;
}

/** Iterative on purpose: JSON nested a million deep parses, and a recursive walk would end the process. */
function inspect(root: unknown): void {
  const places: Place[] = [{ value: root, path: '', depth: 0 }];
  let seen = 0;
  for (let place = places.pop(); place; place = places.pop()) {
    seen += 1;
    if (seen > NODE_LIMIT) throw new Refusal('invalid_json', { message: 'The body has too many values.' });
    if (place.depth > DEPTH_LIMIT)
      throw new Refusal('invalid_json', { message: 'The body is nested too deep.' });
    inspectOne(place, places);
  }
}

function inspectOne({ value, path, depth }: Place, places: Place[]): void {
  if (typeof value === 'string') inspectText(value, path);
  else if (typeof value === 'number') inspectNumber(value, path);
  else if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i += 1)
      places.push({ value: value[i], path: join(path, i), depth: depth + 1 });
  } else if (typeof value === 'object' && value !== null) {
    for (const key in value) {
      inspectText(key, join(path, key));
      // Own keys of a parsed object, whose type is not known yet.
      places.push({
        value: (value as Record<string, unknown>)[key],
        path: join(path, key),
        depth: depth + 1,
      });
    }
  }
}

function join(path: string, key: string | number): string {
  return path ? `${path}.${key}` : String(key);
}

function inspectText(text: string, path: string): void {
  if (text.includes('\u0000')) refuse(path, 'must not contain the character U+0000');
  if (!text.isWellFormed()) refuse(path, 'must not contain a lone surrogate');
}

function inspectNumber(number: number, path: string): void {
  if (!Number.isFinite(number)) refuse(path, 'is a number too large to be read exactly');
  if (Object.is(number, -0)) refuse(path, 'must not be negative zero');
}

function refuse(path: string, message: string): never {
  throw new Refusal('invalid_input', {
    message: `${path || 'body'} ${message}`,
    details: [{ path, message }],
  });
}
