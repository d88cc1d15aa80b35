import { randomBytes } from 'node:crypto';
import { generateSync } from 'otplib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Browser,
  makeAccount,
  openBrowser,
  openSignedIn,
  PASSWORD,
} from '../../test/support/browser.ts';
import { expectRefusal } from '../../test/support/expect-refusal.ts';
import { createTestApp, type TestApp } from '../../test/support/harness.ts';
import { type MailServer, startMailServer } from '../../test/support/mail-server.ts';
import { findSetup } from '../flows/accounts/setup-link.ts';

const NEW_PASSWORD = 'nine violet harbours keep singing';
const MINUTE_MS = 60_000;
const LIST = '/v0/discounts/list';

let t: TestApp;
let mails: MailServer;
const clock = { nowMs: Date.now(), monotonicMs: 0 };
beforeAll(async () => {
  mails = await startMailServer();
  const env = {
    SMTP_URL: mails.url,
    SIGN_UP: 'open',
    SECRETS_KEY: randomBytes(32).toString('base64'),
    DATABASE_URL: 'postgres://localhost/not-opened',
  };
  t = await createTestApp(env, undefined, {
    realNowMs: () => clock.nowMs,
    monotonicMs: () => clock.monotonicMs,
  });
});
afterAll(async () => {
  await t.close();
  await mails.close();
});

const pass = (ms: number) => {
  clock.nowMs += ms;
  clock.monotonicMs += ms;
};

async function mailTo(address: string, subject: string): Promise<string> {
  const to = address.toLowerCase();
  const find = () =>
    mails.received.findLast(
      (mail) => mail.to?.[0]?.address?.toLowerCase() === to && mail.subject === subject,
    );
  await expect.poll(find).toBeDefined();
  return find()?.text ?? '';
}

const tokenOf = (text: string) => /#([\w-]{43})/.exec(text)?.[1] ?? '';
const code = (secret: string) => generateSync({ secret, epoch: Math.floor(clock.nowMs / 1000) });

async function enrol(email: string): Promise<{ browser: Browser; secret: string; recoveryCodes: string[] }> {
  await makeAccount(t, { email });
  const browser = await openSignedIn(t, email);
  const begun = await browser.post('/v0/account/totp/begin');
  const { secret } = begun.body.data.totp;
  const confirmed = await browser.post('/v0/account/totp/confirm', { code: code(secret) });
  expect(confirmed.status).toBe(200);
  pass(30_000);
  return { browser, secret, recoveryCodes: confirmed.body.data.recoveryCodes };
}

describe('D05 sessions', () => {
  it('are listed, and one that is revoked is dead at once', async () => {
    await makeAccount(t, { email: 'two@first.example' });
    const [here, there] = [
      await openSignedIn(t, 'two@first.example'),
      await openSignedIn(t, 'two@first.example'),
    ];
    const { sessions } = (await here.get('/v0/sessions/list')).body.data;
    expect(sessions).toHaveLength(2);
    const other = sessions.find(({ current }: { current: boolean }) => !current);
    expect((await there.get(LIST)).status).toBe(200);
    expect((await here.delete(`/v0/sessions/${other.id}/revoke`)).status).toBe(200);
    await expectRefusal(there.get(LIST), 401, 'unauthorized');
    await expectRefusal(here.delete(`/v0/sessions/${other.id}/revoke`), 404, 'not_found');
    await openSignedIn(t, 'two@first.example');
    expect((await here.delete('/v0/sessions/revokeOthers')).body.data.revoked).toBe(1);
  });
});

describe('D08 a second factor', () => {
  it('follows the password; a code counts once', async () => {
    const { secret } = await enrol('totp@first.example');
    const browser = openBrowser(t);
    const first = await browser.signIn('totp@first.example');
    expect(first.body.data).toEqual({
      session: null,
      secondFactor: { methods: ['totp', 'recovery_code'] },
    });
    await expectRefusal(browser.get('/v0/session'), 401, 'session_required');
    const shown = { method: 'totp', code: code(secret) };
    const { body } = await browser.post('/v0/session/second-factor', shown);
    expect(body.data.session.account.email).toBe('totp@first.example');
    const again = openBrowser(t);
    await again.signIn('totp@first.example');
    await expectRefusal(again.post('/v0/session/second-factor', shown), 401, 'invalid_code');
  });

  it('can be a recovery code, once, which is told', async () => {
    const { recoveryCodes } = await enrol('codes@first.example');
    expect(recoveryCodes).toHaveLength(10);
    const shown = { method: 'recovery_code', code: recoveryCodes[0] };
    const browser = openBrowser(t);
    await browser.signIn('codes@first.example');
    expect((await browser.post('/v0/session/second-factor', shown)).status).toBe(200);
    await mailTo('codes@first.example', 'A recovery code was used');
    await browser.signIn('codes@first.example');
    await expectRefusal(browser.post('/v0/session/second-factor', shown), 401, 'invalid_code');
  });

  it('ends after five wrong codes, and the sixth over two sign-ins must wait', async () => {
    await enrol('guess@first.example');
    const browser = openBrowser(t);
    await browser.signIn('guess@first.example');
    const guess = () => browser.post('/v0/session/second-factor', { method: 'totp', code: '000000' });
    for (let i = 0; i < 3; i += 1) await expectRefusal(guess(), 401, 'invalid_code');
    await browser.signIn('guess@first.example');
    for (let i = 0; i < 2; i += 1) await expectRefusal(guess(), 401, 'invalid_code');
    await expectRefusal(guess(), 429, 'too_many_attempts');
    for (const wait of [4_000, 8_000]) {
      pass(wait);
      await guess();
    }
    pass(16_000);
    await expectRefusal(guess(), 401, 'sign_in_expired');
  });

  it('is sealed in the store, and gone with its codes once it is removed', async () => {
    const { browser, secret } = await enrol('sealed@first.example');
    const rows = await t.service.db.selectFrom('accountTotp').selectAll().execute();
    expect(rows.every((row) => row.secret.startsWith('v1.'))).toBe(true);
    expect(JSON.stringify(rows)).not.toContain(secret);
    await expectRefusal(browser.post('/v0/account/totp/begin'), 409, 'second_factor_set');
    const codes = (await browser.post('/v0/account/recovery-codes')).body.data.recoveryCodes;
    expect(codes).toHaveLength(10);
    const { account } = (await browser.delete('/v0/account/totp')).body.data;
    expect(account.secondFactor).toEqual({ totp: false, passkeys: 0, recoveryCodes: 0 });
    await expectRefusal(browser.delete('/v0/account/totp'), 409, 'second_factor_missing');
    await expectRefusal(browser.post('/v0/account/recovery-codes'), 409, 'second_factor_missing');
  });

  it('cannot be set up where secrets cannot be kept', async () => {
    const bare = await createTestApp({ DATABASE_URL: 'postgres://localhost/not-opened' });
    try {
      await makeAccount(bare, { email: 'ada@first.example' });
      const browser = await openSignedIn(bare, 'ada@first.example');
      await expectRefusal(browser.post('/v0/account/totp/begin'), 409, 'secrets_key_missing');
    } finally {
      await bare.close();
    }
  });
});

describe('D10 links', () => {
  it('sign in once; reading their page uses nothing up; no list of mails shows them', async () => {
    await makeAccount(t, { email: 'link@first.example' });
    const browser = openBrowser(t);
    expect((await browser.post('/v0/session/link', { email: 'Link@First.example' })).status).toBe(200);
    const token = tokenOf(await mailTo('link@first.example', 'Your sign-in link'));
    await browser.get(`/dashboard/link?x=${token}`);
    const { body } = await browser.post('/v0/session/link/open', { token });
    expect(body.data.session).toMatchObject({ method: 'link', freshUntil: null });
    await expectRefusal(openBrowser(t).post('/v0/session/link/open', { token }), 400, 'link_invalid');
    for (const store of [t.test, t.live])
      expect((await store.get('/v0/mails/list')).text).not.toContain(token);
    const rows = await t.service.db.selectFrom('accountMails').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(token);
    await browser.post('/v0/session/link', { email: 'link@first.example' });
    pass(16 * MINUTE_MS);
  });

  it('reset a password once and end every session; a newer one kills it; nobody is signed in', async () => {
    const email = 'reset@first.example';
    await makeAccount(t, { email });
    const browser = await openSignedIn(t, email);
    const ask = () => openBrowser(t).post('/v0/password-reset/request', { email });
    await ask();
    const first = tokenOf(await mailTo(email, 'Set a new password'));
    mails.received.length = 0;
    await ask();
    const token = tokenOf(await mailTo(email, 'Set a new password'));
    const confirm = (given: string, password = NEW_PASSWORD) =>
      openBrowser(t).post('/v0/password-reset/confirm', { token: given, password });
    await expectRefusal(confirm(first), 400, 'link_invalid');
    await expectRefusal(confirm(token, 'Password1234'), 400, 'password_too_weak');
    const done = openBrowser(t);
    expect((await done.post('/v0/password-reset/confirm', { token, password: NEW_PASSWORD })).status).toBe(
      200,
    );
    expect(done.cookies.size).toBe(0);
    await expectRefusal(confirm(token), 400, 'link_invalid');
    await expectRefusal(browser.get(LIST), 401, 'unauthorized');
    await expectRefusal(openBrowser(t).signIn(email), 401, 'invalid_credentials');
    expect((await openBrowser(t).signIn(email, NEW_PASSWORD)).status).toBe(200);
  });

  it('D07 sign in while tries must wait', async () => {
    const email = 'shut@first.example';
    await makeAccount(t, { email });
    for (let i = 0; i < 5; i += 1) await openBrowser(t).signIn(email, 'not the password');
    await expectRefusal(openBrowser(t).signIn(email), 429, 'too_many_attempts');
    const browser = openBrowser(t);
    await browser.post('/v0/session/link', { email });
    const token = tokenOf(await mailTo(email, 'Your sign-in link'));
    expect((await browser.post('/v0/session/link/open', { token })).status).toBe(200);
  });

  it('move an account to another address', async () => {
    await makeAccount(t, { email: 'old@first.example' });
    const browser = await openSignedIn(t, 'old@first.example');
    expect((await browser.post('/v0/account/email', { email: 'New@First.example' })).status).toBe(200);
    const token = tokenOf(await mailTo('New@First.example', 'Confirm your new e-mail address'));
    expect((await openBrowser(t).post('/v0/account/email/confirm', { token })).status).toBe(200);
    expect((await browser.get('/v0/session')).body.data.session.account.email).toBe('New@First.example');
    await mailTo('old@first.example', 'Your account was changed');
    await expectRefusal(browser.post('/v0/account/email', { email: 'no address' }), 400, 'invalid_input');
    await expectRefusal(openBrowser(t).post('/v0/account/email/confirm', { token }), 400, 'link_invalid');
  });
});

describe('D06 whoever asks', () => {
  it('is answered alike whether there is such an account or not', async () => {
    await makeAccount(t, { email: 'known@first.example' });
    const look = async (path: string, body: object) => {
      const { status, body: answered, headers } = await openBrowser(t).post(path, body);
      const { requestId: _, ...error } = answered.error ?? {};
      return { status, error, data: answered.data, names: Object.keys(headers).sort() };
    };
    for (const [path, rest] of [
      ['/v0/session', { password: 'not the password' }],
      ['/v0/session/link', {}],
      ['/v0/password-reset/request', {}],
      ['/v0/account/sign-up', {}],
    ] as const) {
      const known = await look(path, { email: 'known@first.example', ...rest });
      expect(await look(path, { email: 'nobody@first.example', ...rest })).toEqual(known);
    }
  });
});

describe('a fresh proof', () => {
  it('is asked for after ten minutes, or once the session was locked, and can be shown again', async () => {
    await makeAccount(t, { email: 'fresh@first.example' });
    const browser = await openSignedIn(t, 'fresh@first.example');
    const change = (password = NEW_PASSWORD) => browser.post('/v0/account/password', { password });
    pass(10 * MINUTE_MS);
    await expectRefusal(change(), 403, 'reauthentication_required');
    const seller = { seller: { name: 'Nebula Games' } };
    await expectRefusal(browser.patch('/v0/settings/update', seller), 403, 'reauthentication_required');
    expect((await browser.patch('/v0/settings/update', { sellerCountry: 'DE' })).status).toBe(200);
    const prove = (body: object) => browser.post('/v0/session/reauthenticate', body);
    await expectRefusal(prove({ password: 'not the password' }), 401, 'invalid_credentials');
    await expectRefusal(prove({}), 400, 'invalid_input');
    const before = browser.cookies.get('cf_session');
    expect((await prove({ password: PASSWORD })).body.data.session.freshUntil).toBe(
      clock.nowMs + 10 * MINUTE_MS,
    );
    // D04: the old token is dead at once.
    const old = openBrowser(t);
    old.cookies.set('cf_session', before ?? '');
    await expectRefusal(old.get('/v0/session'), 401, 'session_required');
    expect((await browser.patch('/v0/settings/update', seller)).status).toBe(200);
    expect((await browser.delete('/v0/session/reauthenticate')).status).toBe(200);
    await expectRefusal(change(), 403, 'reauthentication_required');
    await prove({ password: PASSWORD });
    await expectRefusal(change('fresh@first.example'), 400, 'password_too_weak');
    await expectRefusal(change('short'), 400, 'password_too_weak');
    expect((await change()).status).toBe(200);
    expect((await openBrowser(t).signIn('fresh@first.example', NEW_PASSWORD)).status).toBe(200);
  });

  it('is a sign-in for an account that has nothing to show yet', async () => {
    await makeAccount(t, { email: 'bare@first.example', password: null });
    const browser = openBrowser(t);
    await browser.post('/v0/session/link', { email: 'bare@first.example' });
    const token = tokenOf(await mailTo('bare@first.example', 'Your sign-in link'));
    await browser.post('/v0/session/link/open', { token });
    expect((await browser.post('/v0/account/password', { password: NEW_PASSWORD })).status).toBe(200);
    await expectRefusal(
      browser.post('/v0/account/password', { password: PASSWORD }),
      403,
      'reauthentication_required',
    );
  });
});

describe('D54 the link of the set-up', () => {
  const open = async () => {
    const { db } = t.service;
    await db.updateTable('accounts').set({ setupOpen: false }).execute();
    const email = `start-${randomBytes(4).toString('hex')}@example.com`;
    const id = await makeAccount(t, { email, installationAdmin: true });
    await db.updateTable('accounts').set({ setupOpen: true }).where('id', '=', id).execute();
    return { email, id };
  };
  const fields = { name: 'Ada', password: NEW_PASSWORD };

  it('makes the account its owner’s, once', async () => {
    const { email: startEmail, id } = await open();
    const { token } = (await findSetup(t.service)) ?? { token: '' };
    const browser = openBrowser(t);
    const email = 'Owner@shop.example';
    await expectRefusal(
      browser.post('/v0/account/setup', { ...fields, token: `${token}x`, email }),
      400,
      'link_invalid',
    );
    const asked = () => browser.post('/v0/account/setup/open', { token });
    expect((await asked()).body.data).toEqual({ demo: false });
    const workspace = { name: 'Second shop', country: 'DE', currency: 'EUR' };
    const { body } = await browser.post('/v0/account/setup', { ...fields, token, email, workspace });
    expect(body.data.session.account).toMatchObject({ id, email, name: 'Ada' });
    const names = body.data.session.workspaces.map(({ name }: { name: string }) => name);
    expect(names.sort()).toEqual(['First', 'Second shop']);
    expect(body.data.session.freshUntil).not.toBeNull();
    await expectRefusal(browser.post('/v0/account/setup', { ...fields, token, email }), 400, 'link_invalid');
    await expectRefusal(asked(), 400, 'link_invalid');
    await expectRefusal(openBrowser(t).signIn(startEmail), 401, 'invalid_credentials');
    expect((await openBrowser(t).signIn(email, NEW_PASSWORD)).status).toBe(200);
  });

  it('takes no e-mail that another account has', async () => {
    await makeAccount(t, { email: 'taken@first.example' });
    await open();
    const { token } = (await findSetup(t.service)) ?? { token: '' };
    const body = { ...fields, token, email: 'taken@first.example' };
    await expectRefusal(openBrowser(t).post('/v0/account/setup', body), 409, 'email_taken');
  });

  it('is dead after a change of the password or a second factor of a session', async () => {
    const { email } = await open();
    const browser = await openSignedIn(t, email);
    expect(await findSetup(t.service)).not.toBeNull();
    await browser.post('/v0/account/password', { password: NEW_PASSWORD });
    expect(await findSetup(t.service)).toBeNull();
    const other = await open();
    const second = await openSignedIn(t, other.email);
    const { secret } = (await second.post('/v0/account/totp/begin')).body.data.totp;
    await second.post('/v0/account/totp/confirm', { code: code(secret) });
    expect(await findSetup(t.service)).toBeNull();
  });
});

describe('a stranger', () => {
  it('makes an account and a workspace where SIGN_UP is open', async () => {
    const browser = openBrowser(t);
    const email = 'stranger@else.example';
    await browser.post('/v0/account/sign-up', { email });
    const token = tokenOf(await mailTo(email, 'Make your account'));
    const workspace = { name: 'Strange shop', country: 'FR', currency: 'EUR' };
    const body = { token, name: 'Stranger', password: NEW_PASSWORD, workspace };
    const { status, body: answered } = await browser.post('/v0/account/sign-up', body);
    expect(status).toBe(200);
    expect(answered.data.session.workspaces).toMatchObject([{ name: 'Strange shop', role: 'owner' }]);
    await expectRefusal(openBrowser(t).post('/v0/account/sign-up', body), 400, 'link_invalid');
  });

  it('D51 is 403 where it is closed', async () => {
    const closed = await createTestApp();
    try {
      const asked = openBrowser(closed).post('/v0/account/sign-up', { email: 'x@else.example' });
      await expectRefusal(asked, 403, 'sign_up_closed');
    } finally {
      await closed.close();
    }
  });
});

describe('D19 the audit of accounts', () => {
  it('tells of ways in, failures and factors, and holds no secret', async () => {
    const rows = await t.service.db.selectFrom('accountAudit').selectAll().execute();
    const operations = new Set(rows.map(({ operation }) => operation));
    for (const one of [
      'signIn',
      'signInFailed',
      'enrolTotp',
      'useRecoveryCode',
      'changePassword',
      'setUpAccount',
    ])
      expect(operations).toContain(one);
    const text = JSON.stringify(rows);
    for (const secret of [PASSWORD, NEW_PASSWORD, 'argon2']) expect(text).not.toContain(secret);
  });
});
