import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../../test/support/harness.ts';
import { makeOffer } from '../../test/support/make-catalogue.ts';
import { inTransaction } from '../db/transaction.ts';
import { PUBLISHABLE_SCOPES } from '../domain/publishable-keys.ts';
import { issueKeyPair } from '../flows/workspaces/issue-key-pair.ts';

const SHOP = 'https://shop.example';
const OTHER = 'https://other.example';

let t: TestApp;
let publishable: string;
let narrow: string;
beforeAll(async () => {
  t = await createTestApp();
  await t.test.patch('/v0/settings/update', { authorizedDomains: [SHOP] });
  await makeOffer(t.test);
  publishable = await makePair({ scopes: [...PUBLISHABLE_SCOPES] });
  narrow = await makePair({ scopes: ['products:read', 'orders:read'] });
});
afterAll(() => t.close());

async function makePair({ scopes }: { scopes: string[] }): Promise<string> {
  const { service, test } = t;
  const terms = {
    name: 'Page',
    scopes,
    readRequiresSecret: false,
    amounts: 'minor' as const,
    nowMs: Date.now(),
  };
  const { publicKey } = await inTransaction(service.db, (tx) =>
    issueKeyPair(tx, test.scope, { ids: service.ids, terms }),
  );
  return publicKey;
}

const ask = (publicKey: string, { origin = SHOP, url = '/v0/products/list' } = {}) =>
  t.app.inject({ method: 'GET', url, headers: { 'x-svc-public-key': publicKey, origin } });

describe('X13 a page of another origin', () => {
  it('reads products by a publishable pair where the shop lists it', async () => {
    const { statusCode, headers } = await ask(publishable);
    expect(statusCode).toBe(200);
    expect(headers).toMatchObject({
      'access-control-allow-origin': SHOP,
      vary: expect.stringContaining('origin'),
    });
    expect(headers).not.toHaveProperty('access-control-allow-credentials');
  });

  it('computes tax by it, and is told of a wrong body', async () => {
    const headers = { 'x-svc-public-key': publishable, origin: SHOP };
    const answer = await t.app.inject({ method: 'POST', url: '/v0/tax/calculate', headers, payload: {} });
    expect(answer.statusCode).toBe(400);
    expect(answer.headers['access-control-allow-origin']).toBe(SHOP);
  });

  it.each([
    ['of an origin that is not listed', () => ask(publishable, { origin: OTHER })],
    ['by a pair that may read more', () => ask(narrow)],
    ['by an open pair without scopes', () => ask(t.test.keys.publicKey)],
  ])('reads nothing %s', async (_name, answer) => {
    expect((await answer()).headers).not.toHaveProperty('access-control-allow-origin');
  });

  it('reads no orders by it', async () => {
    const { statusCode, headers } = await ask(publishable, { url: '/v0/orders/list' });
    expect(statusCode).toBe(403);
    expect(headers).not.toHaveProperty('access-control-allow-origin');
  });

  it.each(['/v0/products/list', '/v0/offers/list', '/v0/tax/calculate', '/v0/custom-fields/list'])(
    'has its preflight to %s answered, which allows neither store nor secret key to be named',
    async (url) => {
      const asked = { origin: OTHER, 'access-control-request-method': 'GET' };
      const { statusCode, headers } = await t.app.inject({ method: 'OPTIONS', url, headers: asked });
      expect(statusCode).toBe(204);
      const allowed = String(headers['access-control-allow-headers']).split(', ').sort();
      expect(allowed).toEqual(['authorization', 'content-type', 'idempotency-key', 'x-svc-public-key']);
      expect(headers).not.toHaveProperty('access-control-allow-credentials');
    },
  );

  it('has no preflight to orders answered', async () => {
    const asked = { origin: SHOP, 'access-control-request-method': 'GET' };
    const { headers } = await t.app.inject({ method: 'OPTIONS', url: '/v0/orders/list', headers: asked });
    expect(headers).not.toHaveProperty('access-control-allow-origin');
  });
});
