/**
 * The one form of an e-mail address, wherever one is typed. It decides who is the same buyer and where a mail goes,
 * so that an address which a mail library would read otherwise than we do is refused.
 */
import { domainToASCII, domainToUnicode } from 'node:url';

const LENGTH_MAX = 254;
/** Words joined by dots (RFC 5322 dot-atom) in any script; white space, marks of direction and quoting are none. */
const LOCAL = /^[^\s.\p{C}"%(),:;<>?@[\]\\]+(\.[^\s.\p{C}"%(),:;<>?@[\]\\]+)*$/u;
/** With one of these two addresses look the same; some are letters or marks to Unicode (fillers, joiners, selectors). */
const UNSEEN = /\p{Default_Ignorable_Code_Point}/u;
const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

export interface EmailAddress {
  /** As it was typed, composed (NFC) and without the space around it. */
  address: string;
  /** By which addresses are compared: lower case, the domain in punycode. */
  normal: string;
}

/** Null for what is no address. */
export function parseEmail(text: string): EmailAddress | null {
  const address = text.trim().normalize('NFC');
  if (address.length > LENGTH_MAX) return null;
  const [local = '', domain = '', ...rest] = address.split('@');
  if (rest.length > 0 || !LOCAL.test(local) || UNSEEN.test(local)) return null;
  const host = toHost(domain);
  return host === null ? null : { address, normal: `${toCaseless(local)}@${host}` };
}

export function isEmail(text: string): boolean {
  return parseEmail(text) !== null;
}

/** By which texts are compared that may be addresses, such as a filter's. */
export function toEmailNormal(text: string): string {
  return parseEmail(text)?.normal ?? toCaseless(text.trim());
}

/** NFC last: lower case may take a form apart. */
function toCaseless(text: string): string {
  return text.toLowerCase().normalize('NFC');
}

/**
 * The name that the DNS is asked for: at least two labels. Null for one that the mapping of international names
 * makes another of, such as a full-width letter, a soft hyphen, or a number that is read as an address.
 */
function toHost(domain: string): string | null {
  const ascii = domainToASCII(domain);
  const typed = toCaseless(domain);
  if (ascii !== typed && domainToUnicode(ascii) !== typed) return null;
  const labels = ascii.split('.');
  const isName = labels.length >= 2 && labels.every((label) => LABEL.test(label));
  return isName && !/^\d+$/.test(labels.at(-1) ?? '') ? ascii : null;
}

/**
 * How words may stand in addresses, as these are compared: as they are typed, and what is a domain in punycode. Behind an
 * `@` words are one; without it they may be one, or a name.
 */
export function toEmailTerms(words: string): string[] {
  const typed = toCaseless(words.trim());
  const at = typed.lastIndexOf('@') + 1;
  const domain = toPunycode(typed.slice(at));
  if (domain === null) return [typed];
  return at === 0 ? [typed, domain] : [`${typed.slice(0, at)}${domain}`];
}

/**
 * Null for what is written in ASCII already, of which digits would be read as an address, and for what is no domain, such
 * as one that is not typed to its end.
 */
function toPunycode(domain: string): string | null {
  return /^\p{ASCII}*$/u.test(domain) ? null : domainToASCII(domain) || null;
}

/** How one address may be written in lower case: the domain in its own script and in punycode. */
export function listSpellings(email: string): string[] {
  const { normal } = parseEmail(email) ?? {};
  if (normal === undefined) return [toCaseless(email)];
  const at = normal.lastIndexOf('@') + 1;
  return [...new Set([normal, `${normal.slice(0, at)}${domainToUnicode(normal.slice(at))}`])];
}

/** Shown to whoever reads its mailbox, and to nobody else: `a…n@example.com`. */
export function maskAddress(address: string): string {
  const at = address.lastIndexOf('@');
  const letters = [...address.slice(0, at)];
  const last = letters.length > 2 ? letters.at(-1) : '';
  return `${letters[0] ?? ''}…${last}${address.slice(at)}`;
}
