/** A buyer's own account: another address, a password, a copy of it all, and the end. */
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buy } from '../../test/support/buying.ts';
import { advance, DAY_MS } from '../../test/support/clock.ts';
import { expectRefusal } from '../../test/support/expect-refusal.ts';
import { createTestApp, type TestApp } from '../../test/support/harness.ts';
import { makeOffer, makePlanOffer } from '../../test/support/make-catalogue.ts';
import { openBrowser, portalOf, readCode, readMails, runDue, signIn } from '../../test/support/portal.ts';

let app: TestApp;
let offersIds: string[];
beforeAll(async () => {
  app = await createTestApp();
  offersIds = [await makeOffer(app.test, { name: 'Starfield', price: 700 })];
});
afterAll(() => app.close());

const makeBuyer = async (userEmail: string) =>
  (await buy(app.test, { offersIds, userEmail })).body.data.order as {
    id: string;
    userId: string;
    number: string;
  };
const kindsTo = async (to: string) => (await readMails(app, to)).map(({ kind }) => kind);
/** Of the newest mail of a kind. */
async function readWords(to: string, kind: string) {
  const text = (await readMails(app, to)).find((mail) => mail.kind === kind)?.text ?? '';
  return {
    code: /\b(\d{8})\b/.exec(text)?.[1] ?? '',
    link: /\/account\/(?:email|not-me)\/([\w.-]+)/.exec(text)?.[1] ?? '',
  };
}
/** Presses the button behind a link of a mail. */
async function pressNotMe(link: string) {
  const { store } = await portalOf(app, app.test);
  const url = `/portal/${store}/test/account/not-me/${link}`;
  const page = await app.app.inject({ method: 'GET', url });
  expect(page.statusCode).toBe(200);
  return app.app.inject({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json' },
    payload: '{}',
  });
}

describe('another e-mail', () => {
  test('S24 needs the new mailbox, and ends all other sessions', async () => {
    const { userId } = await makeBuyer('eve@example.com');
    const [browser, other] = [await signIn(app, 'eve@example.com'), await signIn(app, 'eve@example.com')];
    expect((await browser.post('/email/request', { email: 'Eve@new.example' })).body.data).toEqual({
      sent: true,
    });
    expect(await kindsTo('eve@example.com')).toContain('email_change_note');
    expect((await app.test.get(`/v0/users/${userId}`)).body.data.user.email).toBe('eve@example.com');
    await expectRefusal(browser.post('/email/confirm', { code: '00000000' }), 401, 'code_invalid');
    const { code } = await readWords('eve@new.example', 'email_change_code');
    const { session } = (await browser.post('/email/confirm', { code })).body.data;
    expect(session.user.email).toBe('Eve@new.example');
    await expectRefusal(browser.post('/email/confirm', { code }), 401, 'code_invalid');
    expect((await other.get('/session')).status).toBe(401);
    expect((await browser.get('/session')).status).toBe(200);
    // Whoever reads the new mailbox is let in from now on.
    expect((await (await signIn(app, 'eve@new.example')).get('/orders/list')).body.data.orders).toHaveLength(
      1,
    );
  });

  test.each([
    ['another e-mail', { email: 'ivy@new.example' }],
    ['a password', { password: 'Seven7%seas' }],
  ])(
    'S24 from the merchant ends all sessions, and a code for the old mailbox: %s',
    async (_what, changes) => {
      const email = `ivy-${Object.keys(changes)}@example.com`;
      const { userId } = await makeBuyer(email);
      const browser = await signIn(app, email);
      const { portalSession } = (await app.test.post('/v0/portal-sessions/create', { userId })).body.data;
      const asking = await openBrowser(app);
      await asking.post('/sign-in/request', { ...(await portalOf(app, app.test)), email });
      const { code } = await readCode(app, email);
      const update = (input: object) => app.test.patch(`/v0/users/${userId}/update`, input);
      expect((await update({ username: 'Ivy', email: email.toUpperCase() })).status).toBe(200);
      expect((await browser.get('/session')).status).toBe(200);
      expect((await update(changes)).status).toBe(200);
      expect((await browser.get('/session')).status).toBe(401);
      const headers = { authorization: `Bearer ${portalSession.token}` };
      expect((await app.test.get('/v0/portal/session', { keys: 'none', headers })).status).toBe(401);
      const entered = await asking.post('/sign-in/verify', { code });
      expect(entered.status).toBe('email' in changes ? 401 : 200);
    },
  );

  test('S24 answers alike for an address that somebody has, and tells them', async () => {
    await makeBuyer('fay@example.com');
    await makeBuyer('taken@example.com');
    const browser = await signIn(app, 'fay@example.com');
    const answers = [];
    for (const email of ['free@example.com', 'taken@example.com']) {
      const { status, text } = await browser.post('/email/request', { email });
      answers.push({ status, text });
    }
    expect(answers[0]).toEqual(answers[1]);
    const told = await kindsTo('taken@example.com');
    expect(told).toContain('email_change_taken');
    expect(told).not.toContain('email_change_code');
    // The code that was asked for before it is void.
    const { code } = await readWords('free@example.com', 'email_change_code');
    await expectRefusal(browser.post('/email/confirm', { code }), 401, 'code_invalid');
  });

  test('S24 “This was not me” stops it, and restores the address after it', async () => {
    const { userId } = await makeBuyer('gil@example.com');
    const thief = await signIn(app, 'gil@example.com');
    await thief.patch('/password', { password: 'Mine-Now-1' });
    await thief.post('/email/request', { email: 'thief@example.com' });
    const first = await readWords('gil@example.com', 'email_change_note');
    await thief.post('/email/confirm', await codeOf('thief@example.com'));
    await thief.post('/email/request', { email: 'thief@other.example' });
    const second = await readWords('thief@example.com', 'email_change_note');
    await thief.post('/email/confirm', await codeOf('thief@other.example'));
    const emailOf = async () => (await app.test.get(`/v0/users/${userId}`)).body.data.user.email;
    expect(await emailOf()).toBe('thief@other.example');
    expect((await pressNotMe(first.link)).statusCode).toBe(200);
    expect(await emailOf()).toBe('gil@example.com');
    expect((await thief.get('/session')).status).toBe(401);
    const portal = await portalOf(app, app.test);
    const password = { ...portal, email: 'gil@example.com', password: 'Mine-Now-1' };
    await expectRefusal((await openBrowser(app)).post('/sign-in/password', password), 401, 'sign_in_failed');
    // What the thief got by the second change takes nothing back.
    expect((await pressNotMe(second.link)).statusCode).toBe(200);
    expect(await emailOf()).toBe('gil@example.com');
  });

  const codeOf = async (to: string) => ({ code: (await readWords(to, 'email_change_code')).code });

  test('S24 by the link, and void once five codes were wrong', async () => {
    await makeBuyer('hal@example.com');
    const browser = await signIn(app, 'hal@example.com');
    await browser.post('/email/request', { email: 'hal@one.example' });
    const { code } = await readWords('hal@one.example', 'email_change_code');
    const guess = code === '11111111' ? '22222222' : '11111111';
    for (let tries = 0; tries < 5; tries += 1) await browser.post('/email/confirm', { code: guess });
    await expectRefusal(browser.post('/email/confirm', { code }), 401, 'code_invalid');
    await browser.post('/email/request', { email: 'hal@two.example' });
    const { link: token } = await readWords('hal@two.example', 'email_change_code');
    const { session } = (await browser.post('/email/confirm', { token })).body.data;
    expect(session.user.email).toBe('hal@two.example');
  });

  test('S26 is 403 where the shop does not offer it, and so is a password', async () => {
    await makeBuyer('ida@example.com');
    const browser = await signIn(app, 'ida@example.com');
    await app.test.patch('/v0/settings/update', { portal: { emailChange: false, passwordSignIn: false } });
    await expectRefusal(browser.post('/email/request', { email: 'x@example.com' }), 403, 'feature_disabled');
    await expectRefusal(browser.patch('/password', { password: 'Seven7%seas' }), 403, 'feature_disabled');
    await app.test.patch('/v0/settings/update', { portal: { emailChange: true, passwordSignIn: true } });
  });

  test('S24 asks for the buyer’s own proof: a merchant’s session does not do', async () => {
    const { userId } = await makeBuyer('jon@example.com');
    const { token } = (await app.test.post('/v0/portal-sessions/create', { userId })).body.data.portalSession;
    const bearer = { origin: null, headers: { authorization: `Bearer ${token}` } };
    const browser = await openBrowser(app);
    const asked: Array<[string, string, object]> = [
      ['POST', '/email/request', { email: 'x@example.com' }],
      ['PATCH', '/password', { password: null }],
      ['POST', '/export', {}],
      ['POST', '/deletion', {}],
      ['DELETE', '/deletion', {}],
    ];
    for (const [method, path, body] of asked)
      await expectRefusal(browser.send(method, path, body, bearer), 403, 'reauthentication_required');
  });
});

describe('a copy of it all', () => {
  test('S25 holds all of the buyer’s and nothing of another’s, behind the session', async () => {
    const { number } = await makeBuyer('kim@example.com');
    const other = await makeBuyer('lou@example.com');
    const browser = await signIn(app, 'kim@example.com');
    expect((await browser.get('/export')).body.data).toMatchObject({ export: { status: 'none', url: null } });
    const asked = (await browser.post('/export')).body.data.export;
    expect(asked).toMatchObject({ object: 'portal_export', status: 'pending', url: null });
    expect(asked.expiresAt - asked.createdAt).toBe(7 * DAY_MS);
    await runDue(app);
    const { status, url } = (await browser.get('/export')).body.data.export;
    expect(status).toBe('ready');
    const cookie = [...browser.cookies].map(([key, value]) => `${key}=${value}`).join('; ');
    const path = new URL(url).pathname;
    const file = await app.app.inject({ method: 'GET', url: path, headers: { cookie } });
    expect(file.headers['content-disposition']).toContain('attachment');
    const data = file.json();
    expect(data.user.email).toBe('kim@example.com');
    expect(data.orders).toMatchObject([
      { number, items: [{ name: 'Starfield' }], payments: [{ status: 'PAID' }] },
    ]);
    expect(data.mails.map(({ kind }: { kind: string }) => kind)).toContain('receipt');
    expect(data.sessions).toHaveLength(1);
    for (const word of [other.id, other.userId, 'lou@example.com']) expect(file.payload).not.toContain(word);
    // No link that still opens something, and no code.
    expect(file.payload).not.toMatch(/"(pay|invoice|credit\w*)Url"|passwordHash|\b\d{8}\b.*minutes/i);
    expect((await app.app.inject({ method: 'GET', url: path })).statusCode).toBe(401);
    const stranger = await signIn(app, 'lou@example.com');
    const theirs = [...stranger.cookies].map(([key, value]) => `${key}=${value}`).join('; ');
    expect((await app.app.inject({ method: 'GET', url: path, headers: { cookie: theirs } })).statusCode).toBe(
      404,
    );
  });

  test('S25 is kept compressed, and replaced by a newer one', async () => {
    await makeBuyer('mia@example.com');
    const browser = await signIn(app, 'mia@example.com');
    for (let round = 0; round < 2; round += 1) {
      await browser.post('/export');
      await runDue(app);
    }
    const rows = await app.service.db.selectFrom('portalExports').selectAll().execute();
    const mine = rows.filter(({ content }) => content && gunzipSync(content).includes('mia@example.com'));
    expect(mine).toHaveLength(1);
  });
});

describe('the end', () => {
  test('S25 is 409 while something is subscribed to, can be taken back, and leaves what the law asks for', async () => {
    const { userId, number } = await makeBuyer('nia@example.com');
    const planId = await makePlanOffer(app.test, { price: 900 });
    const subscribed = await buy(app.test, { offersIds: [planId], userEmail: 'nia@example.com' });
    const browser = await signIn(app, 'nia@example.com');
    await expectRefusal(browser.post('/deletion'), 409, 'subscription_running');
    await app.test.patch(`/v0/subscriptions/${subscribed.body.data.subscription.id}/cancel`, {});
    const invoice = (await browser.get('/documents/list')).body.data.documents[0].url as string;
    const { deletion } = (await browser.post('/deletion')).body.data;
    const nowMs = deletion.dueAt - 30 * DAY_MS;
    expect(deletion).toMatchObject({ status: 'requested' });
    expect((await browser.get('/overview')).body.data.needs).toMatchObject([
      { kind: 'deletion_due', at: deletion.dueAt },
    ]);
    expect((await browser.send('DELETE', '/deletion', {})).body.data.deletion).toMatchObject({
      status: 'none',
      dueAt: null,
    });
    await browser.post('/deletion');
    // The merchant agrees: two weeks after it was asked for it is done.
    const accepted = await app.test.post(`/v0/users/${userId}/deletion/accept`, {});
    expect(accepted.body.data.deletion.dueAt - nowMs).toBeGreaterThanOrEqual(14 * DAY_MS);
    await advance(app, app.test.scope, 14 * DAY_MS);
    const { user } = (await app.test.get(`/v0/users/${userId}`)).body.data;
    expect(user.email).toBeNull();
    expect((await browser.get('/session')).status).toBe(401);
    expect((await app.test.get(`/v0/orders/${number}`)).body.data.order.number).toBe(number);
    const document = await app.app.inject({ method: 'GET', url: new URL(invoice).pathname });
    expect(document.statusCode).toBe(200);
  });

  test('S25 comes after 30 days although the merchant says nothing, and after 14 where the shop has it so', async () => {
    const silent = await makeBuyer('oda@example.com');
    await (await signIn(app, 'oda@example.com')).post('/deletion');
    await app.test.patch('/v0/settings/update', { portal: { deletion: 'automatic' } });
    const quick = await makeBuyer('pia@example.com');
    const answer = await (await signIn(app, 'pia@example.com')).post('/deletion');
    expect(answer.body.data.deletion.status).toBe('accepted');
    const emailOf = async (id: string) => (await app.test.get(`/v0/users/${id}`)).body.data.user.email;
    await advance(app, app.test.scope, 14 * DAY_MS);
    expect([await emailOf(silent.userId), await emailOf(quick.userId)]).toEqual(['oda@example.com', null]);
    await advance(app, app.test.scope, 16 * DAY_MS);
    expect(await emailOf(silent.userId)).toBeNull();
  });
});
