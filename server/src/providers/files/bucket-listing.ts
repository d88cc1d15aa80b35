/** The answer of ListObjectsV2, of which two things are read: the keys, and the way to the next page. */
import { Refusal } from '../../domain/errors.ts';

export interface Listing {
  keys: string[];
  /** Null = there is no more. */
  next: string | null;
}

export function readListing(xml: string): Listing {
  if (!/<ListBucketResult[\s>]/.test(xml))
    throw new Refusal('unavailable', { internal: 'the list of a bucket is none' });
  const keys = [...xml.matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, key = '']) => decode(key));
  const isCut = /<IsTruncated>\s*true\s*<\/IsTruncated>/.test(xml);
  const token = /<NextContinuationToken>([^<]*)<\/NextContinuationToken>/.exec(xml)?.[1];
  // Without a way on, half a list would pass for the whole.
  if (isCut && !token) throw new Refusal('unavailable', { internal: 'the list of a bucket breaks off' });
  return { keys, next: isCut && token ? decode(token) : null };
}

const NAMED: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };

const decode = (text: string) =>
  text.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(lt|gt|quot|apos|amp));/gi, (_all, hex, decimal, name) =>
    name
      ? (NAMED[String(name).toLowerCase()] ?? '')
      : String.fromCodePoint(Number(hex ? `0x${hex}` : decimal)),
  );
