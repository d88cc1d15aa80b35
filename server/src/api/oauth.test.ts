import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Browser, makeAccount, openSignedIn } from '../../test/support/browser.ts';
import { expectRefusal } from '../../test/support/expect-refusal.ts';
import { createTestApp, type TestApp } from '../../test/support/harness.ts';

let t: TestApp;
let now = Date.now();
let owner: Browser;
let support: Browser;
beforeAll(async () => {
  t = await createTestApp({}, undefined, { realNowMs: () => now });
  const { workspaceId } = t.test.scope;
  await t.service.db.deleteFrom('memberships').where('workspaceId', '=', workspaceId).execute();
  for (const role of ['owner', 'support'] as const)
    await makeAccount(t, { email: `${role}@device.example`, member: { workspaceId, role } });
  owner = await openSignedIn(t, 'owner@device.example');
  support = await openSignedIn(t, 'support@device.example');
});
afterAll(() => t.close());

const GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

async function form(path: string, fields: Record<string, string>) {
  const answer = await t.app.inject({
    method: 'POST',
    url: path,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams(fields).toString(),
  });
  return { status: answer.statusCode, body: answer.json() };
}

async function begin(scope?: string) {
  const fields = { client_id: 'CLI on ada-laptop', ...(scope === undefined ? {} : { scope }) };
  const { status, body } = await form('/oauth/device_authorization', fields);
  expect(status).toBe(200);
  return body as { device_code: string; user_code: string };
}

const poll = (deviceCode: string) => form('/oauth/token', { grant_type: GRANT, device_code: deviceCode });
const later = (ms: number) => {
  now += ms;
};

const choose = (mode: 'test' | 'live' = 'test', scopes?: string[]) => ({
  ...{ workspaceId: t.test.scope.workspaceId, mode },
  ...(scopes ? { scopes } : {}),
});
const decide = (who: Browser, code: string, verb: 'allow' | 'deny', body: object = {}) =>
  who.request('POST', `/v0/device-requests/${code}/${verb}`, { body });

/** The ten wrong codes of an hour belong to the tests that try them. */
const forgetCounters = () => t.service.db.deleteFrom('limitCounters').execute();

describe('a machine asks', () => {
  it('X17 is given a code to show, for ten minutes', async () => {
    const { body } = await form('/oauth/device_authorization', { client_id: 'CLI' });
    expect(body).toEqual({
      device_code: expect.stringMatching(/^[\w-]{43}$/),
      user_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/),
      verification_uri: 'http://localhost:3000/dashboard/device',
      expires_in: 600,
      interval: 5,
    });
  });

  it.each([
    ['no name', {}, 'invalid_request'],
    ['a name of 61 characters', { client_id: 'x'.repeat(61) }, 'invalid_request'],
    ['a name that moves the cursor', { client_id: 'CLI\u001b[2J' }, 'invalid_request'],
    ['a scope that there is not', { client_id: 'CLI', scope: 'everything:write' }, 'invalid_scope'],
  ])('refuses %s', async (_name, fields, error) => {
    expect(await form('/oauth/device_authorization', fields)).toMatchObject({ status: 400, body: { error } });
  });

  it('refuses another grant, a code that nobody has, and what is no form', async () => {
    const other = await form('/oauth/token', { grant_type: 'password', device_code: 'x' });
    expect(other).toEqual({ status: 400, body: { error: 'unsupported_grant_type' } });
    expect((await poll('nobody-has-this')).body).toEqual({ error: 'invalid_grant' });
    const list = await t.app.inject({ method: 'POST', url: '/oauth/token', payload: [1] });
    expect([list.statusCode, list.json().error]).toEqual([400, 'invalid_request']);
  });
});

describe('a person decides', () => {
  it('X17 D57 test mode first; the pair is given once, ends after 90 days, and is audited', async () => {
    const { device_code: code, user_code: userCode } = await begin();
    const shown = await owner.get(`/v0/device-requests/${userCode.replace('-', ' ').toLowerCase()}`);
    expect(shown.body.data.deviceRequest).toMatchObject({
      ...{ client: 'CLI on ada-laptop', address: '127.0.0.1', mode: 'test', scopes: null },
    });
    expect((await decide(owner, userCode, 'allow', choose())).status).toBe(200);
    const { status, body } = await poll(code);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      ...{ token_type: 'Bearer', mode: 'test', workspace_id: t.test.scope.workspaceId },
      access_token: `${body.public_key}.${body.secret_key}`,
      expires_in: 90 * 86_400,
    });
    expect((await poll(code)).body).toEqual({ error: 'invalid_grant' });
    const keys = { publicKey: body.public_key, secretKey: body.secret_key };
    const who = await t.test.get('/v0/whoami', { keys });
    expect(who.body.data).toMatchObject({ mode: 'test', key: { name: 'CLI on ada-laptop' } });
    const { db } = t.service;
    const audit = await db
      .selectFrom('auditLog')
      .selectAll()
      .where('operation', '=', 'allowDeviceRequest')
      .execute();
    expect(audit).toMatchObject([{ actor: expect.stringMatching(/^account:/), before: null }]);
    expect(JSON.stringify(audit)).not.toContain(body.secret_key);
    const noted = await db
      .selectFrom('accountAudit')
      .selectAll()
      .where('operation', '=', 'allowDevice')
      .execute();
    expect(noted).toHaveLength(1);
  });

  it('D57 denied: no pair, audited', async () => {
    const { device_code: code, user_code: userCode } = await begin();
    const { db } = t.service;
    const before = await db.selectFrom('apiKeys').select('id').execute();
    expect((await decide(support, userCode, 'deny')).status).toBe(200);
    expect(await poll(code)).toEqual({ status: 400, body: { error: 'access_denied' } });
    await expectRefusal(decide(owner, userCode, 'allow', choose()), 404, 'not_found');
    expect(await db.selectFrom('apiKeys').select('id').execute()).toEqual(before);
    const noted = await db
      .selectFrom('accountAudit')
      .selectAll()
      .where('operation', '=', 'denyDevice')
      .execute();
    expect(noted).toMatchObject([{ details: { client: 'CLI on ada-laptop' } }]);
    await forgetCounters();
  });

  it('D57 gives no scope beyond one’s own; what is left out is all of one’s own', async () => {
    const first = await begin();
    const beyond = choose('live', ['products:write']);
    await expectRefusal(decide(support, first.user_code, 'allow', beyond), 403, 'insufficient_permission');
    const elsewhere = { ...choose(), workspaceId: t.other.scope.workspaceId };
    await expectRefusal(decide(support, first.user_code, 'allow', elsewhere), 404, 'workspace_not_found');
    await expectRefusal(
      decide(support, first.user_code, 'allow', choose('test', ['all:write'])),
      400,
      'invalid_input',
    );
    expect((await decide(support, first.user_code, 'allow', choose('live'))).status).toBe(200);
    const { body } = await poll(first.device_code);
    const scopes = body.scope.split(' ');
    expect(scopes).toContain('orders:read');
    for (const given of ['products:write', 'api-keys:read', 'audit-log:read', 'settings:write'])
      expect(scopes).not.toContain(given);
    const keys = { publicKey: body.public_key, secretKey: body.secret_key };
    await expectRefusal(t.live.post('/v0/products/create', {}, { keys }), 403, 'insufficient_scope');
  });

  it('D57 what was taken from the person meanwhile is not given to the machine', async () => {
    const { workspaceId } = t.test.scope;
    const accountId = await makeAccount(t, {
      email: 'leaver@device.example',
      member: { workspaceId, role: 'admin' },
    });
    const leaver = await openSignedIn(t, 'leaver@device.example');
    const { device_code: code, user_code: userCode } = await begin('orders:read');
    expect((await decide(leaver, userCode, 'allow', choose())).status).toBe(200);
    await t.service.db.deleteFrom('memberships').where('accountId', '=', accountId).execute();
    expect((await poll(code)).body).toEqual({ error: 'access_denied' });
  });

  it('D57 asks for a fresh proof', async () => {
    const { user_code: userCode } = await begin();
    const locked = await openSignedIn(t, 'owner@device.example');
    await locked.delete('/v0/session/reauthenticate');
    await expectRefusal(decide(locked, userCode, 'allow', choose()), 403, 'reauthentication_required');
  });

  it('D57 refuses the eleventh wrong code of an account with 429, and the right one then, too', async () => {
    const { user_code: userCode } = await begin();
    for (let n = 0; n < 10; n += 1)
      await expectRefusal(owner.get('/v0/device-requests/BBBB-BBBB'), 404, 'not_found');
    for (const code of ['BBBB-BBBC', userCode])
      await expectRefusal(owner.get(`/v0/device-requests/${code}`), 429, 'rate_limited');
    await expectRefusal(decide(owner, userCode, 'allow', choose()), 429, 'rate_limited');
    expect((await support.get(`/v0/device-requests/${userCode}`)).status).toBe(200);
    await forgetCounters();
  });
});

describe('POST /oauth/revoke', () => {
  it('X17 ends the pair of whoever holds it, and says nothing of a wrong one', async () => {
    const { device_code: code, user_code: userCode } = await begin();
    await decide(owner, userCode, 'allow', choose());
    const { body } = await poll(code);
    const read = async () => {
      const { db } = t.service;
      const row = db
        .selectFrom('apiKeys')
        .select(['id', 'revokedAt'])
        .where('publicKey', '=', body.public_key);
      return row.executeTakeFirstOrThrow();
    };
    const wrong = `${body.public_key}.${body.secret_key.slice(0, -1)}x`;
    expect(await form('/oauth/revoke', { token: wrong })).toEqual({ status: 200, body: {} });
    expect((await read()).revokedAt).toBeNull();
    expect(await form('/oauth/revoke', { token: body.access_token })).toEqual({ status: 200, body: {} });
    const { id, revokedAt } = await read();
    expect(revokedAt).toBe(now);
    const audit = await t.service.db
      .selectFrom('auditLog')
      .select(['actor', 'operation'])
      .where('objectId', '=', id)
      .execute();
    expect(audit).toContainEqual({ actor: `key:${id}`, operation: 'revokeApiKey' });
    for (const token of ['nothing', '\u0000.\u0000', 'pub_test_\u0000.sec_test_x'])
      expect((await form('/oauth/revoke', { token })).body.error).toBe('invalid_request');
  });

  it('keeps no code and no secret that it has given', async () => {
    const { device_code: code } = await begin();
    const rows = await t.service.db.selectFrom('deviceRequests').selectAll().execute();
    const hash = createHash('sha256').update(code).digest('hex');
    expect(rows.map(({ deviceCodeHash }) => deviceCodeHash)).toContain(hash);
    expect(JSON.stringify(rows)).not.toContain(code);
  });
});

// Last: the proofs of those who have signed in are no longer fresh then.
describe('time goes by', () => {
  it('X17 is told to wait, to slow down, and when its time is over', async () => {
    const { device_code: code, user_code: userCode } = await begin();
    expect((await poll(code)).body).toEqual({ error: 'authorization_pending' });
    expect((await poll(code)).body).toEqual({ error: 'slow_down' });
    later(6_000);
    // Slowed down to ten seconds.
    expect((await poll(code)).body).toEqual({ error: 'slow_down' });
    later(16_000);
    expect((await poll(code)).body).toEqual({ error: 'authorization_pending' });
    later(600_000);
    expect(await poll(code)).toEqual({ status: 400, body: { error: 'expired_token' } });
    await expectRefusal(owner.get(`/v0/device-requests/${userCode}`), 404, 'not_found');
    await forgetCounters();
  });
});
