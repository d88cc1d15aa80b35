/** How key pairs look and how their secret half is kept. */
import { createHash, randomInt } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const LENGTH = 40;

export interface KeyPairPlain {
  publicKey: string;
  secretKey: string;
}

export function generateKeyPair(testMode: boolean): KeyPairPlain {
  const mode = testMode ? 'test' : 'live';
  return { publicKey: `pub_${mode}_${randomText()}`, secretKey: `sec_${mode}_${randomText()}` };
}

function randomText(): string {
  return Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}

/** Secret keys hold 238 bits of chance, so that one round of SHA-256 is enough to keep them. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
