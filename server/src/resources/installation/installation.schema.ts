/** The installation in the API, for those who run it. */
import { type Static, Type } from 'typebox';
import { pageAnswer, pageQuery } from '../paging.ts';
import { Answer, Body, Component, Described, Ms, Nullable, StringEnum, Text, Uuid } from '../shapes.ts';
import type { CountedWorkspace, OverseenAccount } from './overview.queries.ts';

const State = StringEnum(['active', 'suspended', 'archived']);
const Days = (description: string) => Type.Integer({ minimum: 1, maximum: 3_650, description });
const sweepDays = {
  notice: Days('Days without use after which its people are first told.'),
  suspend: Days('Days without use after which it is suspended.'),
  archive: Days('Days without use after which it is archived.'),
  purge: Days('Days without use after which it is removed.'),
};

export const InstallationStatus = Answer('InstallationStatus', {
  object: StringEnum(['installation_status']),
  version: Type.String({ description: 'Of the product.' }),
  storeVersion: Type.String({ description: 'Of PostgreSQL.' }),
  workspaces: Described(
    Answer(null, {
      active: Type.Integer({ description: 'How many are in use.' }),
      suspended: Type.Integer({ description: 'How many are suspended.' }),
      archived: Type.Integer({ description: 'How many are archived.' }),
    }),
    'How many are in which state.',
  ),
  accounts: Type.Integer({ description: 'How many accounts there are.' }),
  overdue: Type.Integer({ description: 'Work that is due by now and that nobody does yet.' }),
  oldestOverdueMs: Nullable(
    Type.Integer({ description: 'For how long the oldest of it is due (ms); null: nothing is.' }),
  ),
  mailsWaiting: Type.Integer({ description: 'Letters to accounts.' }),
  mailServer: Type.Boolean({ description: 'Whether one is set; without it mails are kept.' }),
  workerAt: Nullable(Ms({ description: 'When a worker was last at its upkeep.' })),
  publicUrl: Type.String({ description: 'The address that the service is found at.' }),
  signUp: StringEnum(['open', 'closed'], {
    description: 'Whether anybody may sign up, or who is invited alone.',
  }),
});

export const InstallationWorkspace = Answer('InstallationWorkspace', {
  object: StringEnum(['installation_workspace']),
  id: Uuid(),
  name: Type.String(),
  state: State,
  stateBy: Nullable(
    StringEnum(['owner', 'admin', 'sweep'], {
      description: 'Who brought it there; null while it is active.',
    }),
  ),
  stateSince: Nullable(Ms()),
  keptByAdmin: Type.Boolean({ description: 'An admin archived it once: the sweep never touches it.' }),
  ownerEmail: Nullable(Type.String({ description: 'The owner’s e-mail address; null without an owner.' })),
  paidOrders: Type.Integer({ description: 'Of the live store; counted up to 10,000.' }),
  lastActiveAt: Ms(),
  createdAt: Ms(),
});

export const InstallationAccount = Answer('InstallationAccount', {
  object: StringEnum(['installation_account']),
  id: Uuid(),
  email: Type.String(),
  name: Type.String(),
  emailProved: Type.Boolean({ description: 'Whether somebody has shown to read its mailbox.' }),
  installationAdmin: Type.Boolean(),
  workspaces: Type.Integer(),
  lastSignInAt: Nullable(Ms()),
  disabledAt: Nullable(Ms()),
  createdAt: Ms(),
});

export const SweepPreview = Answer('SweepPreview', {
  object: StringEnum(['sweep_preview']),
  isOn: Type.Boolean({ description: 'Off by setting, or without a mail server, which warnings need.' }),
  days: Described(Answer(null, sweepDays), 'After how many days each step comes.'),
  upcoming: Type.Array(
    Answer(null, {
      workspaceId: Uuid(),
      name: Type.String(),
      step: StringEnum(['suspended', 'archived', 'purged'], { description: 'What would come next.' }),
      at: Ms({ description: 'The earliest moment, if it is not used before.' }),
      firstWarningAt: Nullable(
        Ms({ description: 'When the first warning was sent (Unix ms); null before.' }),
      ),
      secondWarningAt: Nullable(
        Ms({ description: 'When the second warning was sent (Unix ms); null before.' }),
      ),
      lastActiveAt: Ms(),
    }),
    { description: 'The soonest first; at most 1,000.' },
  ),
});

export const InstallationSettingsShape = Answer('InstallationSettings', {
  object: StringEnum(['installation_settings']),
  sweep: Type.Boolean({
    description: 'Whether what nobody uses is warned of, suspended, archived and removed.',
  }),
  sweepDays: Described(Answer(null, sweepDays), 'After how many days each step comes.'),
});

export const ListInstallationWorkspaces = Type.Object({
  ...pageQuery,
  state: Type.Optional(State),
  term: Type.Optional(Text(200)),
});
export const ListInstallationAccounts = Type.Object({ ...pageQuery, term: Type.Optional(Text(200)) });
export const UpdateInstallationSettings = Body({
  sweep: Type.Optional(
    Type.Boolean({ description: 'Whether what nobody uses is warned of, suspended, archived and removed.' }),
  ),
  sweepDays: Type.Optional(
    Described(
      Body({
        notice: Type.Optional(sweepDays.notice),
        suspend: Type.Optional(sweepDays.suspend),
        archive: Type.Optional(sweepDays.archive),
        purge: Type.Optional(sweepDays.purge),
      }),
      'After how many days each step comes.',
    ),
  ),
});
export const UpdateInstallationAccount = Body({
  id: Type.Optional(Uuid()),
  name: Type.Optional(Text(100)),
  installationAdmin: Type.Optional(Type.Boolean()),
});
export const OnlyItsId = Body({ id: Type.Optional(Uuid()) });
export const WorkspaceParams = Type.Object({ workspaceId: Uuid() });
export const AccountParams = Type.Object({ accountId: Uuid() });

export const StatusData = Answer(null, { status: Component(InstallationStatus) });
export const InstallationWorkspaceData = Answer(null, { workspace: Component(InstallationWorkspace) });
export const InstallationWorkspacesData = Answer(null, {
  workspaces: Type.Array(Component(InstallationWorkspace)),
  ...pageAnswer,
});
export const InstallationAccountData = Answer(null, { account: Component(InstallationAccount) });
export const InstallationAccountsData = Answer(null, {
  accounts: Type.Array(Component(InstallationAccount)),
  ...pageAnswer,
});
export const SweepData = Answer(null, {
  sweep: Component(SweepPreview),
});
export const InstallationSettingsData = Answer(null, { settings: Component(InstallationSettingsShape) });
export const SmtpTestData = Answer(null, {
  outcome: StringEnum(['sent', 'refused', 'failed'], {
    description: 'Whether the mail server took it, refused it, or could not be reached.',
  }),
  detail: Nullable(Type.String({ description: 'What the server said.' })),
});

export function toInstallationWorkspace(row: CountedWorkspace): Static<typeof InstallationWorkspace> {
  return {
    object: 'installation_workspace',
    id: row.id,
    name: row.name,
    state: row.state,
    stateBy: row.stateBy,
    stateSince: row.stateSince,
    keptByAdmin: row.keptByAdmin,
    ownerEmail: row.ownerEmail,
    paidOrders: row.paidOrders,
    lastActiveAt: Math.max(row.createdAt, row.activeAt ?? 0, row.ownerSignedInAt ?? 0),
    createdAt: row.createdAt,
  };
}

export function toInstallationAccount(row: OverseenAccount): Static<typeof InstallationAccount> {
  return {
    object: 'installation_account',
    id: row.id,
    email: row.email,
    name: row.name,
    emailProved: row.emailProvedAt !== null,
    installationAdmin: row.installationAdmin,
    workspaces: row.workspaces,
    lastSignInAt: row.lastSignInAt,
    disabledAt: row.disabledAt,
    createdAt: row.createdAt,
  };
}
