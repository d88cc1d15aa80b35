import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  type Browser,
  makeAccount,
  openBrowser,
  openSignedIn,
  PASSWORD,
} from '../../test/support/browser.ts';
import { expectRefusal } from '../../test/support/expect-refusal.ts';
import { createTestApp, type TestApp } from '../../test/support/harness.ts';
import { countHashes } from '../flows/accounts/passwords.ts';
import { hashToken } from '../resources/accounts/tokens.ts';

const LIST = '/v0/discounts/list';
const CREATE = '/v0/discounts/create';
const DISCOUNT = { type: 'sale', name: 'Spring', amount: 10, amountType: 'percentage' };
const MINUTE_MS = 60_000;

let t: TestApp;
const clock = { nowMs: Date.now(), monotonicMs: 0 };
beforeAll(async () => {
  t = await createTestApp({}, undefined, {
    realNowMs: () => clock.nowMs,
    monotonicMs: () => clock.monotonicMs,
  });
  await makeAccount(t, { email: 'Ada@First.Example', name: 'Ada' });
});
afterAll(() => t.close());

const pass = (ms: number) => {
  clock.nowMs += ms;
  clock.monotonicMs += ms;
};

describe('signing in', () => {
  it('D03 answers the account, its workspaces and what it may do there', async () => {
    const browser = openBrowser(t);
    const { status, body } = await browser.signIn('ada@first.example');
    expect(status).toBe(200);
    expect(body.data.secondFactor).toBeNull();
    expect(body.data.session).toMatchObject({
      account: { email: 'Ada@First.Example', name: 'Ada', hasPassword: true },
      workspaces: [{ id: t.test.scope.workspaceId, name: 'First', role: 'admin', state: 'active' }],
      method: 'password',
      freshUntil: clock.nowMs + 10 * MINUTE_MS,
      expiresAt: clock.nowMs + 24 * 60 * MINUTE_MS,
    });
    expect((await browser.get('/v0/session')).body).toEqual({
      status: 'success',
      data: { session: body.data.session },
    });
  });

  it('D03 sets a cookie that no script reads, bound to the host over https', async () => {
    const browser = await openSignedIn(t, 'ada@first.example');
    const [session = '', device = ''] = browser.lastSet;
    expect(session).toMatch(/^cf_session=[\w-]{43}; Max-Age=1209600; Path=\/; HttpOnly; SameSite=Lax$/);
    expect(device).toMatch(/^cf_device=[\w.-]+; Max-Age=31536000; Path=\/; HttpOnly; SameSite=Lax$/);
    const secure = await createTestApp({ PUBLIC_URL: 'https://shop.example' });
    try {
      await makeAccount(secure, { email: 'ada@first.example' });
      const other = await openSignedIn(secure, 'ada@first.example');
      expect(other.lastSet[0]).toMatch(
        /^__Host-cf_session=[\w-]{43}; Max-Age=1209600; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
      );
    } finally {
      await secure.close();
    }
  });

  it('D04 never adopts a token that was planted, and ends the one before', async () => {
    const browser = openBrowser(t);
    const planted = 'a'.repeat(43);
    browser.cookies.set('cf_session', planted);
    await expectRefusal(browser.get('/v0/session'), 401, 'session_required');
    await browser.signIn('ada@first.example');
    const first = browser.cookies.get('cf_session');
    expect(first).not.toBe(planted);
    await browser.signIn('ada@first.example');
    const old = openBrowser(t);
    old.cookies.set('cf_session', first ?? '');
    await expectRefusal(old.get('/v0/session'), 401, 'session_required');
    expect((await browser.get('/v0/session')).status).toBe(200);
  });

  it('keeps the SHA-256 of the token alone', async () => {
    const browser = await openSignedIn(t, 'ada@first.example');
    const token = browser.cookies.get('cf_session') ?? '';
    const rows = await t.service.db.selectFrom('accountSessions').selectAll().execute();
    expect(rows.some(({ tokenHash }) => tokenHash === hashToken(token))).toBe(true);
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  it('ends after a day without use, and after two weeks in all', async () => {
    const browser = await openSignedIn(t, 'ada@first.example');
    for (let day = 0; day < 14; day += 1) {
      expect((await browser.get('/v0/session')).status).toBe(200);
      await t.wired.authenticator.flush();
      pass(24 * 60 * MINUTE_MS - 1);
    }
    pass(14);
    await expectRefusal(browser.get('/v0/session'), 401, 'session_required');
    const idle = await openSignedIn(t, 'ada@first.example');
    pass(24 * 60 * MINUTE_MS);
    await expectRefusal(idle.get(LIST), 401, 'unauthorized');
  });

  it('is refused alike for a wrong password, an unknown e-mail and a disabled account', async () => {
    await makeAccount(t, { email: 'off@first.example', disabledAt: 1 });
    for (const email of ['ada@first.example', 'nobody@first.example', 'off@first.example']) {
      const password = email.startsWith('off') ? PASSWORD : 'not the password';
      await expectRefusal(openBrowser(t).signIn(email, password), 401, 'invalid_credentials');
    }
  });
});

describe('signing out', () => {
  it('ends the session at once, and is noted', async () => {
    const id = await makeAccount(t, { email: 'leaving@first.example' });
    const browser = await openSignedIn(t, 'leaving@first.example');
    const token = browser.cookies.get('cf_session') ?? '';
    expect((await browser.delete('/v0/session')).status).toBe(200);
    expect(browser.cookies.has('cf_session')).toBe(false);
    browser.cookies.set('cf_session', token);
    await expectRefusal(browser.get('/v0/session'), 401, 'session_required');
    const noted = await t.service.db
      .selectFrom('accountAudit')
      .selectAll()
      .where('accountId', '=', id)
      .execute();
    expect(noted.map(({ operation }) => operation).sort()).toEqual(['signIn', 'signOut']);
  });
});

describe('D11 a session', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openSignedIn(t, 'ada@first.example');
  });

  const countDiscounts = async () => (await browser.get(LIST)).body.data.discounts.length as number;

  it('acts in the store that it names', async () => {
    const { body } = await browser.post(CREATE, DISCOUNT);
    const { id } = body.data.discount;
    expect((await t.test.get(`/v0/discounts/${id}`)).status).toBe(200);
    await expectRefusal(t.live.get(`/v0/discounts/${id}`), 404, 'not_found');
    const [row] = await t.service.db
      .selectFrom('auditLog')
      .select('actor')
      .where('objectId', '=', id)
      .execute();
    expect(row?.actor).toMatch(/^account:[0-9a-f-]{36}$/);
  });

  it('must say which store, and one of its account', async () => {
    for (const [name, value] of [
      ['x-svc-workspace', ''],
      ['x-svc-mode', ''],
      ['x-svc-mode', 'both'],
    ] as const) {
      await expectRefusal(browser.get(LIST, { headers: { [name]: value } }), 400, 'workspace_required');
    }
    for (const workspace of [t.other.scope.workspaceId, 'nonsense'])
      await expectRefusal(
        browser.get(LIST, { headers: { 'x-svc-workspace': workspace } }),
        404,
        'workspace_not_found',
      );
  });

  it('writes nothing for the page of another site, or for one that does not say', async () => {
    const before = await countDiscounts();
    const foreign = [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site', origin: t.service.config.publicUrl },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'none' },
      {},
    ];
    for (const from of foreign as Array<Record<string, string>>) {
      await expectRefusal(browser.post(CREATE, DISCOUNT, { from }), 403, 'cross_site_request');
      await expectRefusal(browser.delete('/v0/session', { from }), 403, 'cross_site_request');
      const credentials = { email: 'ada@first.example', password: PASSWORD };
      await expectRefusal(browser.post('/v0/session', credentials, { from }), 403, 'cross_site_request');
    }
    expect(await countDiscounts()).toBe(before);
    const own = { 'sec-fetch-site': 'same-origin' };
    expect((await browser.post(CREATE, DISCOUNT, { from: own })).status).toBe(200);
  });

  it('is read by no page of another site', async () => {
    const { headers } = await browser.get(LIST, { from: { origin: 'https://evil.example' } });
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
  });

  it('steps behind key pairs, also behind one that is wrong', async () => {
    const headers = {
      'x-svc-public-key': t.other.keys.publicKey,
      'x-svc-secret-key': t.other.keys.secretKey,
    };
    const { body } = await browser.post(CREATE, DISCOUNT, { headers, from: {} });
    expect((await t.other.get(`/v0/discounts/${body.data.discount.id}`)).status).toBe(200);
    const revoked = { 'x-svc-public-key': 'pub_test_nobodys' };
    await expectRefusal(browser.get(LIST, { headers: revoked }), 401, 'unauthorized');
    const secretAlone = { 'x-svc-secret-key': t.test.keys.secretKey };
    await expectRefusal(browser.get(LIST, { headers: secretAlone }), 401, 'unauthorized');
  });

  it('is what an account’s own operations need: a key pair cannot', async () => {
    await expectRefusal(t.test.get('/v0/session'), 401, 'session_required');
    await expectRefusal(t.test.post('/v0/account/email', { email: 'a@b.example' }), 401, 'session_required');
    await expectRefusal(t.test.patch('/v0/installation/settings/update', {}), 404, 'route_not_found');
    const headers = { 'x-svc-public-key': t.test.keys.publicKey, 'x-svc-secret-key': t.test.keys.secretKey };
    const { status } = await browser.delete('/v0/session', { headers });
    expect(status, 'beside a cookie').toBe(401);
    expect((await browser.get('/v0/session')).status).toBe(200);
  });

  it('is refused by a workspace that asks for a second factor, while there is none', async () => {
    const { workspaceId } = t.test.scope;
    const set = (requireSecondFactor: boolean) =>
      t.service.db
        .updateTable('workspaces')
        .set({ requireSecondFactor })
        .where('id', '=', workspaceId)
        .execute();
    await set(true);
    pass(5_000);
    await expectRefusal(browser.get(LIST), 403, 'second_factor_required');
    expect((await browser.get('/v0/session')).status).toBe(200);
    await set(false);
    pass(5_000);
  });

  it('may do what its role allows', async () => {
    const { workspaceId } = t.test.scope;
    await makeAccount(t, { email: 'help@first.example', member: { workspaceId, role: 'support' } });
    const support = await openSignedIn(t, 'help@first.example');
    expect((await support.get(LIST)).status).toBe(200);
    await expectRefusal(support.post(CREATE, DISCOUNT), 403, 'insufficient_permission');
  });

  it('has Idempotency-Keys of its own', async () => {
    const headers = { 'idempotency-key': 'one-dialog' };
    const mine = await browser.post(CREATE, DISCOUNT, { headers });
    const again = await browser.post(CREATE, DISCOUNT, { headers });
    const ofKeys = await t.test.post(CREATE, DISCOUNT, { headers });
    expect(again.body).toEqual(mine.body);
    expect(ofKeys.body.data.discount.id).not.toBe(mine.body.data.discount.id);
  });
});

describe('D07 failed tries', () => {
  const wrong = (email: string, browser = openBrowser(t)) => browser.signIn(email, 'not the password');

  it.each(['patient@first.example', 'unknown@first.example'])('wait after the fifth: %s', async (email) => {
    if (email.startsWith('patient')) await makeAccount(t, { email });
    const known = openBrowser(t);
    if (email.startsWith('patient')) await known.signIn(email);
    for (let i = 0; i < 5; i += 1) await expectRefusal(wrong(email), 401, 'invalid_credentials');
    const refused = await wrong(email);
    expect(refused.status).toBe(429);
    expect(refused.body.error.code).toBe('too_many_attempts');
    expect(Number(refused.headers['retry-after'])).toBe(4);
    if (!email.startsWith('patient')) return;
    await expectRefusal(openBrowser(t).signIn(email), 429, 'too_many_attempts');
    // A browser that has signed in before has a count of its own.
    expect((await known.signIn(email)).status).toBe(200);
    pass(4_000);
    expect((await openBrowser(t).signIn(email)).status).toBe(200);
  });

  it('of one address wait after the hundredth, whoever they are for; another address goes on', async () => {
    let nowMs = Date.now();
    const behind = await createTestApp({ TRUST_PROXY: 'loopback' }, undefined, { realNowMs: () => nowMs });
    try {
      const guess = (at: number, remoteAddress = '198.51.100.7') =>
        openBrowser(behind).post(
          '/v0/session',
          { email: `${at}@crowd.example`, password: 'wrong' },
          { remoteAddress },
        );
      for (let at = 0; at < 100; at += 10) {
        const tries = Array.from({ length: 10 }, (_, next) => guess(at + next));
        for (const { status } of await Promise.all(tries)) expect(status).toBe(401);
      }
      await expectRefusal(guess(100), 429, 'too_many_attempts');
      await expectRefusal(guess(101, '198.51.100.8'), 401, 'invalid_credentials');
      nowMs += 10 * 60_000;
      await expectRefusal(guess(102), 401, 'invalid_credentials');
    } finally {
      await behind.close();
    }
  });

  it('of many at once are counted each', async () => {
    const statuses = await Promise.all(Array.from({ length: 20 }, () => wrong('crowd@first.example')));
    expect(statuses.filter(({ status }) => status === 401)).toHaveLength(5);
    expect(statuses.filter(({ status }) => status === 429)).toHaveLength(15);
  });
});

describe('50 requests a second', () => {
  it('are a session’s, whatever the mode', async () => {
    const limited = await createTestApp({ RATE_LIMIT_LIVE: '100', RATE_LIMIT_TEST: '50' }, undefined, {
      monotonicMs: () => 0,
    });
    try {
      await makeAccount(limited, { email: 'ada@first.example' });
      const browser = await openSignedIn(limited, 'ada@first.example', limited.live);
      const first = await browser.get(LIST);
      expect(first.headers['ratelimit-limit']).toBe('50');
    } finally {
      await limited.close();
    }
  });
});

describe('D06 an e-mail without an account', () => {
  it('costs the same statements and hashes', async () => {
    await makeAccount(t, { email: 'measured@first.example' });
    const { pool } = t.service;
    const measure = async (email: string) => {
      const before = countHashes();
      // Only watched: outside a transaction each statement takes a connection of its own.
      const spy = vi.spyOn(pool, 'connect');
      await openBrowser(t).signIn(email, 'not the password');
      const statements = spy.mock.calls.length;
      spy.mockRestore();
      return { hashes: countHashes() - before, statements };
    };
    const known = await measure('measured@first.example');
    expect(known.hashes).toBe(1);
    expect(await measure('nobody-measured@first.example')).toEqual(known);
  });
});
