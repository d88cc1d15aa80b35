/** Tokens of sessions and links: what their holder shows, and what is kept of them. */
import { createHash, randomBytes } from 'node:crypto';

const BYTES = 32;

/** 256 bits of chance, so that one round of SHA-256 is enough to keep them. */
export function generateToken(): string {
  return randomBytes(BYTES).toString('base64url');
}

export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
