/** Says which object is missing: a refusal that does not is about the last one of the path. */
import { ERRORS, notFound, Refusal } from '../domain/errors.ts';

/** Where the parameter's name is not the object's. */
const NOUNS: Readonly<Record<string, string>> = { element: 'checkout element' };

/** The same error, or for a `not_found` without words of its own one that names noun and id. */
export function nameMissing(error: unknown, params: unknown): unknown {
  if (!(error instanceof Refusal) || error.code !== 'not_found') return error;
  if (error.message !== ERRORS.not_found.message) return error;
  const last = Object.entries((params ?? {}) as Record<string, string>).at(-1);
  return last ? notFound(toNoun(last[0]), last[1]) : error;
}

/** `customFieldId` → `custom field`. */
function toNoun(parameter: string): string {
  const name = parameter.replace(/Id(OrNumber)?$/, '');
  return NOUNS[name] ?? name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
