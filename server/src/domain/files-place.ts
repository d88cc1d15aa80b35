/** Where files may lie beside DATA_DIR, as FILES_URL and RETAIN_EXPORT name it: a folder, or a bucket by S3's protocol. */

export type FilesPlace = FolderPlace | BucketPlace;

export interface FolderPlace {
  kind: 'folder';
  folder: string;
}

export interface BucketPlace {
  kind: 'bucket';
  bucket: string;
  /** Stands before every name: empty, or it ends with a slash. */
  prefix: string;
  /** Of a service other than Amazon's; null = Amazon's own of the region. */
  endpoint: string | null;
  access: BucketAccess;
}

export interface BucketAccess {
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
}

/** More is not taken in one piece by a bucket. */
export const BUCKET_FILE_MAX_BYTES = 5 * 1024 ** 3;

const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
/** Signs that mean the same in an address and in a name. */
const PREFIX = /^[A-Za-z0-9._-]+(\/[A-Za-z0-9._-]+)*$/;

/** What one file may have there. */
export const getLargestFile = (place: FilesPlace | null): number =>
  place?.kind === 'bucket' ? BUCKET_FILE_MAX_BYTES : Number.POSITIVE_INFINITY;

/** The place, or what is wrong. */
export function readFilesPlace(
  url: string,
  region: string,
  [accessKeyId, secretAccessKey]: readonly [id: string | null, secret: string | null],
): FilesPlace | string {
  const found = URL.canParse(url) ? readUrl(url) : null;
  if (!found) return 'must be a folder such as file:///mnt/kept, or s3://bucket/prefix?endpoint=https://host';
  if (found.kind === 'folder') return found;
  if (!accessKeyId || !secretAccessKey) return 'is a bucket: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY';
  return { ...found, access: { region, accessKeyId, secretAccessKey } };
}

function readUrl(url: string): FolderPlace | Omit<BucketPlace, 'access'> | null {
  const parsed = new URL(url);
  if (parsed.protocol === 'file:') return readFolder(url, parsed);
  if (parsed.protocol !== 's3:' || parsed.username || parsed.password || parsed.port || parsed.hash)
    return null;
  const prefix = parsed.pathname.replace(/^\/+|\/+$/g, '');
  const known = [...parsed.searchParams.keys()];
  if (known.some((key) => key !== 'endpoint') || known.length > 1) return null;
  const endpoint = readEndpoint(parsed.searchParams.get('endpoint'));
  if (endpoint === undefined || !BUCKET.test(parsed.hostname)) return null;
  if (prefix !== '' && (!PREFIX.test(prefix) || /(^|\/)\.+(\/|$)/.test(prefix))) return null;
  return { kind: 'bucket', bucket: parsed.hostname, prefix: prefix === '' ? '' : `${prefix}/`, endpoint };
}

/** A folder of this machine by its whole path, without the slash at its end. */
function readFolder(url: string, { pathname, search, hash }: URL): FolderPlace | null {
  if (!/^file:\/\/\/./.test(url) || search || hash) return null;
  try {
    const folder = decodeURIComponent(pathname).replace(/\/+$/, '');
    return folder === '' || folder.includes('\0') ? null : { kind: 'folder', folder };
  } catch {
    return null;
  }
}

/** Undefined = it is none. */
function readEndpoint(given: string | null): string | null | undefined {
  if (given === null) return null;
  if (!/^https?:\/\//.test(given) || !URL.canParse(given)) return undefined;
  const { origin, pathname, search, hash, username, password } = new URL(given);
  return pathname !== '/' || search || hash || username || password ? undefined : origin;
}

/** The same text for the same place, however it was written; without credentials. */
export function toPlaceUrl(place: FilesPlace): string {
  if (place.kind === 'folder') return `file://${place.folder.split('/').map(encodeURIComponent).join('/')}`;
  const { bucket, prefix, endpoint } = place;
  const path = prefix === '' ? '' : `/${prefix.slice(0, -1)}`;
  return `s3://${bucket}${path}${endpoint === null ? '' : `?endpoint=${endpoint}`}`;
}

/** As the store notes it; null = in DATA_DIR. */
export const toFilesUrl = (place: FilesPlace | null): string | null => place && toPlaceUrl(place);
