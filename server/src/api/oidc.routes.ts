/** The way to an identity provider and back: a browser goes both by itself, so that both answer where it goes next. */
import { Type } from 'typebox';
import { Refusal } from '../domain/errors.ts';
import { beginOidc, endOidc } from '../flows/accounts/oidc.ts';
import { findSetup } from '../flows/accounts/setup-link.ts';
import { type Route, wayIn } from '../http/route.ts';
import { NoData } from '../resources/accounts/accounts.schema.ts';
import { Described, StringEnum, Text } from '../resources/shapes.ts';
import { answerSession, answerSignIn, contextOf } from './account-answers.ts';

const start = wayIn({
  method: 'GET',
  path: '/v0/session/oidc/start',
  operationId: 'beginOidc',
  tag: 'session',
  summary: 'Go to the identity provider',
  description:
    'Answers 302. With `purpose=prove` the provider asks for a new sign-in, which counts as a fresh proof of the account ' +
    'that is signed in here.',
  query: Type.Object(
    {
      purpose: Type.Optional(
        StringEnum(['sign_in', 'prove'], {
          description: 'What the sign-in is for: to get in, or to prove afresh who is in.',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  data: NoData,
  errors: ['oidc_unavailable', 'session_required'],
  redirects: true,
  handler: async (request) => {
    const { query, session, client } = request;
    const { purpose = 'sign_in' } = query;
    if (purpose === 'prove' && !session) throw new Refusal('session_required');
    const { url, state } = await beginOidc(contextOf(request), { purpose, session });
    client.setCookie('oidc', state);
    client.redirect(url);
    return {};
  },
});

/** What a provider sends along: RFC 6749, RFC 9207 and the session management of OpenID Connect. */
const FROM_PROVIDER = {
  code: 'Is exchanged for who it is, once.',
  state: 'What was sent along, as it came back.',
  iss: 'Who answers: the issuer.',
  error: 'Why nobody was let in, as a word.',
  error_description: 'The same for people.',
  error_uri: 'Where more is said about it.',
  session_state: 'Of the provider’s own session; it is not read.',
  scope: 'What was granted; it is not read.',
};

const callback = wayIn({
  method: 'GET',
  path: '/v0/session/oidc/callback',
  operationId: 'endOidc',
  tag: 'session',
  summary: 'Come back from the identity provider',
  description: 'Answers 302 to the dashboard; `error` of its address says why nobody was let in.',
  query: Type.Object(
    Object.fromEntries(
      Object.entries(FROM_PROVIDER).map(([name, description]) => [
        name,
        Type.Optional(Text(4000, { description })),
      ]),
    ),
    { additionalProperties: true },
  ),
  data: NoData,
  redirects: true,
  handler: async (request) => {
    const { client, session, forget, service } = request;
    const dashboard = `${service.config.publicUrl}/dashboard`;
    client.setCookie('oidc', null);
    try {
      const ending = { search: client.search, state: client.cookie('oidc'), session, visitor: client };
      const ended = await endOidc(contextOf(request), ending);
      if (session) forget(session.accountId);
      if (ended.kind === 'proved') {
        forget(ended.accountId);
        await answerSession(request, ended.token);
        client.redirect(`${dashboard}/?proved=1`);
        return {};
      }
      await answerSignIn(request, ended);
      client.redirect(
        ended.kind === 'session'
          ? `${dashboard}/`
          : `${dashboard}/sign-in?step=second-factor&methods=${ended.asked.methods.join(',')}`,
      );
    } catch (error) {
      // Whoever stands there is a person in a browser: told by a page, not by an answer in JSON.
      if (!(error instanceof Refusal)) throw error;
      service.log.info(
        { code: error.code, err: error.cause },
        'a sign-in by an identity provider was refused',
      );
      client.redirect(`${dashboard}/sign-in?error=${error.code}`);
    }
    return {};
  },
});

const ways = wayIn({
  method: 'GET',
  path: '/v0/session/ways',
  operationId: 'listWaysIn',
  tag: 'session',
  summary: 'List the ways to sign in',
  data: Type.Object(
    {
      password: Type.Boolean({ description: 'Whether passwords are taken.' }),
      link: Type.Boolean({ description: 'Whether links can be mailed.' }),
      passkey: Type.Boolean({ description: 'Whether passkeys are taken: the service has a name.' }),
      oidc: Described(
        Type.Union([Type.Null(), Type.Object({ name: Type.String() }, { additionalProperties: false })]),
        'The identity provider; null without.',
      ),
      signUp: Type.Boolean({ description: 'Whether anybody may sign up.' }),
      setUp: Type.Boolean({ description: 'Whether the store still waits for its set-up link.' }),
    },
    { additionalProperties: false },
  ),
  handler: async ({ service: { db, config, mail } }) => ({
    password: config.passwordSignIn,
    link: config.passwordSignIn && mail !== null,
    passkey: hasName(config.publicUrl),
    oidc: config.oidc && { name: config.oidc.name },
    signUp: config.signUp === 'open',
    setUp: (await findSetup({ db, config })) !== null,
  }),
});

/** A browser binds passkeys to a name, never to an address. */
function hasName(publicUrl: string): boolean {
  return !/^(\d+\.){3}\d+$|^\[/.test(new URL(publicUrl).hostname);
}

export const oidcRoutes: Route[] = [ways, start, callback];
