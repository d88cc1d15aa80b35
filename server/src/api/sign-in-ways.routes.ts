/** Further ways in, and the second step of a sign-in; showing once more who one is. */
import { invalidField, Refusal } from '../domain/errors.ts';
import { openLink, requestLink } from '../flows/accounts/links.ts';
import { lockSession, reauthenticate, type Shown, showSecondFactor } from '../flows/accounts/prove.ts';
import { signInWithPasskey } from '../flows/accounts/sign-in.ts';
import { askForPasskey, verifyPasskey } from '../flows/accounts/verify-passkey.ts';
import { ofAccount, type Route, wayIn } from '../http/route.ts';
import {
  AskForLink,
  NoData,
  PasskeyOptions,
  Reauthenticate,
  SessionData,
  ShowPasskey,
  ShowSecondFactor,
  ShowToken,
  SignInData,
} from '../resources/accounts/accounts.schema.ts';
import { answerSession, answerSignIn, contextOf, sendSoon } from './account-answers.ts';

const SAMPLE_TOKEN = 'o0Hn0sJ8T1t0V6a4r3y2X9cQ5wE7uI1pL3kM6nB8vD0';

interface Typed {
  method?: 'totp' | 'recovery_code' | 'passkey' | undefined;
  password?: string | undefined;
  code?: string | undefined;
  assertion?: unknown;
}

/** Each way has its own field, which must be there. */
function toShown({ method, password, code, assertion }: Typed): Shown {
  if (method === undefined) {
    if (password === undefined) throw invalidField('password', 'is required where there is no method');
    return { method: 'password', password };
  }
  if (method === 'passkey') {
    if (assertion === undefined) throw invalidField('assertion', 'is required');
    return { method, assertion };
  }
  if (code === undefined) throw invalidField('code', 'is required');
  return { method, code };
}

const second = wayIn({
  method: 'POST',
  path: '/v0/session/second-factor',
  operationId: 'showSecondFactor',
  tag: 'session',
  answersSecret: true,
  summary: 'Show the second factor',
  description:
    'Ends a sign-in that answered `secondFactor`: within 5 minutes and 5 tries. A code counts once. A wrong one is a ' +
    'failure as a wrong password is.',
  body: ShowSecondFactor,
  data: SignInData,
  errors: ['invalid_code', 'sign_in_expired', 'too_many_attempts', 'passkeys_unavailable'],
  example: { method: 'totp', code: '123456' },
  handler: async (request) => {
    const { body, client, session } = request;
    const signedIn = await showSecondFactor(contextOf(request), {
      shown: toShown(body),
      visitor: client,
      deviceWord: client.cookie('device'),
      pendingToken: client.cookie('pending'),
      before: session,
    }).finally(() => sendSoon(request));
    return answerSignIn(request, signedIn);
  },
});

const askLink = wayIn({
  method: 'POST',
  path: '/v0/session/link',
  operationId: 'requestSignInLink',
  tag: 'session',
  summary: 'Ask for a link that signs in',
  description: 'Mailed where there is such an account; the answer is the same where there is none.',
  body: AskForLink,
  data: NoData,
  example: { email: 'owner@example.com' },
  handler: async (request) => {
    const { body, client } = request;
    await requestLink(contextOf(request), { kind: 'link', email: body.email, visitor: client });
    sendSoon(request);
    return {};
  },
});

const useLink = wayIn({
  method: 'POST',
  path: '/v0/session/link/open',
  operationId: 'openSignInLink',
  tag: 'session',
  answersSecret: true,
  summary: 'Sign in by a link',
  description: 'It works once, for 15 minutes. The second factor still follows; it is no fresh proof.',
  body: ShowToken,
  data: SignInData,
  errors: ['link_invalid'],
  example: { token: SAMPLE_TOKEN },
  handler: async (request) => {
    const { body, client, session, forget } = request;
    const opening = { token: body.token, visitor: client, before: session };
    const signedIn = await openLink(contextOf(request), opening);
    if (session) forget(session.accountId);
    return answerSignIn(request, signedIn);
  },
});

const passkeyOptions = wayIn({
  method: 'POST',
  path: '/v0/session/passkey/options',
  operationId: 'askForPasskey',
  tag: 'session',
  summary: 'Ask for a passkey',
  description: 'For signing in, for the second step, and for showing once more who one is.',
  data: PasskeyOptions,
  errors: ['passkeys_unavailable'],
  handler: async (request) => ({ options: await askForPasskey(contextOf(request)) }),
});

const passkeyVerify = wayIn({
  method: 'POST',
  path: '/v0/session/passkey/verify',
  operationId: 'signInWithPasskey',
  tag: 'session',
  answersSecret: true,
  summary: 'Sign in with a passkey',
  description: 'It stands for both factors.',
  body: ShowPasskey,
  data: SignInData,
  errors: ['invalid_credentials', 'passkeys_unavailable'],
  example: { assertion: { id: 'AbCd', type: 'public-key', response: {} } },
  handler: async (request) => {
    const { body, client, session, forget } = request;
    const ctx = contextOf(request);
    const passkey = await verifyPasskey(ctx, body.assertion);
    if (!passkey) throw new Refusal('invalid_credentials', { message: 'The passkey is not known here.' });
    const entering = { accountId: passkey.accountId, visitor: client, before: session };
    const signedIn = await signInWithPasskey(ctx, entering);
    if (session) forget(session.accountId);
    return answerSignIn(request, signedIn);
  },
});

const proveAgain = ofAccount({
  method: 'POST',
  path: '/v0/session/reauthenticate',
  operationId: 'reauthenticate',
  tag: 'session',
  summary: 'Show once more who you are',
  description:
    'By `password`, or by `method` with `code` or `assertion`. Operations that ask for it go through for 10 minutes.',
  body: Reauthenticate,
  data: SessionData,
  errors: ['invalid_credentials', 'invalid_code', 'too_many_attempts', 'passkeys_unavailable'],
  example: { password: 'a long sentence that only you know' },
  handler: async (request) => {
    const { body, client, session, forget } = request;
    const deviceWord = client.cookie('device');
    const showing = { shown: toShown(body), visitor: client, deviceWord, session };
    const token = await reauthenticate(contextOf(request), showing).finally(() => sendSoon(request));
    forget(session.accountId);
    return { session: await answerSession(request, token) };
  },
});

const lock = ofAccount({
  method: 'DELETE',
  path: '/v0/session/reauthenticate',
  operationId: 'lockSession',
  tag: 'session',
  summary: 'Give the last proof up',
  description: 'Operations that ask for a fresh proof are refused until one is shown.',
  data: NoData,
  handler: async (request) => {
    const { session, client, forget } = request;
    await lockSession(contextOf(request), { session, visitor: client });
    forget(session.accountId);
    return {};
  },
});

export const signInWayRoutes: Route[] = [
  second,
  askLink,
  useLink,
  passkeyOptions,
  passkeyVerify,
  proveAgain,
  lock,
];
