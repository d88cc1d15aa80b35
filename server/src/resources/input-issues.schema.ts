/** What a schema refuses, in words for whoever sent it: of bodies and queries, and of lines of an import. */
import type { InputIssue } from '../domain/errors.ts';
import { ID_OR_NUMBER } from '../domain/numbers.ts';
import { LINES, ONE_LINE } from './shapes.ts';

/** As Ajv and TypeBox tell of it: one names a field, the other all fields of the kind. */
export interface ValidationIssue {
  instancePath: string;
  keyword: string;
  message?: string;
  params: Record<string, unknown>;
  /** What the keyword says, and of what: Ajv tells both. */
  schema?: unknown;
  data?: unknown;
}

const ISSUES_MAX = 20;

export function toIssues(issues: readonly ValidationIssue[]): InputIssue[] {
  return issues.flatMap(toEachMissing).slice(0, ISSUES_MAX).map(toIssue);
}

/** Ajv ends with the first field that is missing: whoever fills a form wants to know of all. */
function toEachMissing(issue: ValidationIssue): ValidationIssue[] {
  const { keyword, schema, data } = issue;
  if (keyword !== 'required' || !Array.isArray(schema) || typeof data !== 'object' || data === null)
    return [issue];
  const missing = schema.filter((name: string) => (data as Record<string, unknown>)[name] === undefined);
  return missing.map((missingProperty: string) => ({ ...issue, params: { missingProperty } }));
}

export function toIssue(issue: ValidationIssue): InputIssue {
  const base = issue.instancePath.replace(/^\//, '').replaceAll('/', '.');
  const { missingProperty, requiredProperties, additionalProperty } = issue.params;
  const named = missingProperty ?? [requiredProperties].flat()[0] ?? additionalProperty;
  const path = typeof named === 'string' ? [base, named].filter(Boolean).join('.') : base;
  return { path, message: toSentence(issue) };
}

const CHOICES_MAX = 12;

/** Of many the first, and that there are more. */
function toChoices(values: readonly unknown[]): string {
  const named = values.slice(0, CHOICES_MAX).map(String);
  return [...named, ...(values.length > CHOICES_MAX ? ['…'] : [])].join(', ');
}

function toSentence(issue: ValidationIssue): string {
  switch (issue.keyword) {
    case 'required':
      return 'is required';
    case 'additionalProperties':
    // What TypeBox says of each field that it does not know.
    case 'boolean':
      return 'is not a known field';
    case 'const':
      return `must be equal to ${String(issue.params.allowedValue)}`;
    case 'enum':
      return `must be one of ${toChoices(issue.params.allowedValues as unknown[])}`;
    case 'pattern':
      if (issue.params.pattern === ID_OR_NUMBER) return 'must be an id or a number such as ABCDEFGH1234';
      if (issue.params.pattern === ONE_LINE) return 'must not hold line breaks or other control characters';
      if (issue.params.pattern === LINES) return 'must not hold control characters but line breaks and tabs';
      return issue.message ?? 'is not valid';
    default:
      return issue.message ?? 'is not valid';
  }
}
