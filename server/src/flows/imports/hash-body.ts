import { createHash } from 'node:crypto';
import type { ImportLine } from '../../domain/imports/lines.ts';

/** Of the content alone, in whichever order its fields come. */
export function hashBody(line: ImportLine): string {
  return createHash('sha256')
    .update(JSON.stringify(sortFields(line)))
    .digest('base64url');
}

function sortFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortFields);
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).filter(([, field]) => field !== null && field !== undefined);
  return Object.fromEntries(
    entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, field]) => [key, sortFields(field)]),
  );
}
