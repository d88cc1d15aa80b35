/** What the audit log and timelines say of an operation: what it was, and what was done to it. */
import type { Locale } from '../ui/locale.tsx';
import { toWords } from '../ui/to-words.ts';

type Words = Pick<Locale, 'tName'>;

/** `archiveCheckoutElement` is `archive` of a `CheckoutElement`. */
export function partsOf(operation: string): { verb: string; noun: string } {
  const [, verb = '', noun = ''] = /^([a-z]+)([A-Z]\w*)$/.exec(operation) ?? [];
  return { verb, noun };
}

/** "Checkout archived"; an operation that nobody here has words for is its own name, put apart. */
export function nameOperation(operation: string, { tName }: Words): string {
  const plain = toWords(operation);
  const whole = tName('operation.', operation);
  const { verb, noun } = partsOf(operation);
  const done = tName('auditVerb.', verb);
  if (whole !== plain || noun === '' || done === toWords(verb)) return whole;
  return `${tName('auditNoun.', noun)} ${done}`;
}

/** What a field is called: as the form calls it that it stands in, or by a word for what only answers hold. */
export function nameField(path: string, { tName }: Words): string {
  const name = path.split('.').at(-1) ?? path;
  if (path.startsWith('permissions.')) return tName('area.', name);
  // How a thing stands; within an address it is the part of the country that a form asks for.
  if (path === 'state') return tName('auditField.', name);
  const plain = toWords(name);
  const called = tName('field.', name);
  return called === plain ? tName('auditField.', name) : called;
}
