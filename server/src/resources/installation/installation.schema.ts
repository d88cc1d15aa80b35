/** The installation in the API, for those who run it. */
import { type Static, Type } from 'typebox';
import type { SweepStep } from '../../domain/workspaces/sweep.ts';
import { pageAnswer, pageQuery } from '../paging.ts';
import { Answer, Body, Component, Ms, Nullable, StringEnum, Text, Uuid } from '../shapes.ts';
import type { OverseenAccount, OverseenWorkspace } from './overview.queries.ts';

const State = StringEnum(['active', 'suspended', 'archived']);
const Days = Type.Integer({ minimum: 1, maximum: 3_650 });
const sweepDays = { notice: Days, suspend: Days, archive: Days, purge: Days };

export const InstallationStatus = Answer('InstallationStatus', {
  object: StringEnum(['installation_status']),
  version: Type.String(),
  storeVersion: Type.String({ description: 'Of PostgreSQL.' }),
  workspaces: Answer(null, { active: Type.Integer(), suspended: Type.Integer(), archived: Type.Integer() }),
  accounts: Type.Integer(),
  overdue: Type.Integer({ description: 'Work that is due by now and that nobody does yet.' }),
  oldestOverdueMs: Nullable(Type.Integer()),
  mailsWaiting: Type.Integer({ description: 'Letters to accounts.' }),
  mailServer: Type.Boolean({ description: 'Whether one is set; without it mails are kept.' }),
  workerAt: Nullable(Ms({ description: 'When a worker was last at its upkeep.' })),
  publicUrl: Type.String(),
  signUp: StringEnum(['open', 'closed']),
});

export const InstallationWorkspace = Answer('InstallationWorkspace', {
  object: StringEnum(['installation_workspace']),
  id: Uuid(),
  name: Type.String(),
  state: State,
  stateBy: Nullable(StringEnum(['owner', 'admin', 'sweep'])),
  stateSince: Nullable(Ms()),
  keptByAdmin: Type.Boolean({ description: 'An admin archived it once: the sweep never touches it.' }),
  ownerEmail: Nullable(Type.String()),
  paidOrders: Type.Integer({ description: 'Of the live store; counted up to 10,000.' }),
  lastActiveAt: Ms(),
  createdAt: Ms(),
});

export const InstallationAccount = Answer('InstallationAccount', {
  object: StringEnum(['installation_account']),
  id: Uuid(),
  email: Type.String(),
  name: Type.String(),
  emailProved: Type.Boolean(),
  installationAdmin: Type.Boolean(),
  workspaces: Type.Integer(),
  lastSignInAt: Nullable(Ms()),
  disabledAt: Nullable(Ms()),
  createdAt: Ms(),
});

export const SweepPreview = Answer('SweepPreview', {
  object: StringEnum(['sweep_preview']),
  isOn: Type.Boolean({ description: 'Off by setting, or without a mail server, which warnings need.' }),
  days: Answer(null, sweepDays),
  upcoming: Type.Array(
    Answer(null, {
      workspaceId: Uuid(),
      name: Type.String(),
      step: StringEnum(['suspended', 'archived', 'purged']),
      at: Ms({ description: 'The earliest moment, if it is not used before.' }),
      firstWarningAt: Nullable(Ms()),
      secondWarningAt: Nullable(Ms()),
      lastActiveAt: Ms(),
    }),
    { description: 'The soonest first; at most 1,000.' },
  ),
});

export const InstallationSettingsShape = Answer('InstallationSettings', {
  object: StringEnum(['installation_settings']),
  sweep: Type.Boolean(),
  sweepDays: Answer(null, sweepDays),
});

export const ListInstallationWorkspaces = Type.Object({
  ...pageQuery,
  state: Type.Optional(State),
  term: Type.Optional(Text(200)),
});
export const ListInstallationAccounts = Type.Object({ ...pageQuery, term: Type.Optional(Text(200)) });
export const UpdateInstallationSettings = Body({
  sweep: Type.Optional(Type.Boolean()),
  sweepDays: Type.Optional(
    Body({
      notice: Type.Optional(Days),
      suspend: Type.Optional(Days),
      archive: Type.Optional(Days),
      purge: Type.Optional(Days),
    }),
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
export const SweepData = Answer(null, { sweep: Component(SweepPreview) });
export const InstallationSettingsData = Answer(null, { settings: Component(InstallationSettingsShape) });
export const SmtpTestData = Answer(null, {
  outcome: StringEnum(['sent', 'refused', 'failed']),
  detail: Nullable(Type.String({ description: 'What the server said.' })),
});

export function toInstallationWorkspace(row: OverseenWorkspace): Static<typeof InstallationWorkspace> {
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

export interface Upcoming {
  workspaceId: string;
  name: string;
  step: SweepStep;
  at: number;
  firstWarningAt: number | null;
  secondWarningAt: number | null;
  lastActiveAt: number;
}
