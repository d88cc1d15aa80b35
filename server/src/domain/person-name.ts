/** A person's two names, in the order in which they are said. */

interface Names {
  firstName?: string | null | undefined;
  lastName?: string | null | undefined;
}

/** Scripts whose writers say the family's name first, whatever the language of the page or of the document. */
const FAMILY_FIRST = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** Empty where neither is known. */
export function toPersonName({ firstName, lastName }: Names): string {
  const names = [firstName, lastName].filter(Boolean);
  if (names.length === 2 && names.every((name) => FAMILY_FIRST.test(name ?? ''))) names.reverse();
  return names.join(' ');
}
