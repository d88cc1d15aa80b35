import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Browser, makeAccount, openBrowser } from '../../test/support/browser.ts';
import { goByOidc as goBy, visitByOidc, type WayByOidc } from '../../test/support/go-by-oidc.ts';
import { createTestApp, type TestApp } from '../../test/support/harness.ts';
import {
  CLIENT,
  type IdentityProvider,
  startIdentityProvider,
} from '../../test/support/identity-provider.ts';
import { resetSecondFactor } from '../flows/accounts/operate-accounts.ts';
import { findAccountByEmail } from '../resources/accounts/accounts.queries.ts';

const DASHBOARD = 'http://localhost:3000/dashboard';
const refused = (code: string) => `${DASHBOARD}/sign-in?error=${code}`;
const VICTIM = { sub: 'victim', email: 'victim@first.example', email_verified: true };

let t: TestApp;
let provider: IdentityProvider;
beforeAll(async () => {
  provider = await startIdentityProvider();
  t = await createTestApp({ OIDC_ISSUER: provider.issuer, ...CLIENT });
  await makeAccount(t, { email: VICTIM.email });
  provider.claims = VICTIM;
  expect((await goByOidc(openBrowser(t))).target).toBe(`${DASHBOARD}/`);
});
beforeEach(() => {
  Object.assign(provider, { claims: VICTIM, signature: 'own', beside: {} });
});
afterAll(async () => {
  await t.close();
  await provider.close();
});

const goByOidc = (browser: Browser, way?: WayByOidc) => goBy({ app: t.app, provider }, browser, way);
const now = () => Math.floor(Date.now() / 1000);

it.each(['stranger', 'none', 'client_secret'] as const)(
  'D50 believes no token that is signed by: %s',
  async (signature) => {
    provider.signature = signature;
    const browser = openBrowser(t);
    expect((await goByOidc(browser)).target).toBe(refused('identity_unknown'));
    expect(browser.cookies.has('cf_session')).toBe(false);
  },
);

it.each([
  ['is for another', { aud: 'another' }],
  ['is for us and another, who asked for it', { aud: [CLIENT.OIDC_CLIENT_ID, 'another'], azp: 'another' }],
  ['is for us and another, and does not say who asked', { aud: [CLIENT.OIDC_CLIENT_ID, 'another'] }],
  ['has ended', { iat: now() - 900, exp: now() - 600 }],
  ['begins later', { nbf: now() + 600 }],
  ['is of another issuer', { iss: 'https://other.example' }],
  ['bears no nonce', { nonce: undefined }],
  ['names nobody', { sub: '' }],
  ['names a number', { sub: 7 }],
  ['names somebody whom no store could keep', { sub: 'vic\u0000tim' }],
  ['gives somebody new an address that is none', { sub: 'new', email: 'vic\u0000tim@first.example' }],
])('D50 believes no token that %s', async (_, claims) => {
  provider.claims = { ...VICTIM, ...claims };
  const browser = openBrowser(t);
  expect((await goByOidc(browser)).target).toBe(refused('identity_unknown'));
  expect(browser.cookies.has('cf_session')).toBe(false);
});

it('D50 keeps a name as somebody could have typed it', async () => {
  const invited = { sub: 'invited', email: 'invited@first.example', email_verified: true };
  const owner = openBrowser(t);
  await goByOidc(owner);
  const invitation = { email: invited.email, role: 'support' };
  const made = await owner.request('POST', '/v0/invitations/create', { body: invitation });
  expect(made.status, made.text).toBe(200);
  provider.claims = { ...invited, name: ` In\u0000vi\r\nted \ud800${'😀'.repeat(200)}` };
  expect((await goByOidc(openBrowser(t))).target).toContain(DASHBOARD);
  const account = await findAccountByEmail(t.service.db, invited.email);
  expect(account?.name).toBe(`In vi ted \ufffd${'😀'.repeat(89)}`);
});

it('D50 takes a clock that is some seconds off', async () => {
  provider.claims = { ...VICTIM, iat: now() + 5, nbf: now() + 5 };
  expect((await goByOidc(openBrowser(t))).target).toBe(`${DASHBOARD}/`);
});

it('D50 takes no answer of another issuer, and none twice', async () => {
  provider.beside = { iss: 'https://other.example' };
  expect((await goByOidc(openBrowser(t))).target).toBe(refused('identity_unknown'));
  provider.beside = { iss: provider.issuer };
  const browser = openBrowser(t);
  const { returned } = await goByOidc(browser);
  for (const other of [browser, openBrowser(t)])
    expect((await visitByOidc(t.app, other, returned)).headers.location).toBe(refused('sign_in_expired'));
});

it('D50 takes an answer in the browser alone that asked', async () => {
  const attacker = openBrowser(t);
  let planted = '';
  const change = (url: string) => {
    planted = url;
    return url.replace(/state=[^&]*/, 'state=none');
  };
  await goByOidc(attacker, { change });
  const { pathname, search } = new URL(planted);
  const victim = openBrowser(t);
  const answer = await visitByOidc(t.app, victim, `${pathname}${search}`);
  expect(answer.headers.location).toBe(refused('sign_in_expired'));
  expect(victim.cookies.has('cf_session')).toBe(false);
});

it('D50 gives an account to nobody else who has its address there later, until the operator says so', async () => {
  const successor = { ...VICTIM, sub: 'successor' };
  provider.claims = successor;
  expect((await goByOidc(openBrowser(t))).target).toBe(refused('identity_unknown'));
  const account = await findAccountByEmail(t.service.db, VICTIM.email);
  if (!account) throw new Error('no account');
  await resetSecondFactor({ ...t.service, nowMs: Date.now() }, account);
  expect((await goByOidc(openBrowser(t))).target).toBe(`${DASHBOARD}/`);
});
