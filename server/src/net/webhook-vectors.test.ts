import { createHmac, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Webhook } from 'standardwebhooks';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { signWebhook } from './webhook-signature.ts';

interface Vector {
  name: string;
  secret: string;
  signedWith: string[];
  /** The number of the try; 0 when missing. */
  sequence?: number;
  body: string;
  /** Real time of the receiver (s). */
  now: number;
  headers: Record<string, string>;
  verifies: { svc: boolean; standard: boolean };
}

const FILE = new URL('../../../docs/webhook-vectors.json', import.meta.url);
const { vectors } = JSON.parse(readFileSync(FILE, 'utf8')) as { vectors: Vector[] };
/** Those whose headers were not tampered with. */
const SIGNED = /^(a |an |during|after)/;

afterEach(() => {
  vi.useRealTimers();
});

/** The few lines that a receiver needs, from the description alone. */
function verifySvc({ secret, body, headers }: Vector): boolean {
  const expected = Buffer.from(`sha256_${createHmac('sha256', secret).update(body).digest('hex')}`);
  const given = Buffer.from(headers['x-svc-signature'] ?? '');
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function verifyStandard({ secret, body, headers, now }: Vector): boolean {
  vi.useFakeTimers({ now: now * 1000, toFake: ['Date'] });
  const webhook = secret.startsWith('whsec_')
    ? new Webhook(secret)
    : new Webhook(new TextEncoder().encode(secret), { format: 'raw' });
  try {
    webhook.verify(body, headers);
    return true;
  } catch {
    return false;
  }
}

describe('docs/webhook-vectors.json', () => {
  it.each(vectors)('$name', (vector) => {
    expect({ svc: verifySvc(vector), standard: verifyStandard(vector) }).toEqual(vector.verifies);
  });

  it.each(vectors.filter(({ name }) => SIGNED.test(name)))('is what we send: $name', (vector) => {
    const { body, headers, signedWith: secrets, sequence } = vector;
    const id = headers['webhook-id'] ?? '';
    const timestampS = Number(headers['webhook-timestamp']);
    expect(
      signWebhook({ id, timestampS, body, secrets, ...(sequence === undefined ? {} : { sequence }) }),
    ).toEqual(headers);
  });
});
