/** What a schema cannot say of a request. */
import { invalidField } from '../domain/errors.ts';
import { toOneSpelling } from './path-asked.ts';

/** Ids are lower case; a client's upper-case UUID is the same id. */
export function lowerCaseIds(params: Record<string, string>): void {
  for (const name of Object.keys(params)) {
    const value = params[name];
    if (value !== undefined && /^[0-9A-F-]{36}$/i.test(value)) params[name] = value.toLowerCase();
  }
}

/** Of an operation without fields every field is one too many. */
export function checkEmpty(body: unknown): void {
  if (typeof body !== 'object' || Array.isArray(body)) throw invalidField('body', 'must be an object');
  const [name] = Object.keys((body ?? {}) as Record<string, unknown>);
  if (name !== undefined) throw invalidField(name, 'is not a field of this operation');
}

/** A body may repeat the path's id; another one is a mistake of the caller's. */
export function checkRepeatedId(params: unknown, body: unknown): void {
  if (typeof body !== 'object' || body === null || !('id' in body)) return;
  const inPath = Object.values((params ?? {}) as Record<string, string>).at(-1);
  if (inPath !== undefined && toOneSpelling(String(body.id)) !== toOneSpelling(inPath)) {
    throw invalidField('id', 'must be the same as in the path');
  }
}
