/**
 * Canonical JSON (RFC 8785): of equal values the same bytes, whoever wrote them, so that a hash of it can be computed
 * again by anybody. JavaScript's own way to write numbers and strings is the one that it asks for.
 */

export type CanonicalValue =
  | string
  | number
  | boolean
  | null
  | readonly CanonicalValue[]
  | { readonly [key: string]: CanonicalValue };

/** Object keys are sorted by their UTF-16 units, which is how JavaScript compares strings. */
export function toCanonicalJson(value: CanonicalValue): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (isList(value)) return `[${value.map(toCanonicalJson).join(',')}]`;
  const members = Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, inner]) => `${JSON.stringify(key)}:${toCanonicalJson(inner)}`);
  return `{${members.join(',')}}`;
}

function isList(value: object): value is readonly CanonicalValue[] {
  return Array.isArray(value);
}
