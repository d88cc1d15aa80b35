import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeAccount, openSignedIn } from '../../test/support/browser.ts';
import { createTestApp, type TestApp } from '../../test/support/harness.ts';
import { PRODUCT_VERSION } from '../domain/version.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

describe('GET /v0/whoami', () => {
  it('tells whose keys these are, and nothing secret', async () => {
    const { status, body, text, headers } = await app.test.get('/v0/whoami');
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      workspace: { id: app.test.scope.workspaceId, name: 'First', state: 'active' },
      mode: 'test',
      key: { publicKey: app.test.keys.publicKey, scopes: null },
      timezone: 'UTC',
      version: PRODUCT_VERSION,
    });
    expect(text).not.toContain(app.test.keys.secretKey);
    expect(headers['x-counterfoil-version']).toBe(PRODUCT_VERSION);
    expect((await app.live.get('/v0/whoami')).body.data.mode).toBe('live');
  });

  it('tells in which zone the store tells times, also whoever may not read its settings', async () => {
    const { status } = await app.test.request('PATCH', '/v0/settings/update', {
      body: { timezone: 'Asia/Kathmandu' },
    });
    expect(status).toBe(200);
    const { workspaceId } = app.test.scope;
    await makeAccount(app, {
      email: 'packer@example.com',
      member: { workspaceId, role: 'custom', permissions: { orders: 'read' } },
    });
    const packer = await openSignedIn(app, 'packer@example.com');
    const told = await packer.get('/v0/whoami');
    expect([told.status, told.body.data?.timezone]).toEqual([200, 'Asia/Kathmandu']);
    expect((await packer.get('/v0/settings')).status).toBe(403);
  });

  it('is no answer to a pair that is none', async () => {
    const answer = await app.test.request('GET', '/v0/whoami', { keys: 'none' });
    expect(answer.status).toBe(401);
    expect(answer.headers['x-counterfoil-version']).toBeUndefined();
  });
});
