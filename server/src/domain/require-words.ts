import { invalidField } from './errors.ts';

/** Spaces, and letters and marks that show nothing: zero-width ones, marks of direction, fillers, the blank of Braille. */
const UNSEEN = /[\s\u2800\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

export function isBlank(text: string): boolean {
  return text.replace(UNSEEN, '') === '';
}

/** A name, or a note, that shows nothing says nothing. Throws invalid_input; what is not given is not looked at. */
export function requireWords(fields: Readonly<Record<string, string | null | undefined>>): void {
  for (const [path, text] of Object.entries(fields)) {
    if (typeof text === 'string' && isBlank(text)) throw invalidField(path, 'must hold more than spaces');
  }
}
