import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Browser, makeAccount, openSignedIn } from '../../test/support/browser.ts';
import { expectRefusal } from '../../test/support/expect-refusal.ts';
import { createTestApp, type TestApp } from '../../test/support/harness.ts';
import { issueKeyPair } from '../flows/workspaces/issue-key-pair.ts';

const LIST = '/v0/api-keys/list';
const CREATE = '/v0/api-keys/create';
const MINUTE_MS = 60_000;

let t: TestApp;
let admin: Browser;
const clock = { nowMs: Date.now(), monotonicMs: 0 };
beforeAll(async () => {
  t = await createTestApp({ TRUST_PROXY: 'loopback' }, undefined, {
    realNowMs: () => clock.nowMs,
    monotonicMs: () => clock.monotonicMs,
  });
  const { workspaceId } = t.test.scope;
  await makeAccount(t, { email: 'admin@first.example' });
  await makeAccount(t, { email: 'dev@first.example', member: { workspaceId, role: 'developer' } });
  admin = await openSignedIn(t, 'admin@first.example');
});
afterAll(() => t.close());

const pass = (ms: number) => {
  clock.nowMs += ms;
  clock.monotonicMs += ms;
};
const make = async (browser: Browser, input: Record<string, unknown>) => {
  const answer = await browser.post(CREATE, { name: 'Shop', ...input });
  expect(answer.text).toContain('"status":"success"');
  const { apiKey, publicKey, secretKey } = answer.body.data;
  return { apiKey, keys: { publicKey, secretKey } };
};

describe('key pairs', () => {
  it('D18 are shown once, and work within their scopes', async () => {
    const { apiKey, keys } = await make(admin, { scopes: ['discounts:read'] });
    expect(apiKey).toMatchObject({
      mode: 'test',
      state: 'active',
      scopes: ['discounts:read'],
      secretLast4: keys.secretKey.slice(-4),
      readRequiresSecret: false,
      lastUsedAt: null,
    });
    expect((await t.test.get('/v0/discounts/list', { keys })).status).toBe(200);
    await expectRefusal(t.test.get('/v0/orders/list', { keys }), 403, 'insufficient_scope');
    // Of one that is named twice there is one.
    const twice = await make(admin, { scopes: ['orders:read', 'products:read', 'orders:read'] });
    expect(twice.apiKey.scopes).toEqual(['orders:read', 'products:read']);
    const widened = await admin.patch(`/v0/api-keys/${twice.apiKey.id}/update`, {
      scopes: ['tax:read', 'tax:read'],
    });
    expect(widened.body.data.apiKey.scopes).toEqual(['tax:read']);
    const listed = await admin.get(LIST);
    expect(listed.text).not.toContain(keys.secretKey);
    await t.wired.authenticator.flush();
    const { apiKeys } = (await admin.get(LIST)).body.data;
    const own = apiKeys.find(({ id }: { id: string }) => id === apiKey.id);
    expect(own).toMatchObject({ lastUsedAt: clock.nowMs, lastUsedAddress: '127.0.0.1' });
  });

  it('D18 with an empty list of scopes may do nothing, which is not all that there is', async () => {
    const { apiKey, keys } = await make(admin, { scopes: [] });
    expect(apiKey.scopes).toEqual([]);
    for (const path of ['/v0/products/list', '/v0/orders/list', '/v0/settings', LIST])
      await expectRefusal(t.test.get(path, { keys }), 403, 'insufficient_scope');
    await expectRefusal(
      t.test.post('/v0/products/create', { type: 'Game', name: 'Chess' }, { keys }),
      403,
      'insufficient_scope',
    );
    expect((await t.test.get('/v0/whoami', { keys })).status).toBe(200);
  });

  it('D18 of a wrong address are refused', async () => {
    const { keys } = await make(admin, { scopes: ['discounts:read'], ipAllowList: ['203.0.113.0/24'] });
    const from = (address: string) => ({ keys, headers: { 'x-forwarded-for': address } });
    await expectRefusal(t.test.get('/v0/discounts/list', from('198.51.100.7')), 403, 'ip_not_allowed');
    expect((await t.test.get('/v0/discounts/list', from('203.0.113.7'))).status).toBe(200);
    const wrong = admin.post(CREATE, { name: 'Shop', ipAllowList: ['nowhere'] });
    await expectRefusal(wrong, 400, 'invalid_input');
  });

  it('D18 never go beyond whoever makes, rolls or widens them', async () => {
    const developer = await openSignedIn(t, 'dev@first.example', t.live);
    const refused = (scopes: string[] | null) => developer.post(CREATE, { name: 'Shop', scopes });
    await expectRefusal(refused(['orders:write']), 403, 'insufficient_permission');
    await expectRefusal(refused(null), 403, 'insufficient_permission');
    const { apiKey } = await make(developer, { scopes: ['orders:read'] });
    const path = `/v0/api-keys/${apiKey.id}`;
    const widen = developer.patch(`${path}/update`, { scopes: ['orders:read', 'mails:read'] });
    await expectRefusal(widen, 403, 'insufficient_permission');
    const owners = await openSignedIn(t, 'admin@first.example', t.live);
    const wide = await make(owners, { scopes: ['orders:write'] });
    const roll = developer.post(`/v0/api-keys/${wide.apiKey.id}/roll`);
    await expectRefusal(roll, 403, 'insufficient_permission');
    const rename = developer.patch(`/v0/api-keys/${wide.apiKey.id}/update`, { name: 'Mine' });
    await expectRefusal(rename, 403, 'insufficient_permission');
    // Whoever writes key pairs may end any.
    const revoked = await developer.patch(`/v0/api-keys/${wide.apiKey.id}/revoke`);
    expect(revoked.body.data.apiKey.state).toBe('revoked');
  });

  it('D18 are narrowed and dead at once where that was asked, however lately they were used', async () => {
    const { apiKey, keys } = await make(admin, { scopes: ['discounts:read', 'orders:read'] });
    expect((await t.test.get('/v0/discounts/list', { keys })).status).toBe(200);
    await admin.patch(`/v0/api-keys/${apiKey.id}/update`, { scopes: ['orders:read'] });
    await expectRefusal(t.test.get('/v0/discounts/list', { keys }), 403, 'insufficient_scope');
    expect((await t.test.get('/v0/orders/list', { keys })).status).toBe(200);
    await admin.patch(`/v0/api-keys/${apiKey.id}/revoke`);
    await expectRefusal(t.test.get('/v0/orders/list', { keys }), 401, 'unauthorized');
  });

  it('D18 overlap when they are rolled, and a revoked one is dead within 5 seconds', async () => {
    const { apiKey, keys } = await make(admin, { scopes: ['discounts:read'] });
    const answer = await admin.post(`/v0/api-keys/${apiKey.id}/roll`, { graceHours: 1 });
    const next = { publicKey: answer.body.data.publicKey, secretKey: answer.body.data.secretKey };
    expect((await t.test.get('/v0/discounts/list', { keys })).status).toBe(200);
    expect((await t.test.get('/v0/discounts/list', { keys: next })).status).toBe(200);
    await admin.patch(`/v0/api-keys/${answer.body.data.apiKey.id}/revoke`);
    pass(5_000);
    await expectRefusal(t.test.get('/v0/discounts/list', { keys: next }), 401, 'unauthorized');
    const longer = admin.patch(`/v0/api-keys/${apiKey.id}/update`, { expiresAt: null });
    await expectRefusal(longer, 400, 'invalid_input');
    pass(60 * MINUTE_MS);
    const fresh = await openSignedIn(t, 'admin@first.example');
    await expectRefusal(fresh.post(`/v0/api-keys/${apiKey.id}/roll`), 409, 'key_expired');
  });

  it('need a fresh proof to be made', async () => {
    pass(11 * MINUTE_MS);
    await expectRefusal(admin.post(CREATE, { name: 'Shop' }), 403, 'reauthentication_required');
    admin = await openSignedIn(t, 'admin@first.example');
  });

  it('D55 are listed by a session, or by a pair that was given it by name, and never by P alone', async () => {
    await expectRefusal(t.test.get(LIST), 403, 'insufficient_scope');
    await expectRefusal(t.test.get(LIST, { keys: 'public' }), 401, 'secret_key_required');
    const { keys } = await make(admin, { scopes: ['api-keys:read', 'api-keys:write', 'orders:read'] });
    expect((await t.test.get(LIST, { keys })).status).toBe(200);
    const body = { name: 'Child', scopes: ['orders:read'] };
    expect((await t.test.post(CREATE, body, { keys })).body.data.apiKey.createdBy).toMatch(/^key:/);
    const wide = t.test.post(CREATE, { name: 'Child', scopes: ['users:read'] }, { keys });
    await expectRefusal(wide, 403, 'insufficient_permission');
  });

  it('D14 of the other mode are not there', async () => {
    const { apiKey } = await make(admin, { scopes: ['orders:read'] });
    const live = await openSignedIn(t, 'admin@first.example', t.live);
    await expectRefusal(live.patch(`/v0/api-keys/${apiKey.id}/revoke`), 404, 'not_found');
  });

  it('are at most 50 a store', async () => {
    const terms = { name: 'One of many', scopes: null, readRequiresSecret: false, nowMs: clock.nowMs };
    for (let i = 0; i < 50; i += 1)
      await issueKeyPair(t.service.db as never, t.other.scope, { ids: t.service.ids, terms });
    await makeAccount(t, {
      email: 'admin@second.example',
      member: { workspaceId: t.other.scope.workspaceId, role: 'admin' },
    });
    const other = await openSignedIn(t, 'admin@second.example', t.other);
    await expectRefusal(other.post(CREATE, { name: 'One more' }), 400, 'api_key_limit_reached');
  });
});
