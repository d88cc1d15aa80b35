import { invalidField } from './errors.ts';

const FILE_NAME_LENGTH_MAX = 255;

/**
 * The name of an uploaded file from its header: percent-decoded UTF-8, without folders or control characters.
 * Throws invalid_input on `x-file-name`.
 */
export function toFileName(header: string | undefined): string {
  if (!header) throw invalidField('x-file-name', 'is required');
  const name = decode(header)
    .split(/[/\\]/)
    .at(-1)
    ?.replace(/\p{Cc}/gu, '')
    .trim();
  if (!name || name === '.' || name === '..') throw invalidField('x-file-name', 'must name a file');
  if (name.length > FILE_NAME_LENGTH_MAX) {
    throw invalidField('x-file-name', `must have at most ${FILE_NAME_LENGTH_MAX} characters`);
  }
  return name;
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
