/**
 * What a buyer is asked at checkout, and whether the answers will do. Patterns are the merchant's and values
 * the buyer's, so they meet in an engine of linear time: no pattern can hold the process.
 */
import { createRequire } from 'node:module';
import type * as Re2 from 're2js';
import { assert } from './assert.ts';
import { isLongerThan } from './characters.ts';
import { type InputIssue, invalidField } from './errors.ts';
import { isBlank } from './require-words.ts';

export const PATTERN_LENGTH_MAX = 200;
export const VALUE_LENGTH_MAX = 500;
/** Instructions of a compiled pattern; time is this times the value's length. */
const PROGRAM_SIZE_MAX = 500;
const CACHE_MAX = 500;

/** A definition as the checks need it. */
export interface CustomFieldTerms {
  key: string;
  label: string;
  type: 'text' | 'dropdown';
  required: boolean;
  options: readonly string[];
  /** RE2 syntax; the whole value must match, as with a browser's `pattern`. */
  pattern: string | null;
}

/**
 * Refuses (invalid_input on `pattern`) what the engine cannot run (look-around, back references) and what would take
 * it long. A pattern that was stored under another bound still runs.
 */
export function checkPattern(pattern: string): void {
  if (isLongerThan(pattern, PATTERN_LENGTH_MAX)) {
    throw invalidField('pattern', `must have at most ${PATTERN_LENGTH_MAX} characters`);
  }
  const compiled = compile(pattern);
  if (compiled === null) throw invalidField('pattern', 'must be a regular expression in RE2 syntax');
  if (compiled.programSize() > PROGRAM_SIZE_MAX) throw invalidField('pattern', 'repeats too much');
}

/** Whether the whole value matches. The pattern has passed `checkPattern`. */
export function matchesPattern(pattern: string, value: string): boolean {
  const compiled = compiledPatterns.get(pattern) ?? compile(pattern);
  assert(compiled, 'a stored pattern compiles');
  if (compiledPatterns.size >= CACHE_MAX) compiledPatterns.clear();
  compiledPatterns.set(pattern, compiled);
  return compiled.matches(value);
}

/** Compiling costs more than matching, and a shop asks the same few patterns over and over. */
const compiledPatterns = new Map<string, Re2.RE2JS>();
let engine: typeof Re2 | null = null;

function compile(pattern: string): Re2.RE2JS | null {
  // Loaded with the first pattern, which most shops never have: it takes 10 MiB.
  engine ??= createRequire(import.meta.url)('re2js') as typeof Re2;
  try {
    return engine.RE2JS.compile(pattern);
  } catch {
    return null;
  }
}

/**
 * The issues of a buyer's values, none when they will do. `definitions` are those that apply to the purchase;
 * a value without one is an issue, an empty value counts as missing.
 */
export function checkCustomFields(
  definitions: readonly CustomFieldTerms[],
  values: Readonly<Record<string, string>>,
): InputIssue[] {
  const issues: InputIssue[] = [];
  for (const definition of definitions) {
    const value = Object.hasOwn(values, definition.key) ? values[definition.key] : undefined;
    const message = explainValue(definition, value ?? '');
    if (message) issues.push({ path: `customFields.${definition.key}`, message });
  }
  const known = new Set(definitions.map(({ key }) => key));
  for (const key of Object.keys(values)) {
    if (!known.has(key)) issues.push({ path: `customFields.${key}`, message: 'is not a known field' });
  }
  return issues;
}

function explainValue({ label, type, required, options, pattern }: CustomFieldTerms, value: string) {
  if (value.trim() === '') return required ? `${label} is required` : null;
  if (required && isBlank(value)) return `${label} is required`;
  if (isLongerThan(value, VALUE_LENGTH_MAX))
    return `${label} must have at most ${VALUE_LENGTH_MAX} characters`;
  if (type === 'dropdown') return options.includes(value) ? null : `${label} must be one of the choices`;
  if (pattern !== null && !matchesPattern(pattern, value)) return `${label} does not have the expected form`;
  return null;
}
