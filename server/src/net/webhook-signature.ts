/**
 * Signs what we send: our own header, and those of Standard Webhooks beside it.
 */
import { createHmac } from 'node:crypto';
import { assert } from '../domain/assert.ts';
import { findSecretBase64 } from '../domain/webhooks/secret.ts';

export interface WebhookToSign {
  /** The event's id. */
  id: string;
  /** Real time of the attempt in seconds, since the receiver checks it against its own clock. */
  timestampS: number;
  /** Exactly the text that is sent. */
  body: string;
  /** One secret, or during a rotation the new one and then the old one. */
  secrets: readonly string[];
  /** The number of the try, 0 when missing: which of two secrets our own header's one value is made with. */
  sequence?: number;
}

const OWN = 'x-svc-';

/** A type and not an interface: it is a record of headers, too. */
export type SignatureHeaders = {
  'x-svc-signature': string;
  'webhook-id': string;
  'webhook-timestamp': string;
  'webhook-signature': string;
};

/**
 * The headers of one attempt. With two secrets the standard's carries two values, separated by a space. Ours is compared
 * whole by its receivers and has one: the new secret's on even tries, the old one's on odd ones, so that a receiver with
 * either is met by the second try at the latest.
 */
export function signWebhook({
  id,
  timestampS,
  body,
  secrets,
  sequence = 0,
}: WebhookToSign): SignatureHeaders {
  const own = secrets[sequence % secrets.length];
  assert(own !== undefined, 'a webhook is signed with at least one secret');
  const content = `${id}.${timestampS}.${body}`;
  return {
    'x-svc-signature': `sha256_${toHex(own, body)}`,
    'webhook-id': id,
    'webhook-timestamp': String(timestampS),
    'webhook-signature': secrets.map((secret) => `v1,${toStandardSignature(secret, content)}`).join(' '),
  };
}

/**
 * Our headers under every name that this API goes by: `x-abc-signature` beside `x-svc-signature`, so that a receiver
 * written for another name finds its own.
 */
export function underAllNames(
  headers: Record<string, string>,
  aliases: readonly string[],
): Record<string, string> {
  const own = Object.entries(headers).filter(([name]) => name.startsWith(OWN));
  const others = aliases.flatMap((alias) =>
    own.map(([name, value]) => [`x-${alias}-${name.slice(OWN.length)}`, value]),
  );
  return { ...headers, ...Object.fromEntries(others) };
}

/** Ours takes the whole secret's UTF-8 bytes as key, the prefix `whsec_` included. */
function toHex(secret: string, body: string): string {
  return createHmac('sha256', secret).update(body).digest('hex');
}

function toStandardSignature(secret: string, content: string): string {
  const encoded = findSecretBase64(secret);
  const key = encoded === null ? Buffer.from(secret) : Buffer.from(encoded, 'base64');
  return createHmac('sha256', key).update(content).digest('base64');
}
