/**
 * Secrets at rest: AES-256-GCM under the installation's key, as `v1.<keyId>.<iv>.<sealed>`. Where a value belongs is
 * part of what is sealed, so that one that was moved elsewhere does not open.
 */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;
/** Of what was opened last so much is remembered: a purchase asks for the same few again and again. */
const OPENED_MAX = 200;

export interface Sealing {
  /** Whether there is a key, or a place to make one. */
  canSeal(): boolean;
  /** Null = there is no key, and nothing can be sealed. */
  seal(text: string, place: readonly string[]): string | null;
  /** Null for what no key of ours opens, or what was sealed for another place. */
  open(sealed: string, place: readonly string[]): string | null;
  /** Whether a key that we do not have has sealed it: a process beside us may have a newer one. */
  isForeign(sealed: string): boolean;
  /** Ids of the keys that open. */
  keyIds(): string[];
}

/** `keys` are 32 bytes of base64 each: the first seals, all open. `file` is where one is made, null = nowhere. */
export function createSealing({ keys, file }: { keys: readonly string[]; file: string | null }): Sealing {
  let loaded: Key[] | null = keys.length > 0 ? keys.map(toKey) : null;
  // Made when it is first needed: whoever seals nothing has no file to lose.
  const load = (isNeeded: boolean): Key[] => {
    if (loaded) return loaded;
    const text = file === null ? null : readOrMake(file, isNeeded);
    if (text === null) return [];
    loaded = [toKey(text)];
    return loaded;
  };
  return {
    canSeal: () => loaded !== null || file !== null,
    seal(text, place) {
      const [key] = load(true);
      if (!key) return null;
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key.bytes, iv).setAAD(toAad(place));
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return ['v1', key.id, iv.toString('base64url'), sealed.toString('base64url')].join('.');
    },
    open: rememberOpened((sealed, place) => {
      const [version, keyId, iv = '', rest = ''] = sealed.split('.');
      const key = load(false).find(({ id }) => id === keyId);
      return version === 'v1' && key ? decipher(key, { iv, rest, place }) : null;
    }),
    isForeign(sealed) {
      const [version, keyId] = sealed.split('.');
      return version === 'v1' && !load(false).some(({ id }) => id === keyId);
    },
    keyIds: () => load(false).map(({ id }) => id),
  };
}

function decipher(key: Key, { iv, rest, place }: { iv: string; rest: string; place: string }): string | null {
  const bytes = Buffer.from(rest, 'base64url');
  try {
    const opening = createDecipheriv('aes-256-gcm', key.bytes, Buffer.from(iv, 'base64url'))
      .setAAD(Buffer.from(place))
      .setAuthTag(bytes.subarray(-TAG_BYTES));
    return Buffer.concat([opening.update(bytes.subarray(0, -TAG_BYTES)), opening.final()]).toString('utf8');
  } catch {
    return null;
  }
}

/**
 * The last that opened, by what was sealed and its place. Nothing is let in by it that the key would not open: as long as the
 * process has that. What did not open is tried again.
 */
function rememberOpened(open: (sealed: string, place: string) => string | null): Sealing['open'] {
  const opened = new Map<string, string>();
  return (sealed, place) => {
    const at = toPlaceText(place);
    const name = `${sealed} ${at}`;
    const known = opened.get(name);
    if (known !== undefined) return known;
    const text = open(sealed, at);
    if (text === null) return null;
    const [oldest] = opened.keys();
    if (opened.size >= OPENED_MAX && oldest !== undefined) opened.delete(oldest);
    opened.set(name, text);
    return text;
  };
}

interface Key {
  id: string;
  bytes: Buffer;
}

function toKey(text: string): Key {
  const bytes = Buffer.from(text, 'base64');
  return { id: createHash('sha256').update(bytes).digest('hex').slice(0, 8), bytes };
}

/** Whether a text is a key: 32 bytes of base64. */
export function isSealingKey(text: string): boolean {
  return /^[A-Za-z0-9+/]{43}=?$/.test(text) && Buffer.from(text, 'base64').length === KEY_BYTES;
}

function readOrMake(file: string, isNeeded: boolean): string | null {
  const read = () => {
    try {
      return readFileSync(file, 'utf8').trim();
    } catch {
      return null;
    }
  };
  const known = read();
  if (known !== null || !isNeeded) return known;
  mkdirSync(path.dirname(file), { recursive: true });
  try {
    writeFileSync(file, `${randomBytes(KEY_BYTES).toString('base64')}\n`, {
      mode: 0o600,
      flag: 'wx',
      flush: true,
    });
  } catch {
    // Another process was first; its key holds.
  }
  return read();
}

const toPlaceText = (place: readonly string[]) => JSON.stringify(place);
const toAad = (place: readonly string[]) => Buffer.from(toPlaceText(place));
