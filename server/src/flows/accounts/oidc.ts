/** Another's word for who somebody is: OpenID Connect by code with PKCE, state and nonce. */
import type { Configuration } from 'openid-client';
import type { Tx } from '../../db/database.ts';
import { inTransaction } from '../../db/transaction.ts';
import { FRESH_MS } from '../../domain/accounts/session-life.ts';
import { parseEmail, toEmailNormal } from '../../domain/email.ts';
import { Refusal } from '../../domain/errors.ts';
import {
  bindIdentity,
  findIdentity,
  hasIdentity,
} from '../../resources/accounts/account-identities.queries.ts';
import type { StandingSession } from '../../resources/accounts/account-sessions.queries.ts';
import { insertToken, takeToken } from '../../resources/accounts/account-tokens.queries.ts';
import {
  type AccountRow,
  findAccount,
  findAccountByEmail,
  insertAccount,
  lockAccount,
} from '../../resources/accounts/accounts.queries.ts';
import { hashToken } from '../../resources/accounts/tokens.ts';
import { isInvited } from '../../resources/team/invitations.queries.ts';
import { proveEmail } from './links.ts';
import { renewSession } from './renew-session.ts';
import { enter, goOn, type SignedIn } from './sign-in.ts';
import { type AccountContext, noteAccount, type Visitor } from './visitor.ts';

const LIFE_MS = 10 * 60_000;
const TIMEOUT_S = 10;
const NAME_LENGTH_MAX = 100;
const CONTROL = /\p{Cc}/u;
/** Words for several factors (RFC 8176). */
const SEVERAL_FACTORS = ['mfa', 'hwk', 'otp'];

export type OidcPurpose = 'sign_in' | 'prove';

const toCallback = ({ publicUrl }: AccountContext['config']) => `${publicUrl}/v0/session/oidc/callback`;

type OidcConfig = NonNullable<AccountContext['config']['oidc']>;

function getOidc({ config }: AccountContext): OidcConfig {
  if (!config.oidc) throw new Refusal('oidc_unavailable');
  return config.oidc;
}

const discovered = new Map<string, Promise<Configuration>>();

/** What the provider says of itself, asked once. */
async function discover({ issuer, clientId, clientSecret, isLoopback }: OidcConfig): Promise<Configuration> {
  const key = `${issuer}\n${clientId}`;
  const known = discovered.get(key);
  if (known) return known;
  const client = await import('openid-client');
  // The library leaves a token's signature alone where TLS stands for it; without TLS alone on this very machine.
  const execute = [client.enableNonRepudiationChecks, ...(isLoopback ? [client.allowInsecureRequests] : [])];
  const asked = client.discovery(new URL(issuer), clientId, clientSecret, undefined, {
    execute,
    timeout: TIMEOUT_S,
  });
  discovered.set(key, asked);
  asked.catch(() => discovered.delete(key));
  return asked;
}

export interface BegunOidc {
  /** Where the browser goes. */
  url: string;
  /** For a cookie: the answer is taken in this very browser alone. */
  state: string;
}

/** Throws oidc_unavailable. */
export async function beginOidc(
  ctx: AccountContext,
  { purpose, session }: { purpose: OidcPurpose; session: StandingSession | null },
): Promise<BegunOidc> {
  const oidc = getOidc(ctx);
  const provider = await discover(oidc).catch((cause: unknown) => {
    throw new Refusal('oidc_unavailable', { cause });
  });
  const client = await import('openid-client');
  const verifier = client.randomPKCECodeVerifier();
  const [state, nonce] = [client.randomState(), client.randomNonce()];
  const url = client.buildAuthorizationUrl(provider, {
    redirect_uri: toCallback(ctx.config),
    scope: 'openid email profile',
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    nonce,
    ...(purpose === 'prove' ? { prompt: 'login', max_age: '0' } : {}),
  });
  await insertToken(ctx.db, {
    id: ctx.ids.next(ctx.nowMs),
    kind: 'oidc',
    accountId: purpose === 'prove' ? (session?.accountId ?? null) : null,
    tokenHash: hashToken(state),
    params: { verifier, nonce, purpose },
    endsAt: ctx.nowMs + LIFE_MS,
    createdAt: ctx.nowMs,
  });
  return { url: url.href, state };
}

interface Claims {
  issuer: string;
  subject: string;
  email: string | null;
  isEmailVerified: boolean;
  name: string;
  amr: string[];
  authAtMs: number | null;
}

export interface EndingOidc {
  /** With which the browser came back. */
  search: string;
  /** Of its cookie. */
  state: string | null;
  session: StandingSession | null;
  visitor: Visitor;
}

export type EndedOidc = { kind: 'proved'; accountId: string; token: string } | SignedIn;

/** Throws sign_in_expired, identity_unknown, reauthentication_required and oidc_unavailable. */
export async function endOidc(ctx: AccountContext, ending: EndingOidc): Promise<EndedOidc> {
  const { search, state, session, visitor } = ending;
  const oidc = getOidc(ctx);
  const answered = new URLSearchParams(search).get('state');
  if (state === null || answered !== state) throw new Refusal('sign_in_expired');
  const shown = { kind: 'oidc' as const, tokenHash: hashToken(state), nowMs: ctx.nowMs };
  const begun = await inTransaction(ctx.db, (tx) => takeToken(tx, shown));
  if (!begun) throw new Refusal('sign_in_expired');
  const { verifier, nonce, purpose } = begun.params as {
    verifier: string;
    nonce: string;
    purpose: OidcPurpose;
  };
  const claims = await exchange(ctx, oidc, { search, verifier, nonce, state, isProof: purpose === 'prove' });
  const isTwoFactor = oidc.trustMfa && claims.amr.some((word) => SEVERAL_FACTORS.includes(word));
  if (purpose === 'prove') return prove(ctx, { claims, session, visitor, isTwoFactor });
  const account = await findOrBind(ctx, claims, visitor);
  const entering = { method: 'oidc' as const, isProof: isFresh(ctx, claims), visitor, before: session };
  if (isTwoFactor) return enter(ctx, { ...entering, accountId: account.id, isTwoFactor }, null);
  return goOn(ctx, { account, counted: null, entering: { ...entering, isProof: false } });
}

interface Exchange {
  search: string;
  verifier: string;
  nonce: string;
  state: string;
  isProof: boolean;
}

async function exchange(
  ctx: AccountContext,
  oidc: OidcConfig,
  { search, verifier, nonce, state, isProof }: Exchange,
): Promise<Claims> {
  const client = await import('openid-client');
  const url = new URL(`${toCallback(ctx.config)}${search}`);
  const checks = {
    pkceCodeVerifier: verifier,
    expectedNonce: nonce,
    expectedState: state,
    idTokenExpected: true,
  };
  // Signature, issuer, audience, nonce and times are checked by the library.
  const provider = await discover(oidc).catch((cause: unknown) => {
    throw new Refusal('oidc_unavailable', { cause });
  });
  const tokens = await client.authorizationCodeGrant(provider, url, checks).catch((cause: unknown) => {
    throw new Refusal('identity_unknown', { cause });
  });
  const claims = tokens.claims();
  // A provider that names nobody would have everybody be the first of them, and no store keeps a U+0000.
  if (!claims?.sub || CONTROL.test(claims.sub)) throw new Refusal('identity_unknown');
  const authAtMs = typeof claims.auth_time === 'number' ? claims.auth_time * 1000 : null;
  if (isProof && authAtMs === null) throw new Refusal('reauthentication_required');
  return {
    issuer: claims.iss,
    subject: claims.sub,
    email: typeof claims.email === 'string' ? (parseEmail(claims.email)?.address ?? null) : null,
    isEmailVerified: claims.email_verified === true,
    name: typeof claims.name === 'string' ? toAccountName(claims.name) : '',
    amr: Array.isArray(claims.amr) ? claims.amr.map(String) : [],
    authAtMs,
  };
}

/** As somebody could have typed it here. */
function toAccountName(name: string): string {
  const line = name
    .toWellFormed()
    .replace(/\p{Cc}+/gu, ' ')
    .trim();
  return [...line].slice(0, NAME_LENGTH_MAX).join('');
}

function isFresh({ nowMs }: Pick<AccountContext, 'nowMs'>, { authAtMs }: Claims): boolean {
  return authAtMs !== null && nowMs - authAtMs < FRESH_MS;
}

/**
 * By who they are there; at first by a verified e-mail of an account that exists or is invited. Once bound, an account
 * is that one's: an address that is given on to somebody else there opens nothing.
 */
async function findOrBind(ctx: AccountContext, claims: Claims, visitor: Visitor): Promise<AccountRow> {
  const { issuer, subject, email, isEmailVerified } = claims;
  const accountId = await findIdentity(ctx.db, { issuer, subject });
  const known = accountId === null ? undefined : await findAccount(ctx.db, accountId);
  if (known) {
    if (known.disabledAt !== null) throw new Refusal('identity_unknown');
    return known;
  }
  if (email === null || !isEmailVerified) throw new Refusal('identity_unknown');
  return inTransaction(ctx.db, async (tx) => {
    const account =
      (await findAccountByEmail(tx, toEmailNormal(email))) ?? (await makeInvited(ctx, tx, claims));
    if (!account || account.disabledAt !== null) throw new Refusal('identity_unknown');
    // Locked: of two who come at once with one address, one is the first.
    await lockAccount(tx, account.id);
    if (await hasIdentity(tx, { issuer, accountId: account.id })) throw new Refusal('identity_unknown');
    await proveEmail(ctx, tx, account);
    await bindIdentity(tx, { issuer, subject, accountId: account.id, createdAt: ctx.nowMs });
    const details = { issuer };
    await noteAccount(ctx, tx, { accountId: account.id, operation: 'bindIdentity', visitor, details });
    return account;
  });
}

/** Whoever is invited anywhere gets an account with their mailbox proved; the invitation is theirs to accept. */
async function makeInvited(
  { ids, nowMs }: AccountContext,
  tx: Tx,
  { email, name }: Claims,
): Promise<AccountRow | undefined> {
  const emailNormal = toEmailNormal(email ?? '');
  if (email === null || !(await isInvited(tx, { emailNormal, nowMs }))) return undefined;
  const names = { email, emailNormal, name };
  const id = ids.next(nowMs);
  await insertAccount(tx, { id, ...names, passwordHash: null, emailProvedAt: nowMs, createdAt: nowMs });
  return findAccount(tx, id);
}

/** The same somebody has just signed in there once more. */
async function prove(
  ctx: AccountContext,
  {
    claims,
    session,
    visitor,
    isTwoFactor,
  }: { claims: Claims; session: StandingSession | null; visitor: Visitor; isTwoFactor: boolean },
): Promise<EndedOidc> {
  const accountId = await findIdentity(ctx.db, claims);
  if (!session || accountId !== session.accountId) throw new Refusal('identity_unknown');
  if (!isFresh(ctx, claims)) throw new Refusal('reauthentication_required');
  const token = await inTransaction(ctx.db, async (tx) => {
    const details = { method: 'oidc' };
    await noteAccount(ctx, tx, { accountId, operation: 'reauthenticate', visitor, details });
    const renewal = { session, isProof: true, endsOthers: false };
    return renewSession(ctx, tx, { ...renewal, isTwoFactor: session.isTwoFactor || isTwoFactor });
  });
  return { kind: 'proved', accountId, token };
}
