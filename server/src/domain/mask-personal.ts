/** Takes out of a text what may tell of people or let somebody in: e-mails, addresses of machines, keys and tokens. */

const HIDDEN = '***';

const PERSONAL: readonly RegExp[] = [
  // What stands before the last @ of an address with a password, and any e-mail.
  /[^\s"'<>()[\],;:/]+@[^\s"'<>()[\],;:/]+/g,
  // Keys and secrets of ours and of processors: a word or two, and then chance.
  /\b[a-z]{2,6}_(?:(?:test|live)_)?[A-Za-z0-9+/=]{16,}/g,
  // JSON Web Tokens.
  /\beyJ[\w-]+(?:\.[\w-]*)*/g,
  // Hashes and keys in hex.
  /\b[0-9a-f]{32,}\b/gi,
  // IPv4.
  /\b\d{1,3}(?:\.\d{1,3}){3}\b/g,
  // IPv6: three groups at least, or a gap.
  /(?<![\w:])(?:[0-9a-f]{0,4}:){2,7}[0-9a-f]{1,4}(?![\w:])/gi,
];
/** Letters of both cases and digits, mixed at this length, are chance and no word. */
const LONG = /[A-Za-z0-9_+=-]{20,}/g;
const isChance = (word: string) => /[a-z]/.test(word) && /[A-Z]/.test(word) && /\d/.test(word);
/** A moment of the day looks like an address of six bytes. */
const TIME = /^\d{1,2}:\d{2}:\d{2}$/;

export function maskPersonal(text: string): string {
  const masked = PERSONAL.reduce(
    (rest, pattern) => rest.replace(pattern, (found) => (TIME.test(found) ? found : HIDDEN)),
    text,
  );
  return masked.replace(LONG, (word) => (isChance(word) ? HIDDEN : word));
}
