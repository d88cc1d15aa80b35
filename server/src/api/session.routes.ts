/** Signing in to the dashboard, who is signed in, and signing out. */
import { signIn } from '../flows/accounts/sign-in.ts';
import { signOut } from '../flows/accounts/sign-out.ts';
import { ofAccount, type Route, wayIn } from '../http/route.ts';
import { findFactors } from '../resources/accounts/accounts.queries.ts';
import { NoData, SessionData, SignIn, SignInData, toSession } from '../resources/accounts/accounts.schema.ts';
import { answerSignIn, contextOf, sendSoon } from './account-answers.ts';

const open = wayIn({
  method: 'POST',
  path: '/v0/session',
  operationId: 'signIn',
  tag: 'session',
  answersSecret: true,
  summary: 'Sign in with e-mail and password',
  description:
    'Sets the cookie of the session; with `secondFactor` the account is not in yet. An unknown e-mail, a wrong password ' +
    'and a disabled account are told alike. After 5 failures the next try waits, also with the right password.',
  body: SignIn,
  data: SignInData,
  errors: ['invalid_credentials', 'too_many_attempts'],
  example: { email: 'owner@example.com', password: 'a long sentence that only you know' },
  handler: async (request) => {
    const { body, client, session, forget } = request;
    const device = client.cookie('device');
    const signedIn = await signIn(contextOf(request), {
      ...body,
      visitor: client,
      deviceWord: device,
      before: session,
    }).finally(() => sendSoon(request));
    if (session) forget(session.accountId);
    return answerSignIn(request, signedIn);
  },
});

const get = ofAccount({
  method: 'GET',
  path: '/v0/session',
  operationId: 'getSession',
  tag: 'session',
  summary: 'Get the session of this browser',
  description: 'With its account, and what it may do in each of its workspaces.',
  data: SessionData,
  handler: async ({ service, session, nowMs }) => {
    const factors = await findFactors(service.db, session.accountId);
    return { session: toSession(session, { factors, nowMs }) };
  },
});

const close = ofAccount({
  method: 'DELETE',
  path: '/v0/session',
  operationId: 'signOut',
  tag: 'session',
  summary: 'Sign out',
  description: 'The session is over in every process within 5 seconds.',
  data: NoData,
  handler: async (request) => {
    const { session, client, forget } = request;
    await signOut(contextOf(request), { ...session, visitor: client });
    forget(session.accountId);
    client.setCookie('session', null);
    return {};
  },
});

export const sessionRoutes: Route[] = [open, get, close];
