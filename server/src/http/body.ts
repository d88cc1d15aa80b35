/** JSON bodies: what `JSON.parse` lets pass and neither PostgreSQL nor money can bear is refused here. */
import { parse } from 'secure-json-parse';
import { invalidField, Refusal } from '../domain/errors.ts';

const DEPTH_LIMIT = 32;
const NODE_LIMIT = 50_000;
const decoder = new TextDecoder('utf-8', { fatal: true });

/** Parses a body; empty is `{}`, and `null` no object. Throws invalid_json, duplicate_key or invalid_input, naming the place. */
export function parseJsonBody(raw: Buffer): unknown {
  if (raw.length === 0) return {};
  const text = decode(raw);
  const value = parseText(text);
  // The validator would take it for a body that is not there.
  if (value === null) throw invalidField('body', 'must be object');
  const members = inspect(value);
  // Of two members with one key a parser keeps the last in silence.
  if (countMembers(text) !== members) throw toDuplicateKey(text);
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
    const key = findPrototypeKey(text);
    if (key) refuse(key, 'is not a known field');
    throw new Refusal('invalid_json', { cause });
  }
}

/** The key for which a text that is JSON is refused all the same: no object of ours has such a field. */
function findPrototypeKey(text: string): string | undefined {
  const found: string[] = [];
  try {
    JSON.parse(text, (key, value: unknown) => {
      if (key === '__proto__' || (key === 'constructor' && hasPrototype(value))) found.push(key);
      return value;
    });
  } catch {
    return undefined;
  }
  return found[0];
}

function hasPrototype(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, 'prototype');
}

interface Place {
  value: unknown;
  path: string;
  depth: number;
}

/**
 * Answers how many members all objects have. Iterative on purpose: JSON nested a million deep parses, and a recursive
 * walk would end the process.
 */
function inspect(root: unknown): number {
  const places: Place[] = [{ value: root, path: '', depth: 0 }];
  let seen = 0;
  let members = 0;
  for (let place = places.pop(); place; place = places.pop()) {
    seen += 1;
    if (seen > NODE_LIMIT) throw new Refusal('invalid_json', { message: 'The body has too many values.' });
    if (place.depth > DEPTH_LIMIT)
      throw new Refusal('invalid_json', { message: 'The body is nested too deep.' });
    members += inspectOne(place, places);
  }
  return members;
}

/** Queues what lies within, and answers how many members the value itself has. */
function inspectOne({ value, path, depth }: Place, places: Place[]): number {
  let members = 0;
  if (typeof value === 'string') inspectText(value, path);
  else if (typeof value === 'number') inspectNumber(value, path);
  else if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i += 1)
      places.push({ value: value[i], path: join(path, i), depth: depth + 1 });
  } else if (typeof value === 'object' && value !== null) {
    for (const key in value) {
      members += 1;
      inspectText(key, join(path, key));
      // Own keys of a parsed object, whose type is not known yet.
      places.push({
        value: (value as Record<string, unknown>)[key],
        path: join(path, key),
        depth: depth + 1,
      });
    }
  }
  return members;
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

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;

/** Members as they are written: in a text that is JSON each has one colon outside of strings. */
function countMembers(text: string): number {
  let members = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === COLON) members += 1;
    else if (code === QUOTE) at = endOfString(text, at);
  }
  return members;
}

/** Where the string that begins at `start` has its closing quote. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  return at;
}

/** The first key of a JSON text that its object has already. */
function toDuplicateKey(text: string): Refusal {
  const open: Array<Set<string>> = [];
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at];
    if (sign === '{' || sign === '[') open.push(new Set());
    else if (sign === '}' || sign === ']') open.pop();
    else if (sign === '"') {
      const end = endOfString(text, at);
      // A string with a colon behind it is a key; `\u0061` and `a` are one.
      if (/^\s*:/.test(text.slice(end + 1, end + 1 + KEY_GAP))) {
        const key = String(JSON.parse(text.slice(at, end + 1)));
        const keys = open.at(-1);
        if (keys?.has(key)) return refusalOf(key);
        keys?.add(key);
      }
      at = end;
    }
  }
  return new Refusal('duplicate_key');
}

/** Blanks between a key and its colon that are looked through for its name; beyond them it goes unnamed. */
const KEY_GAP = 100;

function refusalOf(key: string): Refusal {
  const message = 'is given more than once in one object';
  return new Refusal('duplicate_key', {
    message: `${key} ${message}`,
    details: [{ path: key, message }],
  });
}

function refuse(path: string, message: string): never {
  throw new Refusal('invalid_input', {
    message: `${path || 'body'} ${message}`,
    details: [{ path, message }],
  });
}
