import { invalidField } from './errors.ts';

/** A name, or a note, of spaces alone says nothing. Throws invalid_input; what is not given is not looked at. */
export function requireWords(fields: Readonly<Record<string, string | null | undefined>>): void {
  for (const [path, text] of Object.entries(fields)) {
    if (typeof text === 'string' && text.trim() === '')
      throw invalidField(path, 'must hold more than spaces');
  }
}
