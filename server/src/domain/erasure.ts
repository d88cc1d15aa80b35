/**
 * What becomes of a user in texts that are kept about their sales: events, what receivers answered to them, audit rows.
 * The e-mail and the names become one word, the rest of what is personal goes; what was sold, and for how much, stays.
 */
import { listSpellings } from './email.ts';
import { listReadings } from './encodings.ts';
import { CANCEL_REASONS } from './settings-blocks.ts';

/** Whose words are taken out of a text, and what stands in their place. */
export interface Erasing {
  /** `erased-<id of the user>`. */
  word: string;
  /** E-mails and names as they were found in the user's own rows and events. */
  texts: ReadonlySet<string>;
  /** The rest of what their details say: it goes out of sentences as well. */
  details: ReadonlySet<string>;
}

/** What is found on the way. */
export interface Found {
  texts: Set<string>;
  details: Set<string>;
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
const WRITTEN_FIELDS: ReadonlySet<string> = new Set(['note', 'reason', 'term']);
const CHARGE_FIELDS: ReadonlySet<string> = new Set([...WRITTEN_FIELDS, 'description']);
const LINE_FIELDS: ReadonlySet<string> = new Set([...CHARGE_FIELDS, 'name']);
/** Ways back to a shop, which a merchant makes for one buyer: all but its host may have been written for them. */
const LINK_FIELDS: ReadonlySet<string> = new Set(['redirectUrl', 'cancelUrl', 'returnUrl']);
/** Shorter ones are parts of other words too often. */
const TEXT_LENGTH_MIN = 2;
/** A state or a house number is not theirs alone. */
const DETAIL_LENGTH_MIN = 4;
/** The words that a shop lets its buyers choose from; what they add to one is their own. */
const REASON = new RegExp(`^(${CANCEL_REASONS.join('|')})(?:$|:)`);

/** E-mails, names and details that a value of the API tells of a person; they go from texts that have no fields. */
export function collectNames(value: unknown, into: Found, isPerson = false): void {
  if (Array.isArray(value)) for (const inner of value) collectNames(inner, into, isPerson);
  if (!isObject(value)) return;
  const person = isPerson || value.object === 'user';
  for (const [key, inner] of Object.entries(value)) {
    if (typeof inner !== 'string') collectNames(inner, into, PERSON_FIELDS.has(key));
    else if (person && key === 'email') addEmail(inner, into);
    else if (person && NAME_FIELDS.has(key)) into.texts.add(inner);
    else if (person && PRIVATE_FIELDS.has(key) && inner.length >= DETAIL_LENGTH_MIN) into.details.add(inner);
  }
}

/** An e-mail, however it is written: who buys by another spelling of it is the same. */
export function addEmail(email: string, { texts }: Found): void {
  for (const spelling of [email, ...listSpellings(email)]) texts.add(spelling);
}

/** The value without the person. Fields stay, so that what reads it finds what its description says. */
export function blankValue(value: unknown, erasing: Erasing, isPerson = false): unknown {
  if (typeof value === 'string') return blankEmails(value, erasing);
  if (Array.isArray(value)) return value.map((inner) => blankValue(inner, erasing, isPerson));
  if (!isObject(value)) return value;
  const person = isPerson || value.object === 'user';
  // A note is about nobody else, and nobody knows what stands in it.
  if (value.object === 'note' && 'text' in value) return { ...value, text: erasing.word };
  const written = listWritten(value);
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      written.has(key) && typeof inner === 'string'
        ? blankText(inner, erasing)
        : blankField(key, inner, { erasing, person }),
    ]),
  );
}

/** Fields in which somebody wrote sentences. A line of no offer, and what a charge is for, was written for this buyer. */
function listWritten(value: Record<string, unknown>): ReadonlySet<string> {
  const { object, offer, offerId } = value;
  const isLine = (isNone(object) || object === 'item') && LINE_PRICES.some((price) => price in value);
  if (isLine && 'name' in value && isNone(offer) && isNone(offerId)) return LINE_FIELDS;
  return isNone(object) && ('items' in value || 'amount' in value) ? CHARGE_FIELDS : WRITTEN_FIELDS;
}

const LINE_PRICES = ['unitPrice', 'price', 'value'] as const;
const isNone = (value: unknown): boolean => value === null || value === undefined;

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
  if (typeof value === 'string') {
    if (key === 'comment') return erasing.word;
    if (key === 'cancelReason') return blankReason(value, erasing);
    if (LINK_FIELDS.has(key)) return blankLink(value, erasing);
  }
  return blankValue(value, erasing, PERSON_FIELDS.has(key));
}

/** The shop's host stays, and of the path what tells nothing of the person. */
function blankLink(text: string, erasing: Erasing): string {
  if (!URL.canParse(text)) return blankEmails(text, erasing);
  const url = new URL(text);
  const before = url.href;
  url.pathname = url.pathname
    .split('/')
    .map((part) => blankPart(part, erasing))
    .join('/');
  const given = [...url.searchParams];
  const blanked = given.map(([name, value]): [string, string] => [name, blankText(value, erasing)]);
  if (JSON.stringify(blanked) !== JSON.stringify(given)) url.search = new URLSearchParams(blanked).toString();
  const hash = readEncoded(url.hash);
  const blankedHash = blankText(hash, erasing);
  if (blankedHash !== hash) url.hash = blankedHash;
  return blankEmails(url.href === before ? text : url.href, erasing);
}

function blankPart(part: string, erasing: Erasing): string {
  const read = readEncoded(part);
  const blanked = blankText(read, erasing);
  return blanked === read ? part : encodeURIComponent(blanked);
}

function readEncoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A bare `%`.
    return text;
  }
}

/** Why somebody left, in their words: nobody knows what stands there. One of the shop's words stays. */
export function blankReason(text: string, { word }: Erasing): string {
  const [, reason] = REASON.exec(text) ?? [];
  if (reason === undefined) return word;
  return reason === text ? text : `${reason}: ${word}`;
}

/** In free text e-mails, names and details go wherever they stand as words of their own. */
export function blankText(text: string, erasing: Erasing): string {
  let blanked = text;
  for (const name of longestFirst([...erasing.texts, ...erasing.details])) {
    if (name.length < TEXT_LENGTH_MIN) continue;
    // Behind `%22` in a part of an address a word begins, too.
    const pattern = new RegExp(
      `(?:(?<![\\p{L}\\p{N}])|(?<=%[0-9A-F]{2}))${escapePattern(name)}(?![\\p{L}\\p{N}])`,
      'giu',
    );
    blanked = blanked.replace(pattern, erasing.word);
  }
  return blanked;
}

/**
 * What a stranger's program answered: in JSON the person goes out of each string, whatever it is escaped by. A text in
 * which the person stands encoded goes as a whole, since nobody knows where in it they begin.
 */
export function blankAnswered(text: string, erasing: Erasing): string {
  const parsed = parseJson(text);
  if (!isObject(parsed)) return blankEncoded(text, erasing);
  const blanked = JSON.stringify(mapStrings(parsed, (inner) => blankEncoded(inner, erasing)));
  return blanked === JSON.stringify(parsed) ? text : blanked;
}

function blankEncoded(text: string, erasing: Erasing): string {
  const blanked = blankText(text, erasing);
  const isTold = listReadings(blanked).some((read) => blankText(read, erasing) !== read);
  return isTold ? erasing.word : blanked;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Cut off, or something else.
    return undefined;
  }
}

function mapStrings(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value);
  if (Array.isArray(value)) return value.map((inner) => mapStrings(inner, map));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [map(key), mapStrings(inner, map)]));
}

/**
 * In a field that is not the person's a name may be a word of something else, such as a product; an e-mail is not, also
 * where it stands as in an address.
 */
function blankEmails(text: string, { word, texts }: Erasing): string {
  const written = [...texts].filter((name) => name.includes('@'));
  const emails = new Set(written.flatMap((email) => [email, encodeURIComponent(email)]));
  return emails.size === 0 ? text : blankText(text, { word, texts: emails, details: NONE });
}

const NONE: ReadonlySet<string> = new Set();

function longestFirst(texts: readonly string[]): string[] {
  return [...texts].sort((a, b) => b.length - a.length);
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
