/**
 * What becomes of a user in texts that are kept about their sales: events, what receivers answered to them, audit rows.
 * The e-mail and the names become one word, the rest of what is personal goes; what was sold, and for how much, stays.
 */

/** Whose words are taken out of a text, and what stands in their place. */
export interface Erasing {
  /** `erased-<id of the user>`. */
  word: string;
  /** E-mails and names as they were found in the user's own rows and events. */
  texts: ReadonlySet<string>;
}

/** What stands in the place of a user's e-mail and names. */
export function toErasedWord(userId: string): string {
  return `erased-${userId}`;
}

const NAME_FIELDS = new Set(['email', 'username', 'firstName', 'lastName', 'companyName']);
/** Said of a person, and neither a name nor of use to the books: the country and whether it is a company stay. */
const PRIVATE_FIELDS = new Set([
  ...['dialCode', 'phoneNumber', 'address', 'addressLine2', 'city', 'state', 'postalCode'],
  ...['taxIdType', 'taxNumber', 'internalId', 'stripeCustomerId', 'paypalCustomerId'],
]);
/** Under these a person is told of. */
const PERSON_FIELDS = new Set(['details', 'billingDetails', 'paymentData', 'user', 'customer']);
/** What somebody wrote in sentences: names stand in them as words. */
const WRITTEN_FIELDS = new Set(['cancelReason', 'note', 'reason', 'comment', 'term']);
/** Shorter ones are parts of other words too often. */
const TEXT_LENGTH_MIN = 2;

/** E-mails and names that a value of the API tells of a person; they go from texts that have no fields. */
export function collectNames(value: unknown, into: Set<string>, isPerson = false): void {
  if (Array.isArray(value)) for (const inner of value) collectNames(inner, into, isPerson);
  if (!isObject(value)) return;
  const person = isPerson || value.object === 'user';
  for (const [key, inner] of Object.entries(value)) {
    if (person && NAME_FIELDS.has(key) && typeof inner === 'string') into.add(inner);
    else collectNames(inner, into, PERSON_FIELDS.has(key));
  }
}

/** The value without the person. Fields stay, so that what reads it finds what its description says. */
export function blankValue(value: unknown, erasing: Erasing, isPerson = false): unknown {
  if (typeof value === 'string') return blankEmails(value, erasing);
  if (Array.isArray(value)) return value.map((inner) => blankValue(inner, erasing, isPerson));
  if (!isObject(value)) return value;
  const person = isPerson || value.object === 'user';
  // A note is about nobody else, and nobody knows what stands in it.
  if (value.object === 'note' && 'text' in value) return { ...value, text: erasing.word };
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, blankField(key, inner, { erasing, person })]),
  );
}

function blankField(
  key: string,
  value: unknown,
  { erasing, person }: { erasing: Erasing; person: boolean },
): unknown {
  if (value === null) return null;
  if (key === 'ipAddress') return null;
  // Answers that the buyer typed.
  if (key === 'customFields' && isObject(value) && !Array.isArray(value)) {
    return Object.fromEntries(Object.keys(value).map((field) => [field, erasing.word]));
  }
  if (person && typeof value === 'string') {
    if (NAME_FIELDS.has(key)) return erasing.word;
    if (PRIVATE_FIELDS.has(key)) return null;
  }
  if (WRITTEN_FIELDS.has(key) && typeof value === 'string') return blankText(value, erasing);
  return blankValue(value, erasing, PERSON_FIELDS.has(key));
}

/** In free text e-mails and names go wherever they stand as words of their own. */
export function blankText(text: string, erasing: Erasing): string {
  let blanked = text;
  for (const name of longestFirst(erasing.texts)) {
    if (name.length < TEXT_LENGTH_MIN) continue;
    const pattern = new RegExp(`(?<![\\p{L}\\p{N}])${escapePattern(name)}(?![\\p{L}\\p{N}])`, 'giu');
    blanked = blanked.replace(pattern, erasing.word);
  }
  return blanked;
}

/** In a field that is not the person's a name may be a word of something else, such as a product; an e-mail is not. */
function blankEmails(text: string, { word, texts }: Erasing): string {
  const emails = new Set([...texts].filter((name) => name.includes('@')));
  return emails.size === 0 ? text : blankText(text, { word, texts: emails });
}

function longestFirst(texts: ReadonlySet<string>): string[] {
  return [...texts].sort((a, b) => b.length - a.length);
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
