/** Passkeys: made and shown with the user verified, so that one stands for both factors. */
import { isIP } from 'node:net';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { inTransaction } from '../../db/transaction.ts';
import { Refusal } from '../../domain/errors.ts';
import { requireWords } from '../../domain/require-words.ts';
import {
  findPasskey,
  insertPasskey,
  listPasskeys,
  type PasskeyRow,
  updatePasskeyUse,
} from '../../resources/accounts/account-factors.queries.ts';
import { insertToken, takeToken } from '../../resources/accounts/account-tokens.queries.ts';
import { closeSetup } from '../../resources/accounts/accounts.queries.ts';
import { hashToken } from '../../resources/accounts/tokens.ts';
import { afterChange, type OwnChange } from './change-account.ts';
import type { AccountContext } from './visitor.ts';

const CHALLENGE_MS = 5 * 60_000;
const PASSKEYS_MAX = 20;

interface Party {
  rpID: string;
  origin: string;
}

/** Throws passkeys_unavailable: a browser binds them to a name, never to an address. */
function toParty({ config }: AccountContext): Party {
  const { hostname, origin } = new URL(config.publicUrl);
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) throw new Refusal('passkeys_unavailable');
  return { rpID: hostname, origin };
}

type ChallengeUse = 'show' | 'add';

async function keepChallenge(
  { db, ids, nowMs }: AccountContext,
  { challenge, accountId, use }: { challenge: string; accountId: string | null; use: ChallengeUse },
): Promise<void> {
  await insertToken(db, {
    id: ids.next(nowMs),
    kind: 'passkey',
    accountId,
    tokenHash: hashToken(challenge),
    params: { use },
    endsAt: nowMs + CHALLENGE_MS,
    createdAt: nowMs,
  });
}

/** Uses the challenge up that a browser answers; null for one that is not ours. */
async function takeChallenge(
  { db, nowMs }: AccountContext,
  { clientDataJSON, use }: { clientDataJSON: unknown; use: ChallengeUse },
): Promise<{ challenge: string; accountId: string | null } | null> {
  const challenge = readChallenge(clientDataJSON);
  if (challenge === null) return null;
  const shown = { kind: 'passkey' as const, tokenHash: hashToken(challenge), nowMs };
  const taken = await inTransaction(db, (tx) => takeToken(tx, shown));
  return taken && taken.params.use === use ? { challenge, accountId: taken.accountId } : null;
}

function readChallenge(clientDataJSON: unknown): string | null {
  try {
    const data = JSON.parse(Buffer.from(String(clientDataJSON), 'base64url').toString('utf8')) as unknown;
    const { challenge } = (data ?? {}) as { challenge?: unknown };
    return typeof challenge === 'string' ? challenge : null;
  } catch {
    return null;
  }
}

/** What a browser is asked for: any passkey of ours, whose it is being part of it. */
export async function askForPasskey(ctx: AccountContext): Promise<Record<string, unknown>> {
  const { rpID } = toParty(ctx);
  const { generateAuthenticationOptions } = await import('@simplewebauthn/server');
  const options = await generateAuthenticationOptions({ rpID, userVerification: 'required' });
  await keepChallenge(ctx, { challenge: options.challenge, accountId: null, use: 'show' });
  return { ...options };
}

/** The passkey that was shown; null where what was shown proves nothing. */
export async function verifyPasskey(ctx: AccountContext, assertion: unknown): Promise<PasskeyRow | null> {
  const { rpID, origin } = toParty(ctx);
  // What a browser sends is checked by the library, field by field.
  const response = assertion as AuthenticationResponseJSON;
  const challenge = await takeChallenge(ctx, {
    clientDataJSON: response?.response?.clientDataJSON,
    use: 'show',
  });
  const passkey =
    challenge && typeof response.id === 'string' ? await findPasskey(ctx.db, response.id) : undefined;
  if (!challenge || !passkey) return null;
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  const verified = await verifyAuthenticationResponse({
    response,
    expectedChallenge: challenge.challenge,
    expectedOrigin: origin,
    expectedRPID: rpID,
    requireUserVerification: true,
    credential: {
      id: passkey.credentialId,
      publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')),
      counter: passkey.counter,
    },
  }).catch((error: unknown) => {
    ctx.log.info({ err: error }, 'a passkey was shown that does not fit');
    return null;
  });
  if (!verified?.verified) return null;
  const counter = verified.authenticationInfo.newCounter;
  await updatePasskeyUse(ctx.db, { id: passkey.id, counter, lastUsedAt: ctx.nowMs });
  return passkey;
}

/** What a browser needs to make one for the account. */
export async function beginPasskey(
  ctx: AccountContext,
  { session }: Pick<OwnChange, 'session'>,
): Promise<Record<string, unknown>> {
  const { rpID } = toParty(ctx);
  const known = await listPasskeys(ctx.db, session.accountId);
  if (known.length >= PASSKEYS_MAX) throw new Refusal('passkey_limit_reached');
  const { generateRegistrationOptions } = await import('@simplewebauthn/server');
  const options = await generateRegistrationOptions({
    rpName: 'Counterfoil',
    rpID,
    userID: new Uint8Array(Buffer.from(session.accountId)),
    userName: session.email,
    userDisplayName: session.name || session.email,
    attestationType: 'none',
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    excludeCredentials: known.map(({ credentialId }) => ({ id: credentialId })),
  });
  await keepChallenge(ctx, { challenge: options.challenge, accountId: session.accountId, use: 'add' });
  return { ...options };
}

/** Answers the session's new token. Throws passkey_invalid. */
export async function addPasskey(
  ctx: AccountContext,
  { session, visitor, credential, name }: OwnChange & { credential: unknown; name: string },
): Promise<string> {
  requireWords({ name });
  const { rpID, origin } = toParty(ctx);
  const response = credential as RegistrationResponseJSON;
  const challenge = await takeChallenge(ctx, {
    clientDataJSON: response?.response?.clientDataJSON,
    use: 'add',
  });
  if (challenge?.accountId !== session.accountId) throw new Refusal('passkey_invalid');
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  const verified = await verifyRegistrationResponse({
    response,
    expectedChallenge: challenge.challenge,
    expectedOrigin: origin,
    expectedRPID: rpID,
    requireUserVerification: true,
  }).catch((cause: unknown) => {
    throw new Refusal('passkey_invalid', { cause });
  });
  if (!verified.verified) throw new Refusal('passkey_invalid');
  const made = verified.registrationInfo.credential;
  return inTransaction(ctx.db, async (tx) => {
    const isNew = await insertPasskey(tx, {
      id: ctx.ids.next(ctx.nowMs),
      accountId: session.accountId,
      name,
      credentialId: made.id,
      publicKey: Buffer.from(made.publicKey).toString('base64url'),
      counter: made.counter,
      transports: made.transports ?? [],
      createdAt: ctx.nowMs,
    });
    if (!isNew) throw new Refusal('passkey_invalid');
    await closeSetup(tx);
    return afterChange(ctx, tx, { session, visitor, operation: 'addPasskey', isTwoFactor: true });
  });
}
