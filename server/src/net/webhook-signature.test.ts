import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { type SignatureHeaders, signWebhook } from './webhook-signature.ts';

const ENCODED = Buffer.from('counterfoil-key-of-24-by').toString('base64');
const RAW = 'a merchant made this secret';
const body = JSON.stringify({ type: 'payment_success', name: 'Zażółć 御' });

function sign(secrets: string[], timestampS = Math.floor(Date.now() / 1000), sequence = 0): SignatureHeaders {
  return signWebhook({ id: '01985a8e-0000-7000-8000-000000000001', timestampS, body, secrets, sequence });
}

function verify(webhook: Webhook, headers: SignatureHeaders, payload = body): unknown {
  return webhook.verify(payload, { ...headers });
}

describe('signWebhook', () => {
  it('signs as the written vector says', () => {
    const headers = signWebhook({ id: 'evt_1', timestampS: 1_700_000_000, body: '{"a":1}', secrets: [RAW] });
    // Computed with openssl: printf '%s' '{"a":1}' | openssl dgst -sha256 -hmac '<secret>', and so on.
    expect(headers).toEqual({
      'x-svc-signature': 'sha256_baaead973db56a0c20e67c3c9b4a5b1c7f7bc3597b8b9ab5f30866d1451d1fff',
      'webhook-id': 'evt_1',
      'webhook-timestamp': '1700000000',
      'webhook-signature': 'v1,vrXNrSDfSCu3f0v/ez5by1VYuzzarhK7zqTQDw1z1XI=',
    });
  });

  it('keys ours with the whole whsec_ secret and the standard one with its decoded part', () => {
    const headers = signWebhook({
      id: 'evt_1',
      timestampS: 1_700_000_000,
      body: '{"a":1}',
      secrets: [`whsec_${ENCODED}`],
    });
    expect(headers['x-svc-signature']).toBe(
      'sha256_9f4db34e2afe8913d02a281f2abcc1dfd838405948683d800b82c30cecdc538c',
    );
    expect(headers['webhook-signature']).toBe('v1,NPz5gjHLP7aIG02C2kF7g/daAwsIHxG73FhtU7Tmkrs=');
  });

  it('is verified by the library for a whsec_ secret', () => {
    expect(verify(new Webhook(`whsec_${ENCODED}`), sign([`whsec_${ENCODED}`]))).toEqual(JSON.parse(body));
  });

  it('is verified by the library in its raw format for any other secret', () => {
    expect(verify(new Webhook(RAW, { format: 'raw' }), sign([RAW]))).toEqual(JSON.parse(body));
    const accented = 'sécret of sixteen €';
    const key = new TextEncoder().encode(accented);
    expect(verify(new Webhook(key, { format: 'raw' }), sign([accented]))).toEqual(JSON.parse(body));
  });

  it('fails in the library when a byte, the time or the secret differs', () => {
    const webhook = new Webhook(RAW, { format: 'raw' });
    expect(() => verify(webhook, sign([RAW]), body.replace('御', '语'))).toThrow('No matching signature');
    expect(() => verify(webhook, sign([RAW], Math.floor(Date.now() / 1000) - 301))).toThrow('too old');
    expect(() => verify(new Webhook('another secret of ours', { format: 'raw' }), sign([RAW]))).toThrow(
      'No matching signature',
    );
  });

  it('T28 carries both signatures of the standard during a rotation, and one of ours by turns', () => {
    const now = Math.floor(Date.now() / 1000);
    const [newer, older, both] = [
      sign([RAW], now),
      sign([`whsec_${ENCODED}`], now),
      sign([RAW, `whsec_${ENCODED}`], now),
    ];
    for (const sequence of [0, 1, 2, 3, 9]) {
      const tried = sign([RAW, `whsec_${ENCODED}`], now, sequence);
      const turn = sequence % 2 === 0 ? newer : older;
      expect(tried['x-svc-signature']).toBe(turn['x-svc-signature']);
      expect(tried['webhook-signature']).toBe(both['webhook-signature']);
    }
    expect(both['webhook-signature']).toBe(`${newer['webhook-signature']} ${older['webhook-signature']}`);
    expect(verify(new Webhook(RAW, { format: 'raw' }), both)).toEqual(JSON.parse(body));
    expect(verify(new Webhook(ENCODED), both)).toEqual(JSON.parse(body));
  });

  it('crashes without a secret rather than send unsigned', () => {
    expect(() => sign([])).toThrow('at least one secret');
  });
});
