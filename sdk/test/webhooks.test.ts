/** Verification, by the vectors that the service is tried with, too. */
import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { verifyRedirect } from '../src/index.ts';
import {
  signWebhook,
  verifyWebhook,
  type WebhookVerificationError,
  webhookHandler,
} from '../src/webhooks.ts';

interface Vector {
  name: string;
  secret: string;
  body: string;
  now: number;
  headers: Record<string, string>;
  verifies: { svc: boolean; standard: boolean };
}

const FILE = new URL('../../docs/webhook-vectors.json', import.meta.url);
// Written for these tests, and for the service's.
const { vectors } = JSON.parse(readFileSync(FILE, 'utf8')) as { vectors: Vector[] };
const SECRET = 'whsec_Y291bnRlcmZvaWwtc2hhcmVkLXZlY3Rvcg==';
const BODY = '{"id":"e1","type":"payment_success","data":{}}';
const NOW_S = 1_767_225_600;

const verifies = (input: Parameters<typeof verifyWebhook>[0]) =>
  verifyWebhook(input).then(
    () => true,
    () => false,
  );
const reasonOf = (input: Parameters<typeof verifyWebhook>[0]) =>
  verifyWebhook(input).then(
    () => null,
    (error: WebhookVerificationError) => error.reason,
  );
const sign = (body = BODY, secret = SECRET) => signWebhook({ body, secret, id: 'e1', timestampS: NOW_S });
const nowMs = NOW_S * 1000;

describe('X09 the shared vectors', () => {
  it.each(vectors)('X09 $name', async ({ secret, body, now, headers, verifies: wanted }) => {
    const input = { body, headers, secret, nowMs: now * 1000 };
    expect({
      svc: await verifies({ ...input, scheme: 'svc' }),
      standard: await verifies(input),
    }).toEqual(wanted);
  });
});

describe('X09 what is wrong has a reason', () => {
  it('X09 one byte, 301 s, a parsed body, an old secret, no header, no base64', async () => {
    const headers = await sign();
    expect(await verifyWebhook({ body: BODY, headers, secret: SECRET, nowMs })).toMatchObject({ id: 'e1' });
    const input = { body: BODY, headers, secret: SECRET, nowMs };
    expect(await reasonOf({ ...input, body: BODY.replace('e1', 'e2') })).toBe('no_match');
    expect(await reasonOf({ ...input, nowMs: nowMs + 301_000 })).toBe('timestamp');
    expect(await reasonOf({ ...input, nowMs: nowMs - 301_000 })).toBe('timestamp');
    expect(await reasonOf({ ...input, nowMs: nowMs + 300_000 })).toBe(null);
    expect(await reasonOf({ ...input, body: JSON.parse(BODY) })).toBe('body_not_raw');
    expect(await reasonOf({ ...input, secret: 'an old secret of ours' })).toBe('no_match');
    expect(await reasonOf({ ...input, secret: ['an old secret of ours', SECRET] })).toBe(null);
    expect(await reasonOf({ ...input, headers: {} })).toBe('missing_header');
    expect(await reasonOf({ ...input, secret: 'whsec_!' })).toBe('bad_secret');
    expect(await reasonOf({ ...input, secret: '' })).toBe('bad_secret');
    expect(await reasonOf({ ...input, headers: new Headers(headers) })).toBe(null);
    expect(await reasonOf({ ...input, body: new TextEncoder().encode(BODY) })).toBe(null);
  });

  it('X09 bytes however they are held, and a tolerance that is no number lets nothing in', async () => {
    const headers = await sign();
    const input = { headers, secret: SECRET, nowMs };
    const bytes = new TextEncoder().encode(BODY);
    const elsewhere = runInNewContext('Uint8Array.from(bytes)', { bytes: [...bytes] });
    for (const body of [bytes.buffer, new DataView(bytes.buffer), elsewhere, Buffer.from(BODY)])
      expect(await reasonOf({ ...input, body: body as Uint8Array })).toBe(null);
    for (const wrong of [{ toleranceS: Number.NaN }, { nowMs: Number.NaN }])
      expect(await reasonOf({ ...input, body: BODY, ...wrong })).toBe('timestamp');
  });
});

describe('a handler', () => {
  const post = async (body: string, headers: Record<string, string>) =>
    new Request('https://shop.example/hook', { method: 'POST', body, headers });
  const signed = async (body: string) =>
    post(
      body,
      await signWebhook({ body, secret: SECRET, id: 'e1', timestampS: Math.floor(Date.now() / 1000) }),
    );

  it('X11 takes types that it does not know, refuses wrong signatures, and asks again where it failed', async () => {
    const seen: string[] = [];
    const claimed = new Set<string>();
    const handle = webhookHandler({
      secret: SECRET,
      on: {
        payment_success: ({ id, data }) => void seen.push(`${id} ${data.order.number}`),
        payment_failed: () => {
          throw new Error('no');
        },
      },
      claim: (id) => !claimed.has(id) && claimed.add(id) !== undefined,
    });
    const paid = '{"id":"e1","type":"payment_success","data":{"order":{"number":"7"}}}';
    expect((await handle(await signed(paid))).status).toBe(200);
    expect((await handle(await signed(paid))).status).toBe(200);
    expect(seen).toEqual(['e1 7']);
    expect((await handle(await signed('{"id":"e2","type":"moon_landed"}'))).status).toBe(200);
    expect((await handle(await signed('{"id":"e3","type":"payment_failed","data":{}}'))).status).toBe(500);
    expect((await handle(await post(paid, await sign()))).status).toBe(401);
  });

  it('X09 says so where the body was read before, or no headers came', async () => {
    const handle = webhookHandler({ secret: SECRET, on: {} });
    const request = await signed('{"id":"e4","type":"moon_landed"}');
    await request.json();
    const said = await handle(request);
    expect([said.status, await said.text()]).toEqual([401, 'body_not_raw']);
    const bare = verifyWebhook({ body: '{}', headers: undefined as never, secret: SECRET });
    await expect(bare).rejects.toMatchObject({ reason: 'missing_header' });
  });
});

describe('the way back from the checkout', () => {
  it('is believed only as it was signed', async () => {
    const query = 'svc-order-number=7K3M&svc-timestamp=1767225600';
    const key = await crypto.subtle.importKey(
      'raw',
      new TextEncoder().encode('rds_secret'),
      { name: 'HMAC', hash: 'SHA-256' },
      false,
      ['sign'],
    );
    const bytes = await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(query));
    const url = `https://shop.example/thanks?${query}&svc-signature=${Buffer.from(bytes).toString('hex')}`;
    expect(await verifyRedirect(url, 'rds_secret')).toBe(true);
    expect(await verifyRedirect(url.replace('7K3M', '7K3N'), 'rds_secret')).toBe(false);
    expect(await verifyRedirect(url, 'rds_other')).toBe(false);
    // As a server sees it.
    expect(await verifyRedirect(url.replace('https://shop.example', ''), 'rds_secret')).toBe(true);
    expect(await verifyRedirect('/thanks', 'rds_secret')).toBe(false);
  });
});
