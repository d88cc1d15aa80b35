/** The door of a portal: codes, passwords and merchants' links that let a buyer in. */
import type { Service } from '../context.ts';
import type { Scope } from '../db/scope.ts';
import { parseEmail } from '../domain/email.ts';
import { invalidField, Refusal } from '../domain/errors.ts';
import { findWanted } from '../domain/wanted-language.ts';
import { askForCode } from '../flows/portal/ask-for-code.ts';
import { checkCode } from '../flows/portal/check-code.ts';
import { openMerchantLink } from '../flows/portal/merchant-sessions.ts';
import type { OpenedPortal, Visitor } from '../flows/portal/open-session.ts';
import { signInWithPassword } from '../flows/portal/sign-in-with-password.ts';
import { atDoor, type DoorRequest, type OpenedStore, type PortalClient } from '../http/portal-route.ts';
import type { Route } from '../http/route.ts';
import { hashToken } from '../resources/accounts/tokens.ts';
import {
  BuyerSessionData,
  FindPurchase,
  OpenPortal,
  RequestCode,
  SentData,
  SignInByPassword,
  toBuyerSession,
  VerifyCode,
} from '../resources/portal/portal.schema.ts';
import { findByToken } from '../resources/portal/portal-sessions.queries.ts';
import { findShopLanguage } from '../resources/workspaces/shop-language.ts';
import { findNumber } from './find-number.ts';

const SAME_FOR_ALL =
  'Answered alike whoever that is: nobody learns here who has bought. Code and link are good for 15 minutes and once.';

const request = atDoor({
  method: 'POST',
  path: '/v0/portal/sign-in/request',
  operationId: 'requestPortalCode',
  tag: 'portal',
  summary: 'Mail a code to a buyer’s address',
  description: SAME_FOR_ALL,
  body: RequestCode,
  data: SentData,
  errors: ['not_found'],
  example: { store: 'nebula-games', email: 'ada@example.com' },
  handler: async (asked) => {
    const email = parseEmail(asked.body.email);
    if (!email) throw invalidField('email', 'is not a valid e-mail address');
    return ask(asked, { asked: email.normal, askedAs: 'email' });
  },
});

const find = atDoor({
  method: 'POST',
  path: '/v0/portal/sign-in/find',
  operationId: 'findPortalPurchase',
  tag: 'portal',
  summary: 'Mail a code to the address of a purchase',
  description: `By its order number or by a key that was bought. ${SAME_FOR_ALL}`,
  body: FindPurchase,
  data: SentData,
  errors: ['not_found'],
  example: { store: 'nebula-games', orderNumber: '7K3M9XQ2V8TD' },
  handler: async (asked) => {
    const text = (asked.body.orderNumber ?? asked.body.key ?? '').trim();
    if (text === '') throw invalidField('orderNumber', 'or key is needed');
    return ask(asked, { asked: text, askedAs: 'purchase' });
  },
});

interface AskBody {
  store: string;
  testMode?: boolean;
  language?: string;
  path?: string;
}

async function ask(
  { body, client, open }: DoorRequest<AskBody>,
  asked: { asked: string; askedAs: 'email' | 'purchase' },
) {
  const { ctx, scope } = await open({ store: body.store, testMode: body.testMode ?? false });
  const { path = null } = body;
  const { addressKey, acceptLanguage } = client;
  const language =
    findWanted({ asked: body.language, acceptLanguage }) ?? (await findShopLanguage(ctx.db, scope));
  const word = await askForCode(ctx, scope, { ...asked, language, path, addressKey });
  client.keepAsked({ scope, word });
  return { sent: true as const };
}

const verify = atDoor({
  method: 'POST',
  path: '/v0/portal/sign-in/verify',
  operationId: 'verifyPortalCode',
  answersSecret: true,
  tag: 'portal',
  summary: 'Sign in with a code or its link',
  description:
    'The browser that asked sends `code` or `token` with its cookie; another one `store`, `testMode`, `email` and ' +
    '`code`. Five wrong codes void it.',
  body: VerifyCode,
  data: BuyerSessionData,
  errors: ['code_invalid', 'not_found', 'sign_in_failed'],
  example: { store: 'nebula-games', email: 'ada@example.com', code: '12345678' },
  handler: async (asked) => {
    const { body, client } = asked;
    const { code = null, token = null, email = null } = body;
    if ((code === null) === (token === null)) throw invalidField('code', 'or token is needed');
    const opened = await openNamed(asked);
    if (!opened) throw new Refusal('code_invalid');
    const { ctx, scope } = opened;
    const signedIn = await checkCode(ctx, scope, {
      browserWord: findAskedWord(client, scope),
      email,
      code: code?.replaceAll(' ', '') ?? null,
      token,
      visitor: await toVisitor(ctx, scope, client),
    });
    client.keepAsked(null);
    return answerSignIn(opened, client, signedIn);
  },
});

/** The store that the body names, else the browser's cookie. */
async function openNamed({
  body,
  client,
  open,
  openScope,
}: DoorRequest<{ store?: string; testMode?: boolean; email?: string }>): Promise<OpenedStore | null> {
  if (body.store !== undefined) return open({ store: body.store, testMode: body.testMode ?? false });
  if (body.email !== undefined) throw invalidField('store', 'is needed with email');
  return client.asked ? openScope(client.asked.scope) : null;
}

/** What the browser keeps that asked in this store. */
function findAskedWord({ asked }: PortalClient, { workspaceId, testMode }: Scope): string | null {
  const isSame = asked?.scope.workspaceId === workspaceId && asked.scope.testMode === testMode;
  return isSame ? asked.word : null;
}

const password = atDoor({
  method: 'POST',
  path: '/v0/portal/sign-in/password',
  operationId: 'signInToPortal',
  answersSecret: true,
  tag: 'portal',
  summary: 'Sign in with e-mail and password',
  body: SignInByPassword,
  data: BuyerSessionData,
  errors: ['sign_in_failed', 'feature_disabled', 'not_found'],
  example: { store: 'nebula-games', email: 'ada@example.com', password: 'Seven7%seas' },
  handler: async ({ body, client, open }) => {
    const opened = await open({ store: body.store, testMode: body.testMode ?? false });
    const { ctx, scope, settings } = opened;
    if (!settings.portal.passwordSignIn) throw new Refusal('feature_disabled');
    const visitor = await toVisitor(ctx, scope, client);
    const signedIn = await signInWithPassword(ctx, scope, { ...body, visitor });
    return answerSignIn(opened, client, signedIn);
  },
});

const openLink = atDoor({
  method: 'POST',
  path: '/v0/portal/session/open',
  operationId: 'openPortalSession',
  answersSecret: true,
  tag: 'portal',
  summary: 'Open the session that a merchant’s link leads to',
  description: 'Once, within 10 minutes: for 60 minutes.',
  body: OpenPortal,
  data: BuyerSessionData,
  errors: ['code_invalid'],
  example: { token: '1Mo0WqHRmKPkPaDEkLDdZ0.8QfZ0mE1c2h6bXJ3cFQ0a1ZzT2d4Y1l1cEd3' },
  handler: async ({ service, body, client, openScope }) => {
    const visitor = { ...baseVisitor(client), sessionId: null };
    const { scope, ...signedIn } = await openMerchantLink(service, { link: body.token, visitor });
    return answerSignIn(await openScope(scope), client, signedIn);
  },
});

const baseVisitor = ({ addressKey, userAgent, requestId }: PortalClient) => ({
  addressKey,
  userAgent,
  requestId,
});

async function toVisitor({ db }: Pick<Service, 'db'>, scope: Scope, client: PortalClient): Promise<Visitor> {
  const token = client.sessionToken(scope);
  const before = token === null ? undefined : await findByToken(db, scope, hashToken(token));
  return { ...baseVisitor(client), sessionId: before?.id ?? null };
}

async function answerSignIn(
  { ctx, scope, store, settings }: OpenedStore,
  client: PortalClient,
  { token, session, user, path = null }: OpenedPortal & { path?: string | null },
) {
  client.keepSession(scope, token);
  const subscriptionNumber = await findNumber(ctx, scope, session.subscriptionId);
  const nowMs = ctx.realNowMs();
  return { session: toBuyerSession({ session, user, store, settings, subscriptionNumber, path, nowMs }) };
}

export const signInRoutes: Route[] = [request, find, verify, password, openLink];
