import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { createAuthenticator } from '../../test/support/authenticator.ts';
import {
  type Browser,
  makeAccount,
  openBrowser,
  openSignedIn,
  PASSWORD,
} from '../../test/support/browser.ts';
import { expectRefusal } from '../../test/support/expect-refusal.ts';
import { goByOidc as goBy, type WayByOidc } from '../../test/support/go-by-oidc.ts';
import { createTestApp, type TestApp } from '../../test/support/harness.ts';
import {
  CLIENT,
  type IdentityProvider,
  startIdentityProvider,
} from '../../test/support/identity-provider.ts';
import { createCodeNotes } from '../../test/support/provoked-codes.ts';
import { inTransaction } from '../db/transaction.ts';
import { printLink } from '../flows/accounts/operate-accounts.ts';
import { findAccountByEmail } from '../resources/accounts/accounts.queries.ts';

const ORIGIN = 'http://localhost:3000';

let t: TestApp;
let provider: IdentityProvider;
beforeAll(async () => {
  provider = await startIdentityProvider();
  t = await createTestApp({ OIDC_ISSUER: provider.issuer, ...CLIENT });
});
afterAll(async () => {
  await t.close();
  await provider.close();
});

describe('D09 a passkey', () => {
  const addTo = async (browser: Browser) => {
    const authenticator = createAuthenticator('localhost');
    const { options } = (await browser.post('/v0/account/passkeys/options')).body.data;
    const credential = authenticator.create(options, ORIGIN);
    const made = await browser.post('/v0/account/passkeys/create', { credential, name: 'Laptop' });
    expect(made.status).toBe(200);
    return { authenticator, credential };
  };
  const ask = async (browser: Browser) =>
    (await browser.post('/v0/session/passkey/options')).body.data.options as { challenge: string };

  it('signs in without another factor, and stands for both', async () => {
    await makeAccount(t, { email: 'key@first.example' });
    const { authenticator } = await addTo(await openSignedIn(t, 'key@first.example'));
    const browser = openBrowser(t);
    const assertion = authenticator.show(await ask(browser), ORIGIN);
    const { body } = await browser.post('/v0/session/passkey/verify', { assertion });
    expect(body.data.session).toMatchObject({
      method: 'passkey',
      account: { email: 'key@first.example', secondFactor: { passkeys: 1 } },
    });
    expect(body.data.session.freshUntil).not.toBeNull();
    const again = openBrowser(t).post('/v0/session/passkey/verify', { assertion });
    await expectRefusal(again, 401, 'invalid_credentials');
  });

  it('is asked for after the password, and proves afresh', async () => {
    await makeAccount(t, { email: 'both@first.example' });
    const { authenticator } = await addTo(await openSignedIn(t, 'both@first.example'));
    const browser = openBrowser(t);
    const { body } = await browser.signIn('both@first.example');
    expect(body.data.secondFactor.methods).toEqual(['passkey']);
    const shown = { method: 'passkey', assertion: authenticator.show(await ask(browser), ORIGIN) };
    expect((await browser.post('/v0/session/second-factor', shown)).status).toBe(200);
    await browser.delete('/v0/session/reauthenticate');
    const proof = { method: 'passkey', assertion: authenticator.show(await ask(browser), ORIGIN) };
    const proved = await browser.post('/v0/session/reauthenticate', proof);
    expect(proved.body.data.session.freshUntil).not.toBeNull();
    const { passkeys } = (await browser.get('/v0/account/passkeys')).body.data;
    expect(passkeys).toMatchObject([{ name: 'Laptop' }]);
    expect((await browser.delete(`/v0/account/passkeys/${passkeys[0].id}`)).status).toBe(200);
    await expectRefusal(browser.delete(`/v0/account/passkeys/${passkeys[0].id}`), 404, 'not_found');
  });

  it('is nobody’s when another page, an unverified user or an old challenge shows it', async () => {
    await makeAccount(t, { email: 'odd@first.example' });
    const signedIn = await openSignedIn(t, 'odd@first.example');
    const { authenticator, credential } = await addTo(signedIn);
    const browser = openBrowser(t);
    const verify = (assertion: unknown) => browser.post('/v0/session/passkey/verify', { assertion });
    await expectRefusal(
      verify(authenticator.show(await ask(browser), 'https://evil.example')),
      401,
      'invalid_credentials',
    );
    const unverified = authenticator.show(await ask(browser), ORIGIN, { isVerified: false });
    await expectRefusal(verify(unverified), 401, 'invalid_credentials');
    await expectRefusal(
      verify(authenticator.show({ challenge: 'bm9ib2R5cw' }, ORIGIN)),
      401,
      'invalid_credentials',
    );
    await expectRefusal(verify({}), 401, 'invalid_credentials');
    const again = signedIn.post('/v0/account/passkeys/create', { credential, name: 'Twice' });
    await expectRefusal(again, 400, 'passkey_invalid');
  });

  it('needs a host with a name, and 20 are the most', async () => {
    const bare = await createTestApp({ PUBLIC_URL: 'http://127.0.0.1:3000' });
    try {
      await expectRefusal(openBrowser(bare).post('/v0/session/passkey/options'), 409, 'passkeys_unavailable');
      const { data } = (await openBrowser(bare).get('/v0/session/ways')).body;
      expect(data).toEqual({
        password: true,
        link: false,
        passkey: false,
        oidc: null,
        signUp: false,
        setUp: false,
      });
      const oidc = await bare.app.inject({ method: 'GET', url: '/v0/session/oidc/start' });
      expect(oidc.json().error.code).toBe('oidc_unavailable');
    } finally {
      await bare.close();
    }
    const accountId = await makeAccount(t, { email: 'many@first.example' });
    const passkeys = Array.from({ length: 20 }, (_, i) => ({
      ...{ id: t.service.ids.next(Date.now()), accountId, name: `${i}`, credentialId: `many-${i}` },
      ...{ publicKey: 'x', counter: 0, createdAt: 1 },
    }));
    const browser = await openSignedIn(t, 'many@first.example');
    await t.service.db.insertInto('accountPasskeys').values(passkeys).execute();
    await expectRefusal(browser.post('/v0/account/passkeys/options'), 409, 'passkey_limit_reached');
  });
});

const goByOidc = (browser: Browser, way?: WayByOidc) => goBy({ app: t.app, provider }, browser, way);

describe('D50 an identity provider', () => {
  const failed = (code: string) => `${ORIGIN}/dashboard/sign-in?error=${code}`;

  it('is asked with state, nonce and PKCE, and binds by a verified e-mail of an account', async () => {
    await makeAccount(t, { email: 'oidc@first.example' });
    provider.claims = { sub: 'ada', email: 'OIDC@First.example', email_verified: true };
    const browser = openBrowser(t);
    const { asked, target } = await goByOidc(browser);
    for (const name of ['state', 'nonce', 'code_challenge'])
      expect(asked.searchParams.get(name)).toBeTruthy();
    expect(asked.searchParams.get('code_challenge_method')).toBe('S256');
    expect(target).toBe(`${ORIGIN}/dashboard/`);
    expect((await browser.get('/v0/session')).body.data.session).toMatchObject({
      method: 'oidc',
      freshUntil: null,
      account: { email: 'oidc@first.example' },
    });
    // Bound by who they are there: another e-mail changes nothing.
    provider.claims = { sub: 'ada', email: 'other@else.example', email_verified: false };
    expect((await goByOidc(openBrowser(t))).target).toBe(`${ORIGIN}/dashboard/`);
  });

  it('binds nothing without a verified e-mail, or an account', async () => {
    await makeAccount(t, { email: 'unverified@first.example' });
    for (const claims of [
      { sub: 'eve', email: 'unverified@first.example', email_verified: false },
      { sub: 'eve', email: 'unverified@first.example' },
      { sub: 'eve', email: 'nobody@first.example', email_verified: true },
    ]) {
      provider.claims = claims;
      const browser = openBrowser(t);
      expect((await goByOidc(browser)).target).toBe(failed('identity_unknown'));
      // A browser is sent on with it, so that no answer bears the code.
      createCodeNotes(inject('codesFolder')).note('{"status":"error","error":{"code":"identity_unknown"}}');
      expect(browser.cookies.has('cf_session')).toBe(false);
    }
    expect(
      await t.service.db.selectFrom('accountIdentities').selectAll().where('subject', '=', 'eve').execute(),
    ).toEqual([]);
  });

  it('makes an account for whoever is invited, who then accepts; not for whose invitation is revoked', async () => {
    const { workspaceId } = t.test.scope;
    await makeAccount(t, { email: 'host@first.example', member: { workspaceId, role: 'admin' } });
    const host = await openSignedIn(t, 'host@first.example');
    const invite = async (email: string) =>
      (await host.post('/v0/invitations/create', { email, role: 'support' })).body.data;
    const { url } = await invite('Guest@First.example');
    provider.claims = { sub: 'guest', name: 'Grace', email: 'guest@first.example', email_verified: true };
    const guest = openBrowser(t);
    expect((await goByOidc(guest)).target).toBe(`${ORIGIN}/dashboard/`);
    const { session } = (await guest.get('/v0/session')).body.data;
    expect(session).toMatchObject({ method: 'oidc', workspaces: [] });
    expect(session.account).toMatchObject({ name: 'Grace', emailProved: true, hasPassword: false });
    const token = String(url).split('#')[1];
    expect((await guest.post('/v0/invitations/accept', { token })).body.data.workspaceId).toBe(workspaceId);
    const { invitation } = await invite('late@first.example');
    await host.delete(`/v0/invitations/${invitation.id}/revoke`);
    provider.claims = { sub: 'late', email: 'late@first.example', email_verified: true };
    expect((await goByOidc(openBrowser(t))).target).toBe(failed('identity_unknown'));
  });

  it('is believed with the right state and nonce alone', async () => {
    provider.claims = { sub: 'ada', nonce: 'another' };
    expect((await goByOidc(openBrowser(t))).target).toBe(failed('identity_unknown'));
    provider.claims = { sub: 'ada', aud: 'another client' };
    expect((await goByOidc(openBrowser(t))).target).toBe(failed('identity_unknown'));
    provider.claims = { sub: 'ada' };
    const change = (url: string) => url.replace(/state=[^&]*/, 'state=planted');
    expect((await goByOidc(openBrowser(t), { change })).target).toBe(failed('sign_in_expired'));
  });

  it('D53 proves an account without anything else; an old sign-in there does not', async () => {
    await makeAccount(t, { email: 'alone@first.example', password: null });
    const who = { sub: 'alone', email: 'alone@first.example', email_verified: true };
    provider.claims = who;
    const browser = openBrowser(t);
    await goByOidc(browser);
    provider.claims = { ...who, auth_time: Math.floor(Date.now() / 1000) - 700 };
    const old = await goByOidc(browser, { purpose: 'prove' });
    expect(old.asked.searchParams.get('prompt')).toBe('login');
    expect(old.target).toBe(failed('reauthentication_required'));
    const rotate = () => browser.patch('/v0/settings/update', { seller: { name: 'Alone' } });
    await expectRefusal(rotate(), 403, 'reauthentication_required');
    provider.claims = { ...who, sub: 'ada' };
    expect((await goByOidc(browser, { purpose: 'prove' })).target).toBe(failed('identity_unknown'));
    provider.claims = who;
    expect((await goByOidc(browser, { purpose: 'prove' })).target).toBe(`${ORIGIN}/dashboard/?proved=1`);
    expect((await rotate()).status).toBe(200);
    const { totp } = (await browser.post('/v0/account/totp/begin')).body.data;
    expect(totp.uri).toContain('otpauth://totp/');
  });

  it('D53 stands for both factors where OIDC_TRUST_MFA says so alone', async () => {
    for (const [trust, kind] of [
      ['off', 'second-factor'],
      ['on', 'dashboard/'],
    ]) {
      const app = t;
      const trusting = await createTestApp({
        OIDC_ISSUER: provider.issuer,
        ...CLIENT,
        OIDC_TRUST_MFA: trust ?? '',
      });
      try {
        t = trusting;
        const id = await makeAccount(t, { email: 'mfa@first.example' });
        const totp = { accountId: id, secret: 'v1', confirmedAt: 1, createdAt: 1 };
        await t.service.db.insertInto('accountTotp').values(totp).execute();
        provider.claims = {
          sub: 'mfa',
          email: 'mfa@first.example',
          email_verified: true,
          amr: ['pwd', 'otp'],
        };
        expect((await goByOidc(openBrowser(t))).target).toContain(kind);
      } finally {
        t = app;
        await trusting.close();
      }
    }
  });
});

describe('D52 an account that a shown link made', () => {
  it('loses what its maker set up once somebody proves its mailbox', async () => {
    const { workspaceId } = t.test.scope;
    for (const way of ['link', 'oidc'] as const) {
      const email = `shown-${way}@first.example`;
      const id = await makeAccount(t, { email });
      await t.service.db
        .updateTable('accounts')
        .set({ confinedWorkspaceId: workspaceId, emailProvedAt: null })
        .where('id', '=', id)
        .execute();
      const maker = await openSignedIn(t, email);
      expect((await maker.get('/v0/session')).body.data.session.account.emailProved).toBe(false);
      const owner = openBrowser(t);
      if (way === 'oidc') {
        provider.claims = { sub: `shown-${way}`, email, email_verified: true };
        await goByOidc(owner);
      } else {
        const account = await inTransaction(t.service.db, (tx) => findAccountByEmail(tx, email));
        const ctx = { ...t.service, db: t.service.db, ids: t.service.ids, nowMs: Date.now() };
        const url = account ? await printLink(ctx, account) : '';
        await owner.post('/v0/session/link/open', { token: url.split('#')[1] });
      }
      const { account } = (await owner.get('/v0/session')).body.data.session;
      expect(account).toMatchObject({ email, emailProved: true, hasPassword: false });
      await expectRefusal(openBrowser(t).signIn(email, PASSWORD), 401, 'invalid_credentials');
      expect(
        await t.service.db.selectFrom('accountSessions').select('id').where('accountId', '=', id).execute(),
      ).toHaveLength(1);
    }
  });
});
