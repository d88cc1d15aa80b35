import { isLongerThan } from './characters.ts';
import { invalidField } from './errors.ts';

const FILE_NAME_LENGTH_MAX = 255;

/** What turns the order of the letters behind it around: `\u202egnp.exe` reads as `exe.png`. */
const TURNING = /[\u202a-\u202e\u2066-\u2069]/gu;

/**
 * The name of an uploaded file from its header: percent-decoded UTF-8, without folders. Throws invalid_input on
 * `x-file-name`, for control characters and for those that make a name read as another, too.
 */
export function toFileName(header: string | undefined): string {
  if (!header) throw invalidField('x-file-name', 'is required');
  const whole = decode(header);
  if (/\p{Cc}/u.test(whole)) throw invalidField('x-file-name', 'must not hold control characters');
  if (showAsWritten(whole) !== whole)
    throw invalidField('x-file-name', 'must not hold characters that turn the order of letters around');
  const name = whole.split(/[/\\]/).at(-1)?.trim();
  if (!name || name === '.' || name === '..') throw invalidField('x-file-name', 'must name a file');
  if (isLongerThan(name, FILE_NAME_LENGTH_MAX)) {
    throw invalidField('x-file-name', `must have at most ${FILE_NAME_LENGTH_MAX} characters`);
  }
  return name;
}

/** A name that was kept before such were refused, as it is told to whoever saves the file. */
export function showAsWritten(name: string): string {
  return name.replace(TURNING, '_');
}

function decode(header: string): string {
  try {
    return decodeURIComponent(header);
  } catch {
    throw invalidField('x-file-name', 'must be percent-encoded UTF-8');
  }
}

/** `type/subtype` in lower case, without parameters; what is none counts as plain bytes. */
export function toContentType(header: string | undefined): string {
  const type = header?.split(';')[0]?.trim().toLowerCase() ?? '';
  return /^[a-z0-9!#$&^_.+-]{1,100}\/[a-z0-9!#$&^_.+-]{1,100}$/.test(type)
    ? type
    : 'application/octet-stream';
}
