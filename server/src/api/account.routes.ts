/** One's own account: making it one's own, and what proves who one is. */
import { invalidField } from '../domain/errors.ts';
import { findLanguage, LANGUAGES } from '../domain/languages.ts';
import { requireWords } from '../domain/require-words.ts';
import {
  beginTotpEnrolment,
  changePassword,
  confirmTotpEnrolment,
  editAccount,
  removePasskey,
  removeTotp,
  renewRecoveryCodes,
} from '../flows/accounts/change-account.ts';
import { askForEmail, confirmEmail, requestLink, resetPassword } from '../flows/accounts/links.ts';
import { hasDemo, setUp } from '../flows/accounts/set-up.ts';
import { askToSignUp, signUp } from '../flows/accounts/sign-up.ts';
import { addPasskey, beginPasskey } from '../flows/accounts/verify-passkey.ts';
import { ofAccount, type Route, wayIn } from '../http/route.ts';
import { listPasskeys } from '../resources/accounts/account-factors.queries.ts';
import {
  AccountData,
  AddPasskey,
  AskForLink,
  ConfirmTotp,
  IdInPath,
  NoData,
  PasskeyList,
  PasskeyOptions,
  RecoveryCodesData,
  ResetPassword,
  SetPassword,
  SetUp,
  SetupData,
  ShowToken,
  SignInData,
  SignUp,
  TotpData,
  toPasskey,
  UpdateAccount,
} from '../resources/accounts/accounts.schema.ts';
import { answerAccount, answerSignIn, contextOf, sendSoon } from './account-answers.ts';

const SAMPLE_TOKEN = 'o0Hn0sJ8T1t0V6a4r3y2X9cQ5wE7uI1pL3kM6nB8vD0';
const SAMPLE_PASSWORD = 'seven quiet lanterns drift upstream';
const own = { tag: 'account' } as const;

const setup = wayIn({
  ...own,
  method: 'POST',
  path: '/v0/account/setup',
  operationId: 'setUpAccount',
  answersSecret: true,
  summary: 'Set up the owner of a new store',
  description:
    'By the token of the link that the first start printed. The demo shop stays as it is; `workspace` makes an empty one beside it.',
  body: SetUp,
  data: SignInData,
  errors: ['link_invalid', 'password_too_weak', 'email_taken'],
  example: {
    token: SAMPLE_TOKEN,
    email: 'ada@example.com',
    name: 'Ada',
    password: SAMPLE_PASSWORD,
    workspace: null,
  },
  handler: async (request) => {
    const { body, client, session, forget } = request;
    const signedIn = await setUp(contextOf(request), {
      ...body,
      workspace: body.workspace ?? null,
      visitor: client,
      before: session,
    });
    if (session) forget(session.accountId);
    return answerSignIn(request, signedIn);
  },
});

const openSetup = wayIn({
  ...own,
  method: 'POST',
  path: '/v0/account/setup/open',
  operationId: 'openSetup',
  summary: 'Ask whether a set-up link still works',
  description: 'Uses nothing up.',
  body: ShowToken,
  data: SetupData,
  errors: ['link_invalid'],
  example: { token: SAMPLE_TOKEN },
  handler: async (request) => ({ demo: await hasDemo(contextOf(request), request.body.token) }),
});

const register = wayIn({
  ...own,
  method: 'POST',
  path: '/v0/account/sign-up',
  operationId: 'signUp',
  summary: 'Make an account',
  description:
    'Where `SIGN_UP` is `open`. First `email`, which is answered alike whether there is such an account or not; then, with ' +
    'the token of the mailed link, `name`, `password` and `workspace`.',
  body: SignUp,
  data: SignInData,
  errors: ['sign_up_closed', 'link_invalid', 'password_too_weak', 'email_taken'],
  example: { email: 'ada@example.com' },
  handler: async (request) => {
    const { body, client, session, forget } = request;
    const ctx = contextOf(request);
    const { email, token, name, password, workspace } = body;
    if (token === undefined) {
      if (email === undefined) throw invalidField('email', 'is required without a token');
      await askToSignUp(ctx, { email, visitor: client });
      sendSoon(request);
      return { session: null, secondFactor: null };
    }
    if (name === undefined) throw invalidField('name', 'is required');
    if (password === undefined) throw invalidField('password', 'is required');
    if (workspace === undefined) throw invalidField('workspace', 'is required');
    const making = { token, name, password, workspace, visitor: client, before: session };
    const signedIn = await signUp(ctx, making);
    if (session) forget(session.accountId);
    return answerSignIn(request, signedIn);
  },
});

const update = ofAccount({
  ...own,
  method: 'PATCH',
  path: '/v0/account/update',
  operationId: 'updateAccount',
  summary: 'Change your name or language',
  body: UpdateAccount,
  data: AccountData,
  example: { name: 'Ada', language: 'de' },
  handler: async (request) => {
    const { body, client, session } = request;
    requireWords({ name: body.name });
    if (body.language !== undefined && !findLanguage(body.language))
      throw invalidField('language', `must be a language that there are texts in: ${LANGUAGES.join(', ')}`);
    await editAccount(contextOf(request), { session, visitor: client, ...body });
    return { account: await answerAccount(request, null) };
  },
});

const email = ofAccount({
  ...own,
  method: 'POST',
  path: '/v0/account/email',
  operationId: 'changeEmail',
  summary: 'Change your e-mail address',
  description:
    'A link goes to the new one; the old one stays until it is opened. Answered alike if another has it.',
  body: AskForLink,
  data: NoData,
  needsFreshProof: true,
  example: { email: 'ada@example.com' },
  handler: async (request) => {
    await askForEmail(contextOf(request), { session: request.session, email: request.body.email });
    sendSoon(request);
    return {};
  },
});

const emailConfirm = wayIn({
  ...own,
  method: 'POST',
  path: '/v0/account/email/confirm',
  operationId: 'confirmEmail',
  summary: 'Confirm your new e-mail address',
  body: ShowToken,
  data: NoData,
  errors: ['link_invalid', 'email_taken'],
  example: { token: SAMPLE_TOKEN },
  handler: async (request) => {
    const { body, client, forget } = request;
    forget(await confirmEmail(contextOf(request), { token: body.token, visitor: client }));
    sendSoon(request);
    return {};
  },
});

const password = ofAccount({
  ...own,
  method: 'POST',
  path: '/v0/account/password',
  operationId: 'changePassword',
  summary: 'Set a new password',
  description: '12 to 128 characters that are hard to guess. All other sessions end.',
  body: SetPassword,
  data: AccountData,
  needsFreshProof: 'unless first',
  errors: ['password_too_weak'],
  example: { password: SAMPLE_PASSWORD },
  handler: async (request) => {
    const { body, client, session } = request;
    const change = { session, visitor: client, password: body.password };
    const token = await changePassword(contextOf(request), change);
    return { account: await answerAccount(request, token) };
  },
});

const totpBegin = ofAccount({
  ...own,
  method: 'POST',
  path: '/v0/account/totp/begin',
  operationId: 'beginTotp',
  summary: 'Begin with an authenticator app',
  description: 'The secret counts once its first code is confirmed.',
  data: TotpData,
  needsFreshProof: 'unless first',
  answersSecret: true,
  errors: ['secrets_key_missing', 'second_factor_set'],
  handler: async (request) => ({ totp: await beginTotpEnrolment(contextOf(request), request.session) }),
});

const totpConfirm = ofAccount({
  ...own,
  method: 'POST',
  path: '/v0/account/totp/confirm',
  operationId: 'confirmTotp',
  summary: 'Confirm an authenticator app by its first code',
  description: 'Answers recovery codes, once, where there were none. All other sessions end.',
  body: ConfirmTotp,
  data: RecoveryCodesData,
  needsFreshProof: 'unless first',
  answersSecret: true,
  errors: ['invalid_code'],
  example: { code: '123456' },
  handler: async (request) => {
    const { body, client, session } = request;
    const change = { session, visitor: client, code: body.code };
    const { token, recoveryCodes } = await confirmTotpEnrolment(contextOf(request), change);
    return { account: await answerAccount(request, token), recoveryCodes };
  },
});

const totpRemove = ofAccount({
  ...own,
  method: 'DELETE',
  path: '/v0/account/totp',
  operationId: 'removeTotp',
  summary: 'Remove the authenticator app',
  description: 'With the last factor its recovery codes go, too. All other sessions end.',
  data: AccountData,
  needsFreshProof: true,
  errors: ['second_factor_missing'],
  handler: async (request) => {
    const change = { session: request.session, visitor: request.client };
    const token = await removeTotp(contextOf(request), change);
    return { account: await answerAccount(request, token) };
  },
});

const recoveryCodes = ofAccount({
  ...own,
  method: 'POST',
  path: '/v0/account/recovery-codes',
  operationId: 'makeRecoveryCodes',
  summary: 'Make new recovery codes',
  description: '10, shown once; those before are worth nothing. All other sessions end.',
  data: RecoveryCodesData,
  needsFreshProof: true,
  answersSecret: true,
  errors: ['second_factor_missing'],
  handler: async (request) => {
    const change = { session: request.session, visitor: request.client };
    const { token, recoveryCodes: codes } = await renewRecoveryCodes(contextOf(request), change);
    return { account: await answerAccount(request, token), recoveryCodes: codes };
  },
});

const passkeys = ofAccount({
  ...own,
  method: 'GET',
  path: '/v0/account/passkeys',
  operationId: 'listPasskeys',
  summary: 'List your passkeys',
  data: PasskeyList,
  handler: async ({ service, session }) => ({
    passkeys: (await listPasskeys(service.db, session.accountId)).map(toPasskey),
  }),
});

const passkeyOptions = ofAccount({
  ...own,
  method: 'POST',
  path: '/v0/account/passkeys/options',
  operationId: 'beginPasskey',
  summary: 'Begin with a passkey',
  data: PasskeyOptions,
  needsFreshProof: 'unless first',
  errors: ['passkeys_unavailable', 'passkey_limit_reached'],
  handler: async (request) => ({ options: await beginPasskey(contextOf(request), request) }),
});

const passkeyCreate = ofAccount({
  ...own,
  method: 'POST',
  path: '/v0/account/passkeys/create',
  operationId: 'createPasskey',
  summary: 'Add a passkey',
  description: 'All other sessions end.',
  body: AddPasskey,
  data: AccountData,
  needsFreshProof: 'unless first',
  errors: ['passkey_invalid', 'passkeys_unavailable'],
  example: { credential: { id: 'AbCd', type: 'public-key', response: {} }, name: 'Laptop' },
  handler: async (request) => {
    const { body, client, session } = request;
    const token = await addPasskey(contextOf(request), { session, visitor: client, ...body });
    return { account: await answerAccount(request, token) };
  },
});

const passkeyRemove = ofAccount({
  ...own,
  method: 'DELETE',
  path: '/v0/account/passkeys/:id',
  operationId: 'deletePasskey',
  summary: 'Remove a passkey',
  description: 'All other sessions end.',
  params: IdInPath,
  data: AccountData,
  needsFreshProof: true,
  handler: async (request) => {
    const { params, client, session } = request;
    const token = await removePasskey(contextOf(request), { session, visitor: client, id: params.id });
    return { account: await answerAccount(request, token) };
  },
});

const resetRequest = wayIn({
  method: 'POST',
  path: '/v0/password-reset/request',
  operationId: 'requestPasswordReset',
  tag: 'password-reset',
  summary: 'Ask for a link that sets a new password',
  description: 'Mailed where there is such an account; the answer is the same where there is none.',
  body: AskForLink,
  data: NoData,
  example: { email: 'ada@example.com' },
  handler: async (request) => {
    const { body, client } = request;
    await requestLink(contextOf(request), { kind: 'reset', email: body.email, visitor: client });
    sendSoon(request);
    return {};
  },
});

const resetConfirm = wayIn({
  method: 'POST',
  path: '/v0/password-reset/confirm',
  operationId: 'resetPassword',
  tag: 'password-reset',
  summary: 'Set a new password by a link',
  description: 'The link works once, for 60 minutes. Every session ends, and nobody is signed in.',
  body: ResetPassword,
  data: NoData,
  errors: ['link_invalid', 'password_too_weak'],
  example: { token: SAMPLE_TOKEN, password: SAMPLE_PASSWORD },
  handler: async (request) => {
    const { body, client, forget } = request;
    forget(await resetPassword(contextOf(request), { ...body, visitor: client }));
    sendSoon(request);
    return {};
  },
});

export const accountRoutes: Route[] = [
  setup,
  openSetup,
  register,
  update,
  email,
  emailConfirm,
  password,
  totpBegin,
  totpConfirm,
  totpRemove,
  recoveryCodes,
  passkeys,
  passkeyOptions,
  passkeyCreate,
  passkeyRemove,
  resetRequest,
  resetConfirm,
];
