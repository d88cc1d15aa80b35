/** The code that a machine shows and a person types: read aloud and compared by eye (RFC 8628, 6.1). */

/** No vowels, so that it spells nothing, and nothing that is taken for something else. */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';
const LENGTH = 8;

/** `pick` answers a whole number below the given one, each as likely. */
export function makeUserCode(pick: (below: number) => number): string {
  const letters = Array.from({ length: LENGTH }, () => LETTERS.charAt(pick(LETTERS.length)));
  return toUserCode(letters.join(''));
}

/** As it is kept, however it was typed: `abcd efgh` is `ABCD-EFGH`. */
export function toUserCode(typed: string): string {
  const letters = typed.toUpperCase().replace(/[^A-Z]/g, '');
  return `${letters.slice(0, LENGTH / 2)}-${letters.slice(LENGTH / 2)}`;
}
