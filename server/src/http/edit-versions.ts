/**
 * Of two who edit one object at once the second is told. Objects that are edited bear a version: an answer says it as
 * `ETag`, and an update whose `If-Match` names an older one is refused with the object as it is now.
 */
import { Type } from 'typebox';
import { invalidField, Refusal } from '../domain/errors.ts';

export const IfMatch = Type.Object({
  'if-match': Type.Optional(
    Type.String({ maxLength: 200, description: 'The `ETag` of the object that the change was made of.' }),
  ),
});

/** `"3"`, with or without quotes and the mark of a weak one, for clients that write it by hand. */
const ONE = /^(?:W\/)?"?(\d{1,15})"?$/;

interface Versioned {
  object?: unknown;
  id?: unknown;
  version: number;
}

/** The versions that a change may have been made of; null = any. */
export function readIfMatch(header: string | string[] | undefined): ReadonlySet<number> | null {
  const text = Array.isArray(header) ? header.join(',') : header;
  if (text === undefined || text.trim() === '*') return null;
  const versions = text.split(',').map((part) => ONE.exec(part.trim())?.[1]);
  if (versions.some((version) => version === undefined))
    throw invalidField('if-match', 'must be the ETag of an answer, such as "3"');
  return new Set(versions.map(Number));
}

/** Refuses with edit_conflict where the object had another version before the change. */
export function checkVersion(wanted: ReadonlySet<number> | null, before: unknown): void {
  if (wanted === null || !isVersioned(before) || wanted.has(before.version)) return;
  const { object, id } = before;
  throw new Refusal('edit_conflict', {
    facts: [{ object: String(object ?? ''), ...(typeof id === 'string' ? { id } : {}), current: before }],
  });
}

/** The `ETag` of what an answer is about: its first object, where that has a version. */
export function toETag(data: unknown): string | null {
  const [first] = Object.values((data ?? {}) as Record<string, unknown>);
  return isVersioned(first) ? `"${first.version}"` : null;
}

function isVersioned(value: unknown): value is Versioned {
  return (
    typeof value === 'object' && value !== null && 'version' in value && typeof value.version === 'number'
  );
}
