/**
 * The secret of a webhook: any text the merchant chose, or `whsec_` and base64, whose decoded bytes are
 * then the key of the Standard Webhooks signature.
 */
import { isLongerThan } from '../characters.ts';

const PREFIX = 'whsec_';
const LENGTH_MIN = 16;
const LENGTH_MAX = 256;
const KEY_BYTES_MIN = 16;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** The base64 part of a secret of the form `whsec_<base64 of 16 bytes or more>`; null for any other text. */
export function findSecretBase64(secret: string): string | null {
  if (!secret.startsWith(PREFIX)) return null;
  const encoded = secret.slice(PREFIX.length);
  if (!BASE64.test(encoded)) return null;
  const padding = encoded.endsWith('==') ? 2 : encoded.endsWith('=') ? 1 : 0;
  return (encoded.length / 4) * 3 - padding >= KEY_BYTES_MIN ? encoded : null;
}

/** Whether a merchant may use the text: 16 to 256 characters, and with the prefix `whsec_` a real key. */
export function isValidWebhookSecret(secret: string): boolean {
  if (!isLongerThan(secret, LENGTH_MIN - 1) || isLongerThan(secret, LENGTH_MAX)) return false;
  return !secret.startsWith(PREFIX) || findSecretBase64(secret) !== null;
}
