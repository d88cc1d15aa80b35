/** Holds a call's parameters against what the official client's types allow, and gives them their types. */
import { readFileSync } from 'node:fs';
import type { Shape } from '../params/shape.ts';
import { type ApiError, isInvalid } from './errors.ts';
import type { Raw } from './form.ts';

export type Params = Record<string, unknown>;

const SHAPES = JSON.parse(readFileSync(new URL('../params/params.json', import.meta.url), 'utf8')) as Record<
  string,
  Shape
>;

const METADATA_KEYS_MAX = 50;
const METADATA_NAME_MAX = 40;
const METADATA_VALUE_MAX = 500;

/** Calls whose list of types the pinned version no longer takes. */
const WITHOUT_TYPES = /^(PaymentIntent(Create|Update|Confirm)|SetupIntent(Create|Update))Params$/;

export function checkParams(
  name: string,
  raw: Record<string, Raw>,
  more: Readonly<Record<string, Shape>>,
): Params {
  const shape = name === '' ? { is: 'object' as const, fields: {} } : SHAPES[name];
  if (!shape) throw new Error(`There are no parameters ${name}`);
  if (raw.payment_method_types !== undefined && WITHOUT_TYPES.test(name)) {
    throw isInvalid(
      'The parameter `payment_method_types` is no longer supported in this API version. Use `allowed_payment_method_types`, or dynamic payment methods.',
      'payment_method_types',
      'payment_method_types_no_longer_supported',
    );
  }
  const fields = { ...shape.fields, ...more };
  return checkFields(fields, raw, '');
}

function checkFields(fields: Readonly<Record<string, Shape>>, raw: Record<string, Raw>, at: string): Params {
  const unknown = Object.keys(raw).filter((name) => !Object.hasOwn(fields, name));
  if (unknown.length > 0) throw isUnknown(unknown, at);
  const params: Params = {};
  for (const [name, shape] of Object.entries(fields)) {
    const path = at === '' ? name : `${at}[${name}]`;
    const value = raw[name];
    if (value !== undefined) params[name] = checkValue(shape, value, path);
    else if (shape.isRequired) throw isInvalid(`Missing required param: ${path}.`, path, 'parameter_missing');
  }
  return params;
}

function isUnknown(names: readonly string[], at: string): ApiError {
  const paths = names.map((name) => (at === '' ? name : `${at}[${name}]`));
  const what = paths.length === 1 ? 'parameter' : 'parameters';
  return isInvalid(`Received unknown ${what}: ${paths.join(', ')}`, paths[0], 'parameter_unknown');
}

function checkValue(shape: Shape, raw: Raw, path: string): unknown {
  if (raw === '') {
    if (shape.mayBeEmpty || (shape.is === 'string' && !shape.oneOf) || shape.is === 'any') return '';
    throw isInvalid(
      `You passed an empty string for '${path}'. We assume empty values are an attempt to unset a parameter; however '${path}' cannot be unset. You should remove '${path}' from your request or supply a non-empty value.`,
      path,
      'parameter_invalid_empty',
    );
  }
  if (shape.is === 'any') return raw;
  if (shape.is === 'array') return checkList(shape, raw, path);
  if (shape.is === 'map') return checkMap(raw, path);
  if (shape.is === 'object') {
    if (typeof raw === 'string' && shape.orScalar) return checkScalar({ is: shape.orScalar }, raw, path);
    if (typeof raw === 'string' || Array.isArray(raw)) throw isInvalid('Invalid object', path);
    return checkFields(shape.fields ?? {}, raw, path);
  }
  if (typeof raw !== 'string') throw isInvalid(`Invalid ${shape.is}: ${JSON.stringify(raw)}`, path);
  return checkScalar(shape, raw, path);
}

function checkList(shape: Shape, raw: Raw, path: string): unknown[] {
  if (!Array.isArray(raw)) throw isInvalid('Invalid array', path);
  const of = shape.of ?? { is: 'any' };
  return raw.map((item, index) => checkValue(of, item, `${path}[${index}]`));
}

function checkScalar(shape: Shape, raw: string, path: string): unknown {
  if (shape.is === 'integer') {
    if (!/^-?\d{1,15}$/.test(raw))
      throw isInvalid(`Invalid integer: ${raw}`, path, 'parameter_invalid_integer');
    return Number(raw);
  }
  if (shape.is === 'number') {
    if (!/^-?\d+(\.\d+)?$/.test(raw)) throw isInvalid(`Invalid decimal: ${raw}`, path);
    return Number(raw);
  }
  if (shape.is === 'boolean') {
    if (raw !== 'true' && raw !== 'false') throw isInvalid(`Invalid boolean: ${raw}`, path);
    return raw === 'true';
  }
  if (shape.oneOf && !shape.oneOf.includes(raw)) {
    throw isInvalid(`Invalid ${path}: must be one of ${toWords(shape.oneOf)}`, path);
  }
  return raw;
}

function toWords(names: readonly string[]): string {
  return names.length === 1 ? String(names[0]) : `${names.slice(0, -1).join(', ')}, or ${names.at(-1)}`;
}

function checkMap(raw: Raw, path: string): Record<string, string> {
  if (typeof raw === 'string' || Array.isArray(raw)) {
    throw isInvalid(`Invalid hash: metadata must be key-value pairs`, path);
  }
  const entries = Object.entries(raw);
  if (entries.length > METADATA_KEYS_MAX) {
    throw isInvalid(`Metadata can have up to ${METADATA_KEYS_MAX} keys.`, path);
  }
  for (const [name, value] of entries) {
    if (name.length > METADATA_NAME_MAX) {
      throw isInvalid(
        `Metadata keys can have up to ${METADATA_NAME_MAX} characters, but you passed in "${name}".`,
        path,
      );
    }
    if (typeof value !== 'string') throw isInvalid('Metadata values must be strings.', path);
    if (value.length > METADATA_VALUE_MAX) {
      throw isInvalid(`Metadata values can have up to ${METADATA_VALUE_MAX} characters.`, `${path}[${name}]`);
    }
  }
  return raw as Record<string, string>;
}

/** The new metadata: what is given is added, an empty value takes its key away, an empty text all. */
export function mergeMetadata(old: Record<string, string> | null, given: unknown): Record<string, string> {
  if (given === undefined) return old ?? {};
  if (given === '' || given === null) return {};
  const merged = { ...old, ...(given as Record<string, string>) };
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== ''));
}
