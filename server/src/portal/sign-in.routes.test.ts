import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, test, vi } from 'vitest';
import { buy } from '../../test/support/buying.ts';
import { createTestApp, type TestApp } from '../../test/support/harness.ts';
import { makeOffer } from '../../test/support/make-catalogue.ts';
import {
  openBrowser,
  type PortalBrowser,
  portalOf,
  readCode,
  readMails,
  runDue,
  signIn,
} from '../../test/support/portal.ts';
import { countHashes, isCrowded, verifyPassword } from '../flows/accounts/passwords.ts';

let app: TestApp;
let portal: { store: string; testMode: boolean };
beforeAll(async () => {
  app = await createTestApp();
  portal = await portalOf(app, app.test);
});
afterAll(() => app.close());

let made = 0;
async function makeUser(fields: Record<string, unknown> = {}): Promise<string> {
  made += 1;
  const email = `buyer${made}@example.com`;
  await app.test.post('/v0/users/create', { email, ...fields });
  return email;
}
const codeOf = (answer: { status: number; body: { error?: { code: string } } }) =>
  `${answer.status} ${answer.body.error?.code}`;
const ask = async (email: string, browser?: PortalBrowser, from?: string) => {
  const asking = browser ?? (await openBrowser(app));
  return asking.post('/sign-in/request', { ...portal, email }, from ? { from } : {});
};

describe('POST /v0/portal/sign-in/request', () => {
  test('S02 answers known and unknown addresses alike, with equal work, and mails only the known', async () => {
    const known = await makeUser();
    const archived = await makeUser();
    const { body } = await app.test.get('/v0/users/list', { query: { email: archived } });
    await app.test.patch(`/v0/users/${body.data.users[0].id}/archive`);
    const statements = async (email: string) => {
      const browser = await openBrowser(app);
      const hashes = countHashes();
      const query = vi.spyOn(pg.Client.prototype, 'query');
      const answer = await ask(email, browser);
      const counted = [countHashes() - hashes, query.mock.calls.length];
      query.mockRestore();
      const { 'x-request-id': _id, 'set-cookie': cookie, ...headers } = answer.headers;
      return {
        status: answer.status,
        text: answer.text,
        headers: Object.keys(headers).sort(),
        cookie: String(cookie).replace(/=[^;]+/, ''),
        counted,
      };
    };
    // The first of a process reads what it remembers.
    await statements('first@example.com');
    const first = await statements(known);
    expect(first).toMatchObject({ status: 200, text: '{"status":"success","data":{"sent":true}}' });
    for (const email of ['nobody@example.com', archived, 'other@example.com'])
      expect(await statements(email)).toEqual(first);
    expect(await readMails(app, known)).toHaveLength(1);
    for (const email of ['nobody@example.com', archived]) expect(await readMails(app, email)).toEqual([]);
  });

  it('refuses what is no address, and a portal that is not there', async () => {
    expect(codeOf(await ask('no address'))).toBe('400 invalid_input');
    const browser = await openBrowser(app);
    const nowhere = { store: 'no-such-shop', testMode: true, email: 'a@example.com' };
    expect(codeOf(await browser.post('/sign-in/request', nowhere))).toBe('404 not_found');
  });

  it('takes no form of another site', async () => {
    const browser = await openBrowser(app);
    const body = { ...portal, email: await makeUser() };
    const foreign = { origin: 'https://evil.example' };
    expect(codeOf(await browser.post('/sign-in/request', body, foreign))).toBe('403 cross_site_request');
    expect((await browser.post('/sign-in/request', body, { origin: null })).status).toBe(200);
  });
});

describe('POST /v0/portal/sign-in/verify', () => {
  test('S03 lets in once, by a cookie that no script reads, and with a new value each time', async () => {
    const email = await makeUser();
    const browser = await openBrowser(app);
    await ask(email, browser);
    const { code } = await readCode(app, email);
    const answer = await browser.post('/sign-in/verify', { code });
    expect(answer.body.data.session).toMatchObject({ user: { email }, store: { slug: portal.store } });
    expect(answer.text).not.toMatch(/internalId|paymentData/);
    const set = [answer.headers['set-cookie']].flat().map(String);
    const cookie = set.find((one) => /^cf_[0-9a-f]{8}=/.test(one));
    expect(cookie).toMatch(/HttpOnly/);
    expect(cookie).toMatch(/SameSite=Lax/);
    const old = new Map(browser.cookies);
    const again = await openBrowser(app);
    expect(codeOf(await again.post('/sign-in/verify', { ...portal, email, code }))).toBe('401 code_invalid');
    expect((await browser.get('/session')).status).toBe(200);
    await ask(email, browser);
    await browser.post('/sign-in/verify', { code: (await readCode(app, email)).code });
    expect((await browser.get('/session')).status).toBe(200);
    for (const [name, value] of old) again.cookies.set(name, value);
    expect(codeOf(await again.get('/session'))).toBe('401 session_required');
  });

  test('S04 makes no session of a link in another browser; the code still works in the first', async () => {
    const email = await makeUser();
    const browser = await openBrowser(app);
    await ask(email, browser);
    const { code, link } = await readCode(app, email);
    const other = await openBrowser(app);
    const look = async ({ cookies }: PortalBrowser) => {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const url = `/portal/${portal.store}/test/sign-in/${link}`;
      return (await app.app.inject({ method: 'GET', url, headers: { cookie } })).payload;
    };
    // `buyer3@example.com`: named to whoever reads its mailbox, in the browser that asked.
    const masked = `b…${email.charAt(email.indexOf('@') - 1)}@example.com`;
    expect(await look(browser)).toContain(`"linkEmail":"${masked}"`);
    expect(await look(other)).toContain('"linkEmail":null');
    expect(codeOf(await other.post('/sign-in/verify', { token: link }))).toBe('401 code_invalid');
    const named = { ...portal, email };
    expect(codeOf(await other.post('/sign-in/verify', { ...named, token: link }))).toBe('401 code_invalid');
    expect((await browser.post('/sign-in/verify', { code })).status).toBe(200);
  });

  it('lets in by the link where it was asked for, and by the code anywhere', async () => {
    const email = await makeUser();
    const browser = await openBrowser(app);
    await ask(email, browser);
    expect((await browser.post('/sign-in/verify', { token: (await readCode(app, email)).link })).status).toBe(
      200,
    );
    await ask(email);
    const other = await openBrowser(app);
    const { code } = await readCode(app, email);
    expect((await other.post('/sign-in/verify', { ...portal, email, code })).status).toBe(200);
  });

  it('is void once there is a newer one', async () => {
    const email = await makeUser();
    const browser = await openBrowser(app);
    await ask(email, browser);
    const { code } = await readCode(app, email);
    await ask(email, browser);
    expect(codeOf(await browser.post('/sign-in/verify', { code }))).toBe('401 code_invalid');
  });

  it('wants a code or a token, and a store with an e-mail', async () => {
    const browser = await openBrowser(app);
    expect(codeOf(await browser.post('/sign-in/verify', {}))).toBe('400 invalid_input');
    const body = { email: 'a@example.com', code: '12345678' };
    expect(codeOf(await browser.post('/sign-in/verify', body))).toBe('400 invalid_input');
    expect(codeOf(await browser.post('/sign-in/verify', { code: '12345678' }))).toBe('401 code_invalid');
  });
});

describe('throttles', () => {
  test('S05 stop the sixth request, void a code with the fifth guess, and stop the eleventh password', async () => {
    const limited = await createTestApp({ RATE_LIMIT_TEST: '50', RATE_LIMIT_LIVE: '50' });
    try {
      const email = 'ada@example.com';
      await limited.test.post('/v0/users/create', { email, password: 'Seven7%seas' });
      const there = await portalOf(limited, limited.test);
      const browser = await openBrowser(limited);
      for (let i = 0; i < 5; i += 1)
        expect((await browser.post('/sign-in/request', { ...there, email })).status).toBe(200);
      const sixth = await browser.post('/sign-in/request', { ...there, email });
      expect(codeOf(sixth)).toBe('429 rate_limited');
      expect(Number(sixth.headers['retry-after'])).toBeGreaterThan(0);
      const { code } = await readCode(limited, email);
      const wrong = String((Number(code) + 1) % 1e8).padStart(8, '0');
      for (let i = 0; i < 5; i += 1)
        expect(codeOf(await browser.post('/sign-in/verify', { code: wrong }))).toBe('401 code_invalid');
      expect(codeOf(await browser.post('/sign-in/verify', { code }))).toBe('401 code_invalid');
      const bad = { ...there, email, password: 'not it' };
      for (let i = 0; i < 10; i += 1)
        expect(codeOf(await browser.post('/sign-in/password', bad))).toBe('401 sign_in_failed');
      const right = { ...bad, password: 'Seven7%seas' };
      expect(codeOf(await browser.post('/sign-in/password', right))).toBe('429 rate_limited');
      const elsewhere = await browser.post('/sign-in/password', right, { from: '127.0.0.9' });
      expect(elsewhere.status).toBe(200);
    } finally {
      await limited.close();
    }
  });
});

describe('POST /v0/portal/sign-in/find', () => {
  test('S06 mails the buyer of an order or a key, and answers a wrong one alike', async () => {
    const offerId = await makeOffer(app.test);
    await app.test.post(`/v0/offers/${offerId}/keys/add`, { keys: ['FIND-ME-7788-XYZ'] });
    const { body } = await buy(app.test, { offersIds: [offerId], userEmail: 'finder@example.com' });
    const browser = await openBrowser(app);
    const answers = [];
    for (const named of [
      { orderNumber: `#${body.data.order.number}` },
      { orderNumber: `${body.data.order.number.toLowerCase()}-2` },
      { key: 'FIND-ME-7788-XYZ' },
      { orderNumber: 'ZZZZZZZZZZZZ' },
    ]) {
      const { status, text } = await browser.post('/sign-in/find', { ...portal, ...named });
      answers.push(`${status} ${text}`);
      if (!('orderNumber' in named) || named.orderNumber !== 'ZZZZZZZZZZZZ') {
        const { code } = await readCode(app, 'finder@example.com');
        expect((await browser.post('/sign-in/verify', { code })).status).toBe(200);
      }
    }
    expect(new Set(answers).size).toBe(1);
    expect(codeOf(await browser.post('/sign-in/find', { ...portal }))).toBe('400 invalid_input');
  });
});

describe('POST /v0/portal/sign-in/password', () => {
  it('costs the same hash for whoever has none', async () => {
    const email = await makeUser({ password: 'Seven7%seas' });
    const browser = await openBrowser(app);
    const hashes = countHashes();
    for (const one of [email, 'nobody@example.com'])
      expect(codeOf(await browser.post('/sign-in/password', { ...portal, email: one, password: 'x' }))).toBe(
        '401 sign_in_failed',
      );
    expect(countHashes() - hashes).toBe(2);
    const right = await browser.post('/sign-in/password', { ...portal, email, password: 'Seven7%seas' });
    expect(right.status).toBe(200);
  });

  it('S05 is counted where it is wrong alone', async () => {
    const email = await makeUser({ password: 'Seven7%seas' });
    const browser = await openBrowser(app);
    const right = { ...portal, email, password: 'Seven7%seas' };
    for (let i = 0; i < 12; i += 1) expect((await browser.post('/sign-in/password', right)).status).toBe(200);
  });

  it('T39 is tried by one address at so many, and the right one is heard from another', async () => {
    const email = await makeUser({ password: 'Seven7%seas' });
    const browser = await openBrowser(app);
    const from = '127.0.0.77';
    const spray = (i: number) => ({ ...portal, email: `sprayed${i}@example.com`, password: 'Summer2026!' });
    for (let i = 0; i < 100; i += 1)
      expect(codeOf(await browser.post('/sign-in/password', spray(i), { from }))).toBe('401 sign_in_failed');
    const next = await browser.post('/sign-in/password', spray(100), { from });
    expect(codeOf(next)).toBe('429 rate_limited');
    expect(Number(next.headers['retry-after'])).toBeGreaterThan(0);
    const right = await browser.post('/sign-in/password', { ...portal, email, password: 'Seven7%seas' });
    expect(right.status).toBe(200);
  });

  it('is refused, and not put behind a flood of others, which leaves room for who runs the shop', async () => {
    const email = await makeUser({ password: 'Seven7%seas' });
    const browser = await openBrowser(app);
    const flood = Array.from({ length: 80 }, () => verifyPassword(null, 'x'));
    const hashes = countHashes();
    const answer = await browser.post('/sign-in/password', { ...portal, email, password: 'Seven7%seas' });
    expect([codeOf(answer), answer.headers['retry-after']]).toEqual(['429 rate_limited', '2']);
    expect(isCrowded()).toBe(false);
    await Promise.all(flood);
    // Those of the flood alone: four were begun at once.
    expect(countHashes() - hashes).toBe(76);
    const after = await browser.post('/sign-in/password', { ...portal, email, password: 'Seven7%seas' });
    expect(after.status).toBe(200);
  });

  test('S26 is 403 where the shop does not offer it', async () => {
    await app.test.patch('/v0/settings/update', { portal: { passwordSignIn: false } });
    const browser = await openBrowser(app);
    const body = { ...portal, email: 'a@example.com', password: 'x' };
    expect(codeOf(await browser.post('/sign-in/password', body))).toBe('403 feature_disabled');
    await app.test.patch('/v0/settings/update', { portal: { passwordSignIn: true } });
  });
});

describe('POST /v0/portal/sign-out', () => {
  test('S07 ends every browser of the buyer; a foreign origin changes nothing', async () => {
    const email = await makeUser();
    const [one, two] = [await signIn(app, email), await signIn(app, email)];
    expect((await one.get('/devices/list')).body.data.devices).toHaveLength(2);
    const foreign = { origin: 'https://evil.example' };
    expect(codeOf(await one.post('/sign-out', { everywhere: true }, foreign))).toBe('403 cross_site_request');
    expect(codeOf(await one.post('/sign-out', { everywhere: true }, { origin: null }))).toBe(
      '403 cross_site_request',
    );
    expect((await two.get('/session')).status).toBe(200);
    expect((await one.post('/sign-out', { everywhere: true })).status).toBe(200);
    expect(codeOf(await two.get('/session'))).toBe('401 session_required');
    expect(codeOf(await one.get('/session'))).toBe('401 session_required');
  });
});

describe('a store under attack', () => {
  test('S52 gives each code one try after 1,001 failures in an hour, and falls back', async () => {
    const email = await makeUser();
    const { db } = app.service;
    const minute = Math.floor(Date.now() / 60_000);
    await db.deleteFrom('portalFailures').execute();
    await db
      .insertInto('portalFailures')
      .values({ ...app.test.scope, minute, failures: 1000 })
      .execute();
    const browser = await openBrowser(app);
    await ask(email, browser);
    const { code } = await readCode(app, email);
    expect(codeOf(await browser.post('/sign-in/verify', { code: '00000000' }))).toBe('401 code_invalid');
    expect(codeOf(await browser.post('/sign-in/verify', { code }))).toBe('401 code_invalid');
    const { body } = await app.test.get('/v0/mails/list', { query: { kinds: 'portal_guarded' } });
    await runDue(app);
    expect(body.data.mails).toHaveLength(1);
    await ask(email, browser);
    const { link } = await readCode(app, email);
    expect((await browser.post('/sign-in/verify', { token: link })).status).toBe(200);
    await db.updateTable('portalFailures').set({ failures: 99 }).execute();
    await ask(email, browser);
    const next = (await readCode(app, email)).code;
    await browser.post('/sign-in/verify', { code: '00000000' });
    expect((await browser.post('/sign-in/verify', { code: next })).status).toBe(200);
    expect(await db.selectFrom('portalGuards').selectAll().execute()).toEqual([]);
  });
});

describe('live mode', () => {
  test('S53 keeps no code, link or token that still opens something where it can be read', async () => {
    const email = 'live@example.com';
    await app.live.post('/v0/users/create', { email });
    const there = await portalOf(app, app.live);
    const browser = await openBrowser(app, app.live);
    await browser.post('/sign-in/request', { ...there, email });
    const [mail] = await readMails(app, email, app.live);
    expect(mail?.text).toContain('••••');
    expect(mail?.text).not.toMatch(/\b\d{8}\b|sign-in\//);
    const row = await app.service.db
      .selectFrom('mails')
      .selectAll()
      .where('recipient', '=', email)
      .executeTakeFirstOrThrow();
    expect(JSON.stringify(row)).not.toMatch(/sign-in\/|"code"/);
  });
});
