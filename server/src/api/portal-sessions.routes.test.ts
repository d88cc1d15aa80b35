import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { expectRefusal } from '../../test/support/expect-refusal.ts';
import { createTestApp, type TestApp } from '../../test/support/harness.ts';
import { makeOffer, makePlanOffer } from '../../test/support/make-catalogue.ts';
import { openBrowser } from '../../test/support/portal.ts';
import { subscribe } from '../../test/support/subscribing.ts';

let app: TestApp;
let userId: string;
beforeAll(async () => {
  app = await createTestApp();
  userId = await makeUser('ada@example.com');
});
afterAll(() => app.close());

async function makeUser(email: string, fields: Record<string, unknown> = {}): Promise<string> {
  const { body } = await app.test.post('/v0/users/create', { email, ...fields });
  return body.data.user.id;
}
const create = (fields: Record<string, unknown>) => app.test.post('/v0/portal-sessions/create', fields);
const wordOf = (url: string) => url.split('/').at(-1) ?? '';

describe('POST /v0/portal-sessions/create', () => {
  test('S08 opens once, and its bearer is of this store and mode alone', async () => {
    const { portalSession } = (await create({ email: 'ada@example.com' })).body.data;
    expect(portalSession).toMatchObject({ userId, flow: 'overview', openedAt: null, revokedAt: null });
    expect(portalSession.openUntil - portalSession.createdAt).toBe(10 * 60_000);
    const browser = await openBrowser(app);
    const opened = await browser.post('/session/open', { token: wordOf(portalSession.url) });
    expect(opened.body.data.session.user.id).toBe(userId);
    expect((await browser.get('/session')).status).toBe(200);
    const second = await openBrowser(app);
    const again = await second.post('/session/open', { token: wordOf(portalSession.url) });
    expect([again.status, again.body.error.code]).toEqual([401, 'code_invalid']);
    const headers = { authorization: `Bearer ${portalSession.token}` };
    const byBearer = await second.get('/session', { headers, origin: null });
    expect(byBearer.status).toBe(200);
    for (const store of [app.live, app.other]) {
      const elsewhere = await openBrowser(app, store);
      expect((await elsewhere.get('/session', { headers })).status).toBe(401);
    }
    const revoked = await app.test.patch(`/v0/portal-sessions/${portalSession.id}/revoke`);
    expect(revoked.body.data.portalSession.revokedAt).toEqual(expect.any(Number));
    expect((await browser.get('/session')).status).toBe(401);
    expect((await second.get('/session', { headers, origin: null })).status).toBe(401);
  });

  test('S08 opens by a button, once, where the browser runs no scripts', async () => {
    const { pathname } = new URL((await create({ email: 'ada@example.com' })).body.data.portalSession.url);
    const page = await app.app.inject({ url: pathname, headers: { 'accept-language': 'de' } });
    expect(page.payload).toMatch(/<noscript>.*<form method="post">.*>Anmelden<.*<\/noscript>/);
    const press = (origin: string) =>
      app.app.inject({
        method: 'POST',
        url: pathname,
        payload: '',
        headers: { origin, 'content-type': 'application/x-www-form-urlencoded' },
      });
    expect((await press('https://elsewhere.example')).statusCode).toBe(403);
    const opened = await press('http://localhost:3000');
    const [home = ''] = pathname.split('/open/');
    expect([opened.statusCode, opened.headers.location]).toEqual([303, home]);
    const cookies = Object.fromEntries(opened.cookies.map(({ name, value }) => [name, value]));
    const inside = await app.app.inject({ url: home, cookies });
    expect(inside.payload).toContain('"isIn":true');
    expect(inside.payload).not.toContain('<form');
    const again = await press('http://localhost:3000');
    expect([again.statusCode, again.headers.location, again.cookies]).toEqual([303, home, []]);
  });

  test('S08 opens in the language that is asked for, with a plan of this store alone', async () => {
    const email = 'ada@example.com';
    const { url } = (await create({ email, language: 'de' })).body.data.portalSession;
    const { pathname, search } = new URL(url);
    const read = (path: string, cookie = '') =>
      app.app.inject({ method: 'GET', url: path, headers: { 'accept-language': 'fr', cookie } });
    expect((await read(pathname + search)).payload).toContain('<html lang="de"');
    const browser = await openBrowser(app);
    expect((await browser.post('/session/open', { token: wordOf(pathname) })).status).toBe(200);
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const [overview] = pathname.split('/open/');
    expect((await read(overview ?? '', cookie)).payload).toContain('<html lang="de"');
    expect((await read(overview ?? '')).payload).toContain('<html lang="fr"');
    await expectRefusal(create({ email, offerId: userId }), 404, 'not_found');
    expect((await create({ email, offerId: await makeOffer(app.test) })).status).toBe(200);
  });

  test('S08 its bearer is read by the pages that the shop lists, and by no other origin', async () => {
    await app.test.patch('/v0/settings/update', { authorizedDomains: ['https://shop.example'] });
    const { token } = (await create({ userId })).body.data.portalSession;
    const ask = (origin: string, headers: Record<string, string>, url = '/v0/portal/session') =>
      app.app.inject({ method: 'GET', url, headers: { origin, ...headers } });
    const bearer = { authorization: `Bearer ${token}` };
    const allowed = await ask('https://shop.example', bearer);
    expect(allowed.statusCode).toBe(200);
    expect(allowed.headers['access-control-allow-origin']).toBe('https://shop.example');
    expect(allowed.headers['access-control-allow-credentials']).toBeUndefined();
    // A refusal can be read, too.
    const refused = await ask('https://shop.example', bearer, '/v0/portal/orders/ZZZZZZZZZZZZ');
    expect([refused.statusCode, refused.headers['access-control-allow-origin']]).toEqual([
      404,
      'https://shop.example',
    ]);
    for (const answer of [
      await ask('https://evil.example', bearer),
      await ask('null', bearer),
      await ask('https://shop.example', {}),
    ])
      expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    const preflight = await app.app.inject({
      method: 'OPTIONS',
      url: '/v0/portal/subscriptions/ZZZZZZZZZZZZ/change',
      headers: { origin: 'https://evil.example', 'access-control-request-method': 'PATCH' },
    });
    expect(preflight.statusCode).toBe(204);
    expect(preflight.headers['access-control-allow-origin']).toBe('*');
    expect(preflight.headers['access-control-allow-headers']).toBe(
      'x-svc-public-key, authorization, content-type, idempotency-key',
    );
    expect(preflight.headers['access-control-allow-methods']).toContain('PATCH');
    expect((await app.app.inject({ method: 'OPTIONS', url: '/v0/orders/list' })).statusCode).not.toBe(204);
  });

  test('S08 leads nobody in 11 minutes later', async () => {
    const { portalSession } = (await create({ userId })).body.data;
    await app.service.db
      .updateTable('portalSessions')
      .set({ openUntil: Date.now() - 60_000 })
      .where('id', '=', portalSession.id)
      .execute();
    const browser = await openBrowser(app);
    expect((await browser.post('/session/open', { token: wordOf(portalSession.url) })).status).toBe(401);
  });

  it('names whom or what it does not find', async () => {
    const messageOf = async (fields: Record<string, unknown>) => (await create(fields)).body.error.message;
    expect(await messageOf({ email: 'nobody@example.com' })).toBe('There is no user nobody@example.com.');
    expect(await messageOf({ internalId: 'none' })).toBe('There is no user none.');
    expect(await messageOf({ userId, subscriptionId: 'AAAAAAAAAAAA' })).toBe(
      'There is no subscription AAAAAAAAAAAA.',
    );
    const offer = await makePlanOffer(app.test, { price: 1000 });
    const { number } = await subscribe(app, offer, { userEmail: 'grace@example.com' });
    const asked = { userId, flow: 'subscription', subscriptionId: number };
    expect(await messageOf(asked)).toBe(`There is no subscription ${number}.`);
    expect(await messageOf({ userId, offerId: userId })).toBe(`There is no offer ${userId}.`);
    expect(await messageOf({ userId, email: 'ada@example.com' })).toBe(
      'userId or internalId or email is needed, and one of them alone',
    );
  });

  it('refuses nobody, several, the archived, and what cannot be', async () => {
    await expectRefusal(create({}), 400, 'invalid_input');
    await expectRefusal(create({ userId, email: 'ada@example.com' }), 400, 'invalid_input');
    await expectRefusal(create({ email: 'nobody@example.com' }), 404, 'not_found');
    await expectRefusal(create({ internalId: 'none' }), 404, 'not_found');
    await makeUser('one@example.com', { internalId: 'twin' });
    const other = await makeUser('two@example.com', { internalId: 'twin' });
    await expectRefusal(create({ internalId: 'twin' }), 409, 'internal_id_ambiguous');
    await app.test.patch(`/v0/users/${other}/archive`);
    expect((await create({ internalId: 'twin' })).status).toBe(200);
    await expectRefusal(create({ userId: other }), 409, 'archived');
    await expectRefusal(create({ userId, flow: 'subscription_cancel' }), 400, 'invalid_input');
    await expectRefusal(create({ userId, returnUrl: 'http://shop.example' }), 400, 'invalid_input');
    await expectRefusal(create({ userId, afterFlow: 'return' }), 400, 'invalid_input');
    await expectRefusal(app.test.patch(`/v0/portal-sessions/${userId}/revoke`), 404, 'not_found');
  });
});
