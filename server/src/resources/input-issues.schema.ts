/** What a schema refuses, in words for whoever sent it: of bodies and queries, and of lines of an import. */
import type { InputIssue } from '../domain/errors.ts';
import { ID_OR_DOCUMENT_NUMBER, ID_OR_NUMBER } from '../domain/numbers.ts';
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

/** Nobody who mistyped a field reads a regular expression: what each of them wants, in words. */
const WANTED: Readonly<Record<string, string>> = {
  [ONE_LINE]: 'must not hold line breaks or other control characters',
  [LINES]: 'must not hold control characters but line breaks and tabs',
  [ID_OR_NUMBER]: 'must be an id or a number such as ABCDEFGH1234',
  [ID_OR_DOCUMENT_NUMBER]: 'must be an id or a number such as INV-2026-000001',
  '^[A-Z]{2}$': 'must be two letters, such as DE',
  '^[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$': 'must be a language, such as de or pt-BR',
  '^[a-z]{2}(-[A-Z]{2})?$': 'must be a language, such as de or pt-BR',
  '^[\\p{L}\\p{M}\\p{N}._~-]+$': 'must hold letters, digits and . _ ~ - alone',
  '^[^\\s\\p{Cc}]+$': 'must not hold spaces or control characters',
  '^(?!svc-)[A-Za-z][A-Za-z0-9_-]*$':
    'must hold letters of a to z, digits, _ and - alone, and begin with a letter, but not with svc-',
  '^[A-Za-z0-9]([A-Za-z0-9-]{0,10}[A-Za-z0-9])?$':
    'must hold up to 12 letters of a to z, digits and -, with a letter or digit at both ends',
  '^[a-z0-9][a-z0-9-]{1,38}[a-z0-9]$':
    'must hold 3 to 40 small letters of a to z, digits and -, with a letter or digit at both ends',
  '^#[0-9a-fA-F]{6}$': 'must be a colour, such as #0a7d5c',
  '^[1-9][0-9]{0,2}(day|week|month|year)s?$': 'must be a span of time, such as 1month',
  '^[0-9 ]{8,20}$': 'must be the 8 digits of the mail',
};

/** The same of formats. */
const FORMS: Readonly<Record<string, string>> = { uuid: 'must be an id (a UUID)' };

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
      return WANTED[String(issue.params.pattern)] ?? issue.message ?? 'is not valid';
    case 'format':
      return FORMS[String(issue.params.format)] ?? issue.message ?? 'is not valid';
    default:
      return issue.message ?? 'is not valid';
  }
}
