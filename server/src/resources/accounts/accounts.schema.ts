/** Accounts and their sessions in the API. */
import { type Static, Type } from 'typebox';
import type { Row } from '../../db/schema.ts';
import { findEnd, findFreshUntil, SIGN_IN_METHODS } from '../../domain/accounts/session-life.ts';
import { COUNTRIES } from '../../domain/countries.ts';
import { HELD_REASONS } from '../../domain/held.ts';
import { LEVELS, ROLES, toPermissionSet } from '../../domain/roles.ts';
import {
  Answer,
  Body,
  Component,
  CurrencyInput,
  Described,
  Ms,
  Nullable,
  StringEnum,
  Text,
  Uuid,
} from '../shapes.ts';
import type { PasskeyRow } from './account-factors.queries.ts';
import type { StandingMembership, StandingSession } from './account-sessions.queries.ts';
import type { Factors } from './accounts.queries.ts';

export const Account = Answer('Account', {
  object: StringEnum(['account']),
  id: Uuid(),
  email: Type.String(),
  name: Type.String(),
  language: Type.String(),
  emailProved: Type.Boolean({ description: 'Whether somebody has shown to read its mailbox.' }),
  hasPassword: Type.Boolean(),
  installationAdmin: Type.Boolean(),
  secondFactor: Described(
    Answer(null, {
      totp: Type.Boolean({ description: 'Whether an authenticator app is set up.' }),
      passkeys: Type.Integer({ description: 'How many passkeys there are.' }),
      recoveryCodes: Type.Integer({ description: 'How many are left.' }),
    }),
    'What the account can prove itself by, beside its password.',
  ),
});

const Permissions = Type.Record(Type.String(), StringEnum(LEVELS), {
  description: 'Of each area of the API.',
});

export const SessionWorkspace = Answer('SessionWorkspace', {
  object: StringEnum(['workspace']),
  id: Uuid(),
  name: Type.String(),
  state: StringEnum(['active', 'suspended', 'archived']),
  stateBy: Nullable(
    StringEnum(['owner', 'admin', 'sweep'], { description: 'Who suspended or archived it.' }),
  ),
  warnedUntil: Nullable(Ms({ description: 'When the next step comes unless it is used.' })),
  heldSince: Nullable(
    Ms({
      description:
        'Since when nothing goes out of its live store, which may be a copy of another; null = it is not held.',
    }),
  ),
  heldReason: Nullable(StringEnum(HELD_REASONS, { description: 'Why it is held; null = it is not.' })),
  isCopy: Type.Boolean({
    description: 'The installation is a copy for tries: its live stores take no money.',
  }),
  requireSecondFactor: Type.Boolean(),
  role: StringEnum(ROLES),
  permissions: Described(
    Answer(null, { live: Permissions, test: Permissions }),
    'What they may do in each area, by mode.',
  ),
});

export const Session = Answer('Session', {
  object: StringEnum(['session']),
  id: Uuid(),
  account: Component(Account),
  workspaces: Type.Array(Component(SessionWorkspace), { description: 'The workspaces of the account.' }),
  method: StringEnum(SIGN_IN_METHODS, { description: 'By what it was signed in.' }),
  freshUntil: Nullable(
    Ms({ description: 'Until when the last proof counts; null = it must be shown again.' }),
  ),
  expiresAt: Ms({ description: 'When it ends if it is not used any more.' }),
});

const SecondFactor = Answer('SecondFactor', {
  methods: Type.Array(StringEnum(['totp', 'recovery_code', 'passkey']), {
    description: 'What can be shown as a second factor.',
  }),
});

export const SessionData = Answer(null, { session: Component(Session) });
export const SignInData = Answer(null, {
  session: Described(Nullable(Component(Session)), 'The session; null while a second factor is asked for.'),
  secondFactor: Described(
    Nullable(SecondFactor),
    'What is asked for before there is a session; null: nothing.',
  ),
});
export const NoData = Answer(null, {});
export const SetupData = Answer(null, {
  demo: Type.Boolean({ description: 'Whether the demo shop is there; else the workspace is empty.' }),
});

/** Longer than any that is taken: a typed one is compared, not judged. */
export const TypedPassword = Type.String({ minLength: 1, maxLength: 1000, format: 'password' });
export const TypedEmail = Text(254);

const Code = Text(40);
/** What a browser's own functions give and take, which their standard describes. */
const BrowserObject = (description: string) =>
  Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true, description });
const Assertion = BrowserObject('What `navigator.credentials.get` answers, as JSON.');
const Token = Text(200);

export const ShowSecondFactor = Body({
  method: StringEnum(['totp', 'recovery_code', 'passkey'], { description: 'What is shown.' }),
  code: Type.Optional(Described(Code, 'Of the app, or one of the recovery codes.')),
  assertion: Type.Optional(Assertion),
});
export const Reauthenticate = Body({
  password: Type.Optional(TypedPassword),
  method: Type.Optional(
    StringEnum(['totp', 'passkey'], { description: 'What is shown beside the password, or instead of it.' }),
  ),
  code: Type.Optional(Described(Code, 'Of the authenticator app.')),
  assertion: Type.Optional(Assertion),
});
export const AskForLink = Body({ email: TypedEmail });
export const ShowToken = Body({ token: Token });
export const ShowPasskey = Body({ assertion: Assertion });
export const PasskeyOptions = Answer(null, {
  options: BrowserObject('What the browser is given to ask for a passkey, as JSON.'),
});

const WantedWorkspace = Body({
  name: Text(100),
  country: StringEnum(COUNTRIES, { 'x-upper-case': true }),
  currency: CurrencyInput(),
});
const PersonName = Text(100);

export const SetUp = Body({
  token: Token,
  email: TypedEmail,
  name: PersonName,
  password: TypedPassword,
  workspace: Type.Optional(Described(Nullable(WantedWorkspace), 'The first workspace; null: none.')),
});
export const SignUp = Body({
  email: Type.Optional(TypedEmail),
  token: Type.Optional(Token),
  name: Type.Optional(PersonName),
  password: Type.Optional(TypedPassword),
  workspace: Type.Optional(Described(WantedWorkspace, 'The first workspace.')),
});
export const ResetPassword = Body({ token: Token, password: TypedPassword });
export const UpdateAccount = Body({
  name: Type.Optional(PersonName),
  language: Type.Optional(Type.String({ pattern: '^[a-z]{2}(-[A-Z]{2})?$' })),
});
export const SetPassword = Body({ password: TypedPassword });
export const ConfirmTotp = Body({ code: Described(Code, 'Of the authenticator app.') });
export const AddPasskey = Body({
  credential: BrowserObject('What `navigator.credentials.create` answers, as JSON.'),
  name: Text(60),
});
export const IdInPath = Type.Object({ id: Uuid() });

export const Passkey = Answer('Passkey', {
  object: StringEnum(['passkey']),
  id: Uuid(),
  name: Type.String(),
  createdAt: Ms(),
  lastUsedAt: Nullable(Ms()),
});
export const AccountData = Answer(null, { account: Component(Account) });
export const PasskeyList = Answer(null, { passkeys: Type.Array(Component(Passkey)) });
export const RecoveryCodesData = Answer(null, {
  account: Component(Account),
  recoveryCodes: Type.Array(Type.String(), { description: 'Shown once.' }),
});
export const TotpData = Answer(null, {
  totp: Described(
    Answer(null, {
      secret: Type.String({ description: 'Base32.' }),
      uri: Type.String({ description: 'What a picture for an authenticator app holds.' }),
    }),
    'What the authenticator app is given.',
  ),
});

export const ListedSession = Answer('ListedSession', {
  object: StringEnum(['account_session']),
  id: Uuid(),
  current: Type.Boolean({ description: 'Whether it is the one that asks.' }),
  method: StringEnum(SIGN_IN_METHODS, { description: 'By what it was signed in.' }),
  twoFactor: Type.Boolean({ description: 'Whether a second factor was shown.' }),
  device: Type.String({ description: 'As the browser named itself.' }),
  ipAddress: Type.String(),
  createdAt: Ms(),
  lastUsedAt: Ms({ description: 'Noted at most once a minute.' }),
  expiresAt: Ms(),
});
export const SessionList = Answer(null, { sessions: Type.Array(Component(ListedSession)) });
export const RevokedData = Answer(null, { revoked: Type.Integer({ description: 'How many were ended.' }) });

export function toListedSession(
  row: Row<'accountSessions'>,
  currentId: string,
): Static<typeof ListedSession> {
  const { id, method, twoFactor, ipAddress, createdAt, usedAt } = row;
  return {
    ...{ object: 'account_session', id, current: id === currentId, method, twoFactor },
    ...{ device: row.userAgent, ipAddress, createdAt, lastUsedAt: usedAt, expiresAt: findEnd(row) },
  };
}

export function toPasskey({ id, name, createdAt, lastUsedAt }: PasskeyRow): Static<typeof Passkey> {
  return { object: 'passkey', id, name, createdAt, lastUsedAt };
}

export const SignIn = Body({ email: TypedEmail, password: TypedPassword });

export function toAccount(
  session: Pick<
    StandingSession,
    'accountId' | 'email' | 'name' | 'language' | 'emailProvedAt' | 'hasPassword' | 'isInstallationAdmin'
  >,
  factors: Factors,
): Static<typeof Account> {
  return {
    object: 'account',
    id: session.accountId,
    email: session.email,
    name: session.name,
    language: session.language,
    emailProved: session.emailProvedAt !== null,
    hasPassword: session.hasPassword,
    installationAdmin: session.isInstallationAdmin,
    secondFactor: factors,
  };
}

function toWorkspace(membership: StandingMembership): Static<typeof SessionWorkspace> {
  const { workspaceId, name, state, stateBy, warnedUntil, role, permissions } = membership;
  const { heldSince, heldReason, isCopy, requireSecondFactor } = membership;
  const of = (testMode: boolean) => toPermissionSet(role, permissions, testMode);
  return {
    ...{ object: 'workspace', id: workspaceId, name, state, stateBy, warnedUntil, requireSecondFactor, role },
    ...{ heldSince, heldReason, isCopy },
    permissions: { live: of(false), test: of(true) },
  };
}

export function toSession(
  session: StandingSession,
  { factors, nowMs }: { factors: Factors; nowMs: number },
): Static<typeof Session> {
  const { confinedWorkspaceId: only } = session;
  return {
    object: 'session',
    id: session.sessionId,
    account: toAccount(session, factors),
    workspaces: session.memberships
      .filter(({ workspaceId }) => only === null || workspaceId === only)
      .map(toWorkspace),
    method: session.method,
    freshUntil: findFreshUntil(session, nowMs),
    expiresAt: findEnd(session),
  };
}
