import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectRefusal } from '../../test/support/expect-refusal.ts';
import { createTestApp, type TestApp } from '../../test/support/harness.ts';
import { toCanonicalUrl } from './rewrite.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ METRICS_TOKEN: 'a token of the operator' });
});
afterAll(() => app.close());

const unknownId = randomUUID();

describe('every answer', () => {
  it('carries an x-request-id of its own, which an error repeats', async () => {
    const ok = await app.test.get('/v0/discounts/list');
    const refused = await app.test.get(`/v0/discounts/${unknownId}`);
    const lost = await app.test.get('/nowhere');
    for (const answer of [refused, lost]) {
      expect(answer.headers['x-request-id']).toBe(answer.body.error.requestId);
    }
    expect(new Set([ok, refused, lost].map(({ headers }) => headers['x-request-id'])).size).toBe(3);
  });

  it('that refuses has the envelope and nothing of the inside', async () => {
    const { body, headers } = await app.test.get(`/v0/discounts/${unknownId}`);
    expect(body).toEqual({
      status: 'error',
      error: { message: expect.any(String), code: 'not_found', requestId: expect.any(String) },
    });
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
  });

  it('that finds nothing names what it is and the id that was asked for', async () => {
    const messages = async (path: string) => (await app.test.get(path)).body.error.message;
    expect(await messages(`/v0/offers/${unknownId}`)).toBe(`There is no offer ${unknownId}.`);
    expect(await messages(`/v0/orders/ABCDEFGH1234`)).toBe('There is no order ABCDEFGH1234.');
    expect(await messages(`/v0/elements/checkout/${unknownId}`)).toBe(
      `There is no checkout element ${unknownId}.`,
    );
    const field = await app.test.patch(`/v0/custom-fields/${unknownId}/archive`);
    expect(field.body.error.message).toBe(`There is no custom field ${unknownId}.`);
    const key = await app.test.delete(`/v0/offers/${randomUUID()}/keys/${unknownId}/removeUnsold`);
    expect(key.body.error.message).toBe(`There is no key ${unknownId}.`);
    const asked = { offersIds: [unknownId], userEmail: 'ada@example.com' };
    const purchase = await app.test.post('/v0/test-purchases/create', asked);
    expect(purchase.body.error.message).toBe(`There is no offer ${unknownId}.`);
  });

  it('tells browsers to guess no types and to frame nothing', async () => {
    const { headers } = await app.test.get('/v0/discounts/list');
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(headers['x-powered-by']).toBeUndefined();
  });
});

describe('paths', () => {
  it.each(['/v0/discounts/list', '/api/v0/discounts/list', '/v0/discounts/list/'])(
    '%s is served',
    async (path) => {
      expect((await app.test.get(path)).status).toBe(200);
    },
  );

  it.each(['/subscriptions', '/subscriptions/', '/api/v0/subscriptions', '/v0/subscriptions/?status=all'])(
    '%s lists subscriptions',
    async (path) => {
      expect((await app.test.get(path)).body.data).toHaveProperty('subscriptions');
    },
  );

  it('may bear the sign before a number as it is seen, which most clients encode', () => {
    const url = toCanonicalUrl('/api/v0/orders/#ABCDEFGH1234/refunds?note=#1');
    expect(url).toBe('/v0/orders/%23ABCDEFGH1234/refunds?note=#1');
    expect(toCanonicalUrl('/v0/orders/list?term=/#A')).toBe('/v0/orders/list?term=/#A');
    expect(toCanonicalUrl('/checkout/x#top')).toBe('/checkout/x#top');
  });

  it.each(['/v0/elements/list', '/api/v0/elements/list', '/v0/elements/checkout/list'])(
    '%s lists checkout elements',
    async (path) => {
      expect((await app.test.get(`${path}?take=1`)).body.data).toHaveProperty('checkoutElements');
    },
  );

  it.each(['/', '/v0', '/v0/nothing', '/api/v1/discounts/list', '/api/discounts/list', '/discounts/list'])(
    '%s is 404 in the envelope, for a stranger too',
    async (path) => {
      await expectRefusal(app.test.get(path, { keys: 'none' }), 404, 'route_not_found');
    },
  );

  it.each(['/nothing', '/files/nothing', '/downloads/nothing', '/invoices/nothing', '/exports/nothing'])(
    '%s is a page for whoever opens it in a browser, in their language',
    async (path) => {
      const headers = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8', 'accept-language': 'de' };
      const answer = await app.app.inject({ method: 'GET', url: path, headers });
      expect([answer.statusCode, answer.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
      expect(answer.payload).toMatch(/<html[^>]* lang="de"/);
      expect(answer.headers['content-security-policy']).toContain("default-src 'none'");
      const asked = await app.app.inject({ method: 'GET', url: path });
      expect([asked.statusCode, asked.json().status]).toEqual([404, 'error']);
    },
  );

  it.each(['/portal/%zz', '/checkout/%ff', '/%'])(
    '%s, which cannot be decoded, is a link that leads nowhere to whoever opens it',
    async (path) => {
      const headers = { accept: 'text/html', 'accept-language': 'de' };
      const answer = await app.app.inject({ method: 'GET', url: path, headers });
      expect([answer.statusCode, answer.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
      expect(answer.headers['x-content-type-options']).toBe('nosniff');
      const asked = await app.app.inject({ method: 'GET', url: path });
      expect([asked.statusCode, asked.json().error.code]).toEqual([400, 'invalid_input']);
      expect(asked.headers['x-content-type-options']).toBe('nosniff');
    },
  );

  it('of the API answer in the envelope, whoever asks', async () => {
    for (const [method, url, status] of [
      ['GET', '/v0/nothing', 404],
      ['GET', '/api/v0/orders/list', 401],
      ['GET', '/v0', 404],
      ['POST', '/nothing', 404],
      // No page has words for it.
      ['GET', '/metrics', 401],
    ] as const) {
      const answer = await app.app.inject({ method, url, headers: { accept: 'text/html' } });
      expect([answer.statusCode, answer.json().status], url).toEqual([status, 'error']);
    }
  });

  it('of a known operation with another method are 405 and say what is allowed', async () => {
    for (const [method, path, allowed] of [
      ['POST', '/v0/discounts/list', 'GET'],
      ['GET', '/v0/discounts/create', 'POST'],
      ['PUT', `/v0/discounts/${unknownId}/update`, 'PATCH'],
      ['DELETE', `/api/v0/orders/${unknownId}`, 'GET'],
      ['DELETE', `/api/v0/orders/${unknownId}/?x=%ff`, 'GET'],
      // Another operation's path is not taken for an id.
      ['PATCH', '/v0/orders/list', 'GET'],
      ['OPTIONS', '/v0/discounts/create', 'POST'],
      ['POST', '/v0/%64iscounts/list', 'GET'],
    ] as const) {
      const answer = await app.test.request(method, path, { keys: 'none' });
      expect({ status: answer.status, code: answer.body.error.code }, path).toEqual({
        status: 405,
        code: 'method_not_allowed',
      });
      expect(String(answer.headers.allow).split(', ')).toContain(allowed);
    }
  });

  it('of a buyer’s page and its JSON with another method are 405 and say what is allowed', async () => {
    for (const [method, url, allowed] of [
      ['GET', '/checkout-sessions/x/submit', 'POST'],
      ['DELETE', '/checkout-sessions/x/quote?a=1', 'POST'],
      ['PUT', '/checkout-sessions/x', 'GET'],
      ['POST', '/checkout/x', 'GET'],
      ['PATCH', '/pay/x', 'GET'],
      ['POST', '/dashboard', 'GET'],
    ] as const) {
      const answer = await app.app.inject({ method, url });
      const { code } = answer.json().error;
      expect({ status: answer.statusCode, code }, url).toEqual({ status: 405, code: 'method_not_allowed' });
      expect(String(answer.headers.allow).split(', ')).toContain(allowed);
    }
  });

  it('of the bare address leads a person to the dashboard, and a program nowhere', async () => {
    const open = (accept: string) => app.app.inject({ method: 'GET', url: '/', headers: { accept } });
    const byHand = await open('text/html,application/xhtml+xml;q=0.9,*/*;q=0.8');
    expect([byHand.statusCode, byHand.headers.location]).toEqual([302, '/dashboard']);
    const byProgram = await open('*/*');
    expect([byProgram.statusCode, byProgram.json().error.code]).toEqual([404, 'route_not_found']);
  });

  it('with an id that is none are 400, whatever it holds', async () => {
    for (const id of ['1', 'undefined', '%00', '%ff', "'%20or%201=1", 'x'.repeat(401)]) {
      const { status } = await app.test.get(`/v0/discounts/${id}`);
      expect(status, id).toBe(400);
    }
  });

  it('with a number that is none are refused, never 500', async () => {
    for (const number of ['%00', '%ff', '%23', '%23%00', 'x'.repeat(390), 'ILOU', '%F0%9F%98%80']) {
      expect([400, 404], number).toContain((await app.test.get(`/v0/orders/${number}`)).status);
      expect([400, 404], number).toContain((await app.test.get(`/v0/payments/${number}`)).status);
    }
  });

  it('take an id in upper case', async () => {
    const sale = { type: 'sale', amount: 1, amountType: 'percentage' };
    const { id } = (await app.test.post('/v0/discounts/create', sale)).body.data.discount;
    expect((await app.test.get(`/v0/discounts/${id.toUpperCase()}`)).body.data.discount.id).toBe(id);
  });
});

describe('the probes', () => {
  it('need no key', async () => {
    expect((await app.test.get('/healthz', { keys: 'none' })).body).toEqual({ status: 'ok' });
    const ready = await app.test.get('/readyz', { keys: 'none' });
    expect(ready.body).toMatchObject({ status: 'ready', role: 'all', held: false });
  });

  it('tell a service that starts or stops from one that serves', async () => {
    const { readiness } = app.wired;
    readiness.isStopping = true;
    const stopping = await app.test.get('/readyz');
    expect([stopping.status, stopping.body.status]).toEqual([503, 'stopping']);
    // What comes on open connections while stopping is still served.
    expect((await app.test.get('/v0/discounts/list')).status).toBe(200);
    readiness.isStopping = false;
    readiness.isReady = false;
    const early = await app.test.get('/v0/discounts/list');
    expect({ status: early.status, retry: early.headers['retry-after'] }).toEqual({
      status: 503,
      retry: '1',
    });
    const starting = await app.test.get('/readyz');
    expect([starting.status, starting.body.status]).toEqual([503, 'starting']);
    expect((await app.test.get('/healthz')).status).toBe(200);
    readiness.isReady = true;
  });

  it('tell a start that is not over from a service that is away for a while', async () => {
    const { readiness } = app.wired;
    expect((await app.test.get('/startz', { keys: 'none' })).status).toBe(200);
    readiness.isReady = false;
    expect((await app.test.get('/startz')).body).toEqual({ status: 'started' });
    const late = await app.startBeside();
    app.wired.readiness.isReady = true;
    expect((await late.inject('/startz')).json()).toMatchObject({ status: 'ready', held: false });
  });
});

describe('the description', () => {
  it('names the API, its version, and every operation once under /v0', async () => {
    const { body } = await app.test.get('/openapi.json', { keys: 'none' });
    expect(body).toMatchObject({ openapi: '3.1.0', info: { title: 'API v0', version: '0.3.5' } });
    const operations = Object.entries(body.paths).flatMap(([path, item]) =>
      Object.values(item as Record<string, { operationId: string }>).map(({ operationId }) => ({
        path,
        operationId,
      })),
    );
    expect(operations.every(({ path }) => path.startsWith('/v0/'))).toBe(true);
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
  });
});
