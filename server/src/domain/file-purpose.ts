/** What a file is uploaded for, and what makes bytes a picture. */
import { invalidField } from './errors.ts';

export type FilePurpose = 'picture' | 'download';

/** The longest of the signs below with what stands before it. */
export const SIGN_BYTES = 12;

/** How the bytes of each type of picture begin, in hex. SVG may carry scripts and is none. */
const SIGNS: Readonly<Record<string, RegExp>> = {
  'image/png': /^89504e470d0a1a0a/,
  'image/jpeg': /^ffd8ff/,
  // GIF87a, GIF89a
  'image/gif': /^474946383[79]61/,
  // RIFF, a length, WEBP
  'image/webp': /^52494646.{8}57454250/,
  // A length, ftyp, avif or avis
  'image/avif': /^.{8}66747970617669(66|73)/,
};

export function isPictureType(contentType: string): boolean {
  return Object.hasOwn(SIGNS, contentType);
}

/** By the header, else by the type. Throws invalid_input on `x-file-purpose`. */
export function toFilePurpose(header: string | undefined, contentType: string): FilePurpose {
  const isPicture = isPictureType(contentType);
  switch (header) {
    case undefined:
    case '':
      return isPicture ? 'picture' : 'download';
    case 'download':
      return 'download';
    case 'picture':
      if (isPicture) return 'picture';
      throw invalidField('x-file-purpose', 'can be picture for PNG, JPEG, WebP, GIF and AVIF alone');
    default:
      throw invalidField('x-file-purpose', 'must be picture or download');
  }
}

/** Whether bytes begin as their type says. */
export function hasSignOf(contentType: string, bytes: Buffer): boolean {
  return SIGNS[contentType]?.test(bytes.toString('hex')) ?? false;
}
