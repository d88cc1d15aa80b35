/** What those see and do who run the installation: no store's data. To everybody else none of it is there. */

import { Refusal } from '../domain/errors.ts';
import { requireWords } from '../domain/require-words.ts';
import { type AdminVerb, changeByAdmin } from '../flows/workspace-life/change-by-admin.ts';
import { changeAccount, changeSettings } from '../flows/workspace-life/change-installation.ts';
import { overseeWorkspace, overseeWorkspaces } from '../flows/workspace-life/oversee-workspaces.ts';
import { showInstallation } from '../flows/workspace-life/show-installation.ts';
import { previewSweep } from '../flows/workspace-life/sweep-workspaces.ts';
import { testMailServer } from '../flows/workspace-life/test-mail-server.ts';
import { type AccountRequest, ofInstallation, type Route } from '../http/route.ts';
import {
  AccountParams,
  InstallationAccountData,
  InstallationAccountsData,
  InstallationSettingsData,
  InstallationWorkspaceData,
  InstallationWorkspacesData,
  ListInstallationAccounts,
  ListInstallationWorkspaces,
  OnlyItsId,
  SmtpTestData,
  StatusData,
  SweepData,
  toInstallationAccount,
  toInstallationWorkspace,
  UpdateInstallationAccount,
  UpdateInstallationSettings,
  WorkspaceParams,
} from '../resources/installation/installation.schema.ts';
import { getInstallationSettings, listOverseenAccounts } from '../resources/installation/overview.queries.ts';
import { cutPage, toPage } from '../resources/paging.ts';
import { toSweepFacts } from '../resources/workspaces/sweep.queries.ts';
import { contextOf } from './account-answers.ts';

const UPCOMING_MAX = 1_000;

const status = ofInstallation({
  method: 'GET',
  path: '/v0/installation/status',
  operationId: 'getInstallationStatus',
  tag: 'installation',
  summary: 'How the installation fares',
  data: StatusData,
  handler: async ({ service }) => ({
    status: { object: 'installation_status' as const, ...(await showInstallation(service)) },
  }),
});

const workspaces = ofInstallation({
  method: 'GET',
  path: '/v0/installation/workspaces/list',
  operationId: 'listInstallationWorkspaces',
  tag: 'installation',
  summary: 'List all workspaces, newest first',
  query: ListInstallationWorkspaces,
  data: InstallationWorkspacesData,
  handler: async ({ service: { db }, query }) => {
    const page = toPage(query);
    const { state, term } = query;
    const filter = { ...(state ? { state } : {}), ...(term ? { term } : {}) };
    const rows = await overseeWorkspaces(db, { page, ...filter });
    const cut = cutPage(rows, page, (row) => ({ value: row.createdAt, id: row.id }));
    return { workspaces: cut.rows.map(toInstallationWorkspace), count: null, ...cut.page };
  },
});

const accounts = ofInstallation({
  method: 'GET',
  path: '/v0/installation/accounts/list',
  operationId: 'listInstallationAccounts',
  tag: 'installation',
  summary: 'List all accounts, newest first',
  query: ListInstallationAccounts,
  data: InstallationAccountsData,
  handler: async ({ service: { db }, query }) => {
    const page = toPage(query);
    const rows = await listOverseenAccounts(db, { page, ...(query.term ? { term: query.term } : {}) });
    const cut = cutPage(rows, page, (row) => ({ value: row.createdAt, id: row.id }));
    return { accounts: cut.rows.map(toInstallationAccount), count: null, ...cut.page };
  },
});

const sweep = ofInstallation({
  method: 'GET',
  path: '/v0/installation/sweep',
  operationId: 'previewSweep',
  tag: 'installation',
  summary: 'What the sweep has in mind',
  data: SweepData,
  handler: async ({ service, nowMs }) => {
    const settings = await getInstallationSettings(service.db);
    const days = settings.sweepDays;
    const planned = await previewSweep(service, { days, nowMs });
    const upcoming = planned
      .map(({ row, plan: { step, actsAt: at } }) => {
        const { warned, lastActiveAt } = toSweepFacts(row);
        const said = warned?.step === step ? warned : null;
        const [firstWarningAt, secondWarningAt] = [said?.firstAt ?? null, said?.secondAt ?? null];
        return {
          workspaceId: row.id,
          name: row.name,
          step,
          at,
          firstWarningAt,
          secondWarningAt,
          lastActiveAt,
        };
      })
      .sort((a, b) => a.at - b.at)
      .slice(0, UPCOMING_MAX);
    const isOn = settings.sweep && service.mail !== null;
    return { sweep: { object: 'sweep_preview' as const, isOn, days, upcoming } };
  },
});

const settings = ofInstallation({
  method: 'GET',
  path: '/v0/installation/settings',
  operationId: 'getInstallationSettings',
  tag: 'installation',
  summary: 'Get the settings of the installation',
  data: InstallationSettingsData,
  handler: async ({ service }) => answerSettings(await getInstallationSettings(service.db)),
});

const updateSettings = ofInstallation({
  method: 'PATCH',
  path: '/v0/installation/settings/update',
  operationId: 'updateInstallationSettings',
  tag: 'installation',
  summary: 'Change the settings of the installation',
  description: 'Missing fields stay as they are.',
  body: UpdateInstallationSettings,
  data: InstallationSettingsData,
  needsFreshProof: true,
  example: { sweepDays: { notice: 60, suspend: 90 } },
  handler: async (request) =>
    answerSettings(await changeSettings(contextOf(request), { ...toByAdmin(request), input: request.body })),
});

const answerSettings = (kept: Awaited<ReturnType<typeof getInstallationSettings>>) => ({
  settings: { object: 'installation_settings' as const, ...kept },
});

const smtpTest = ofInstallation({
  method: 'POST',
  path: '/v0/installation/smtp-test',
  operationId: 'testMailServer',
  tag: 'installation',
  summary: 'Send yourself a mail',
  description: 'By the mail server that is set, and answers what it said.',
  data: SmtpTestData,
  errors: ['mail_server_missing'],
  needsFreshProof: true,
  handler: async ({ service, session, nowMs }) => testMailServer(service, { to: session.email, nowMs }),
});

/** The four verbs differ in what they do to the workspace. */
function changing(verb: AdminVerb, summary: string, description: string): Route {
  return ofInstallation({
    method: 'PATCH',
    path: `/v0/installation/workspaces/:workspaceId/${verb}`,
    operationId: `${verb}InstallationWorkspace`,
    tag: 'installation',
    summary,
    description,
    params: WorkspaceParams,
    body: OnlyItsId,
    data: InstallationWorkspaceData,
    errors: ['workspace_not_found', 'workspace_state'],
    needsFreshProof: true,
    handler: async (request) => {
      const { service, params, session, client } = request;
      const by = { accountId: session.accountId, requestId: client.requestId };
      await changeByAdmin(service, { workspaceId: params.workspaceId, verb, by });
      request.forget(session.accountId);
      request.forgetPairs();
      const row = await overseeWorkspace(service.db, params.workspaceId);
      if (!row) throw new Refusal('workspace_not_found');
      return { workspace: toInstallationWorkspace(row) };
    },
  });
}

const updateAccount = ofInstallation({
  method: 'PATCH',
  path: '/v0/installation/accounts/:accountId/update',
  operationId: 'updateInstallationAccount',
  tag: 'installation',
  summary: 'Change an account',
  params: AccountParams,
  body: UpdateInstallationAccount,
  data: InstallationAccountData,
  errors: ['last_admin'],
  needsFreshProof: true,
  example: { installationAdmin: true },
  handler: async (request) => {
    const { name, installationAdmin } = request.body;
    requireWords({ name });
    return answerAccount(request, { name, installationAdmin });
  },
});

/** A closed account is let in nowhere, and its sessions are over. */
function closing(verb: 'disable' | 'enable'): Route {
  return ofInstallation({
    method: 'PATCH',
    path: `/v0/installation/accounts/:accountId/${verb}`,
    operationId: `${verb}InstallationAccount`,
    tag: 'installation',
    summary: verb === 'disable' ? 'Close an account' : 'Open an account again',
    params: AccountParams,
    body: OnlyItsId,
    data: InstallationAccountData,
    errors: verb === 'disable' ? ['last_admin'] : [],
    needsFreshProof: true,
    handler: (request) => answerAccount(request, { isDisabled: verb === 'disable' }),
  });
}

type AccountWrite = AccountRequest<{ accountId: string }, unknown, unknown>;

async function answerAccount(
  request: AccountWrite,
  change: { name?: string | undefined; installationAdmin?: boolean | undefined; isDisabled?: boolean },
) {
  const { service, params, forget } = request;
  await changeAccount(contextOf(request), { ...toByAdmin(request), accountId: params.accountId, ...change });
  forget(params.accountId);
  const page = { take: 1, skip: 0, after: null, before: null };
  const [row] = await listOverseenAccounts(service.db, { page, id: params.accountId });
  if (!row) throw new Refusal('not_found');
  return { account: toInstallationAccount(row) };
}

function toByAdmin({
  session,
  client,
}: Pick<AccountRequest<unknown, unknown, unknown>, 'session' | 'client'>) {
  return { adminId: session.accountId, visitor: client };
}

export const installationRoutes: Route[] = [
  status,
  workspaces,
  accounts,
  sweep,
  settings,
  updateSettings,
  smtpTest,
  changing(
    'archive',
    'Archive a workspace',
    'Only an admin takes it back, and the sweep never touches it again.',
  ),
  changing(
    'unarchive',
    'Take a workspace back from the archive',
    'Its subscriptions go on without back-billing.',
  ),
  changing('suspend', 'Suspend a workspace', 'It can be read, nothing is sold, and renewals go on.'),
  changing('reactivate', 'Reactivate a suspended workspace', 'Also one that its Owner cannot take back.'),
  updateAccount,
  closing('disable'),
  closing('enable'),
];
