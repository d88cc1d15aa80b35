/**
 * Files in the format of age (age-encryption.org) that a passphrase opens. The service seals for a key of this moment, and
 * here the head alone is written anew, in which the file's own key lies: the passphrase never leaves this machine.
 */
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
  randomBytes,
  scrypt,
} from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { toBech32 } from './bech32.ts';

export interface Reader {
  /** `age1…`, as the service takes it. */
  recipient: string;
  publicKey: Buffer;
  privateKey: KeyObject;
}

const VERSION = 'age-encryption.org/v1';
/** A head with one reader is of some 200 bytes. */
const HEAD_MAX = 4096;
const HEAD = /^age-encryption\.org\/v1\n-> X25519 (\S{43})\n(\S{43})\n--- \S{43}\n/;
const TAG_BYTES = 16;
const CIPHER = 'chacha20-poly1305';
/** Each key is used once. */
const NONCE = Buffer.alloc(12);
/** As age itself: a second of work, and 256 MiB, for each try. */
const COST_LOG2 = 18;
const BLOCK = 8;
const OWNER_ONLY = 0o600;

export function createReader(): Reader {
  const { publicKey, privateKey } = generateKeyPairSync('x25519');
  const raw = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url');
  return { recipient: toBech32('age', raw), publicKey: raw, privateKey };
}

/** Writes `to`, which is not there: what `from` holds for `reader`, for whoever knows the passphrase. */
export async function sealByPassphrase(
  files: { from: string; to: string },
  { reader, passphrase }: { reader: Reader; passphrase: string },
): Promise<void> {
  const head = await readHead(files.from);
  const [whole, share = '', wrapped = ''] = HEAD.exec(head) ?? [];
  if (whole === undefined) throw new Error('The file is not one that age has sealed for this machine.');
  const fileKey = openFileKey(reader, { share: fromText(share), wrapped: fromText(wrapped) });
  const target = createWriteStream(files.to, { flags: 'wx', mode: OWNER_ONLY });
  target.write(await toHead(fileKey, passphrase));
  await pipeline(createReadStream(files.from, { start: whole.length }), target);
}

async function readHead(file: string): Promise<string> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_MAX), 0, HEAD_MAX, 0);
    return buffer.subarray(0, bytesRead).toString('latin1');
  } finally {
    await handle.close();
  }
}

function openFileKey(reader: Reader, { share, wrapped }: { share: Buffer; wrapped: Buffer }): Buffer {
  const jwk = { kty: 'OKP', crv: 'X25519', x: share.toString('base64url') };
  const publicKey = createPublicKey({ key: jwk, format: 'jwk' });
  const shared = diffieHellman({ privateKey: reader.privateKey, publicKey });
  const key = derive(shared, Buffer.concat([share, reader.publicKey]), `${VERSION}/X25519`);
  const opener = createDecipheriv(CIPHER, key, NONCE, { authTagLength: TAG_BYTES });
  opener.setAuthTag(wrapped.subarray(-TAG_BYTES));
  return Buffer.concat([opener.update(wrapped.subarray(0, -TAG_BYTES)), opener.final()]);
}

async function toHead(fileKey: Buffer, passphrase: string): Promise<string> {
  const salt = randomBytes(16);
  const sealer = createCipheriv(CIPHER, await stretch(passphrase, salt), NONCE, { authTagLength: TAG_BYTES });
  const wrapped = Buffer.concat([sealer.update(fileKey), sealer.final(), sealer.getAuthTag()]);
  const head = `${VERSION}\n-> scrypt ${toText(salt)} ${COST_LOG2}\n${toText(wrapped)}\n---`;
  const proof = createHmac('sha256', derive(fileKey, Buffer.alloc(0), 'header'))
    .update(head)
    .digest();
  return `${head} ${toText(proof)}\n`;
}

const derive = (secret: Buffer, salt: Buffer, info: string) =>
  Buffer.from(hkdfSync('sha256', secret, salt, info, 32));

function stretch(passphrase: string, salt: Buffer): Promise<Buffer> {
  const cost = 2 ** COST_LOG2;
  const limits = { N: cost, r: BLOCK, p: 1, maxmem: 2 * 128 * cost * BLOCK };
  const salted = Buffer.concat([Buffer.from(`${VERSION}/scrypt`), salt]);
  return new Promise((resolve, reject) => {
    scrypt(passphrase, salted, 32, limits, (error, key) => (error ? reject(error) : resolve(key)));
  });
}

const toText = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');
const fromText = (text: string) => Buffer.from(text, 'base64');
