/** Workspaces: those of an account, and what their people do to one as a whole. */
import { Refusal } from '../domain/errors.ts';
import { requireWords } from '../domain/require-words.ts';
import { acceptTransfer, offerTransfer, withdrawTransfer } from '../flows/team/transfer-ownership.ts';
import { closeWorkspace, reactivateOwn, reopenWorkspace } from '../flows/workspace-life/close-workspace.ts';
import { createOwn } from '../flows/workspaces/create-own.ts';
import { changeWorkspace } from '../flows/workspaces/edit-workspace.ts';
import { type FlowRequest, flow, ofAccount, type Route, type WriteRequest, write } from '../http/route.ts';
import { listSeenWorkspaces } from '../resources/workspaces/seen-workspaces.queries.ts';
import {
  CloseWorkspace,
  CreateWorkspace,
  TransferWorkspace,
  toWorkspace,
  UpdateWorkspace,
  WorkspaceData,
  WorkspacesData,
} from '../resources/workspaces/workspaces.schema.ts';
import { askingMember } from './asking-member.ts';

const list = ofAccount({
  method: 'GET',
  path: '/v0/workspaces/list',
  operationId: 'listWorkspaces',
  tag: 'workspaces',
  summary: 'List the workspaces of the account',
  description: 'In every state, in the order in which it joined them.',
  data: WorkspacesData,
  handler: async ({ service, nowMs, session }) => {
    const { accountId, confinedWorkspaceId } = session;
    const workspaceId = confinedWorkspaceId ?? undefined;
    const rows = await listSeenWorkspaces(service.db, { accountId, workspaceId });
    return { workspaces: rows.map((row) => toWorkspace(row, nowMs)) };
  },
});

const create = ofAccount({
  method: 'POST',
  path: '/v0/workspaces/create',
  operationId: 'createWorkspace',
  tag: 'workspaces',
  summary: 'Make a workspace',
  description:
    'With a live and a test store, and no key pairs. Where sign-up is closed only those may who run the installation.',
  body: CreateWorkspace,
  data: WorkspaceData,
  errors: ['sign_up_closed', 'email_not_proved', 'workspace_limit_reached'],
  example: { name: 'Nebula Games', country: 'DE', currency: 'EUR' },
  handler: async ({ service, nowMs, session, client, body, forget }) => {
    requireWords({ name: body.name });
    const workspaceId = await createOwn(service, { input: body, session, requestId: client.requestId });
    forget(session.accountId);
    const [row] = await listSeenWorkspaces(service.db, { accountId: session.accountId, workspaceId });
    if (!row) throw new Refusal('workspace_not_found');
    return { workspace: toWorkspace(row, nowMs) };
  },
});

type Asking = Pick<WriteRequest<unknown, unknown, unknown>, 'ctx' | 'tx' | 'scope' | 'actor'>;

const update = write({
  method: 'PATCH',
  path: '/v0/workspace/update',
  operationId: 'updateWorkspace',
  tag: 'workspace',
  summary: 'Change the workspace',
  description: 'Where a second factor is asked for, members without one are let in only to set it up.',
  body: UpdateWorkspace,
  data: WorkspaceData,
  errors: ['slug_taken'],
  ofWorkspace: true,
  membersOnly: true,
  example: { name: 'Nebula Games', requireSecondFactor: true },
  handler: async (request) => {
    requireWords({ name: request.body.name });
    const before = await answerSeen(request);
    const { workspaceId } = request.scope;
    const nowMs = request.ctx.realNowMs();
    await changeWorkspace(request.tx, { workspaceId, input: request.body, nowMs });
    request.audit(before.workspace, request.scope.workspaceId);
    return answerSeen(request);
  },
});

const transfer = write({
  method: 'POST',
  path: '/v0/workspace/transfer',
  operationId: 'transferWorkspace',
  tag: 'workspace',
  summary: 'Offer the workspace to a member',
  description: 'The Owner’s. Who takes it within 7 days becomes Owner, and the Owner an Admin.',
  body: TransferWorkspace,
  data: WorkspaceData,
  errors: ['not_found'],
  ofWorkspace: true,
  membersOnly: true,
  needsFreshProof: true,
  example: { memberId: '018f3c5e-7b2a-7c3d-8e4f-5a6b7c8d9e0f' },
  handler: async (request) => {
    await offerTransfer(toTransferring(request), request.body.memberId);
    return answerSeen(request);
  },
});

const acceptOffer = write({
  method: 'POST',
  path: '/v0/workspace/transfer/accept',
  operationId: 'acceptTransfer',
  tag: 'workspace',
  summary: 'Take over the workspace',
  description: 'The member’s that it is offered to.',
  data: WorkspaceData,
  errors: ['not_found'],
  ofWorkspace: true,
  membersOnly: true,
  handler: async (request) => {
    const { membership } = askingMember(request.actor);
    const { before } = await acceptTransfer(toTransferring(request), membership.id);
    request.audit({ ownerAccountId: before.accountId }, membership.id);
    return answerSeen(request);
  },
});

const withdraw = write({
  method: 'POST',
  path: '/v0/workspace/transfer/withdraw',
  operationId: 'withdrawTransfer',
  tag: 'workspace',
  summary: 'Take the offer of the workspace back',
  data: WorkspaceData,
  errors: ['not_found'],
  ofWorkspace: true,
  membersOnly: true,
  handler: async (request) => {
    await withdrawTransfer(toTransferring(request));
    return answerSeen(request);
  },
});

const close = flow({
  method: 'POST',
  path: '/v0/workspace/close',
  operationId: 'closeWorkspace',
  tag: 'workspace',
  summary: 'Close the workspace',
  description:
    'The Owner’s. Archived it can be reopened for 30 days; it is then purged only if it never took a paid order.',
  body: CloseWorkspace,
  data: WorkspaceData,
  errors: ['subscriptions_running', 'workspace_state'],
  ofWorkspace: true,
  membersOnly: true,
  inAnyState: true,
  needsFreshProof: true,
  example: { name: 'Nebula Games', cancelSubscriptions: false },
  handler: async (request) => {
    const { ctx, scope, body, finish } = request;
    const { role } = askingMember(request.actor);
    const { name, cancelSubscriptions = false } = body;
    await closeWorkspace(ctx, {
      workspaceId: scope.workspaceId,
      role,
      name,
      cancelSubscriptions,
      finish: async (tx) => finish(tx, await answerSeen({ ...request, tx })),
    });
    return answerSeen(toRead(request));
  },
});

/** Reopening and reactivating differ in what they take back. */
function takingBack(verb: 'reopen' | 'reactivate'): Route {
  const isReopen = verb === 'reopen';
  return flow({
    method: 'POST',
    path: `/v0/workspace/${verb}`,
    operationId: `${verb}Workspace`,
    tag: 'workspace',
    summary: isReopen ? 'Reopen a workspace that was closed' : 'Reactivate a workspace that nobody used',
    description: isReopen
      ? 'The Owner’s, for 30 days.'
      : 'The Owner’s, of what the sweep suspended or archived; what an admin did only an admin takes back.',
    data: WorkspaceData,
    errors: ['workspace_state'],
    ofWorkspace: true,
    membersOnly: true,
    inAnyState: true,
    needsFreshProof: isReopen,
    handler: async (request) => {
      const { ctx, scope } = request;
      const { role } = askingMember(request.actor);
      const takeBack = isReopen ? reopenWorkspace : reactivateOwn;
      await takeBack(ctx, { workspaceId: scope.workspaceId, role });
      return answerSeen(toRead(request));
    },
  });
}

function toRead({
  ctx,
  scope,
  actor,
}: Pick<FlowRequest<unknown, unknown, unknown>, 'ctx' | 'scope' | 'actor'>) {
  return { ctx, scope, actor, tx: ctx.db };
}

function toTransferring({ ctx, tx, scope: { workspaceId }, actor }: Asking) {
  const { role, session } = askingMember(actor);
  const { publicUrl } = ctx.config;
  const who = { role, accountId: session.accountId };
  return { tx, ids: ctx.ids, workspaceId, ...who, publicUrl, nowMs: ctx.realNowMs() };
}

async function answerSeen({
  ctx,
  tx,
  scope: { workspaceId },
  actor,
}: Omit<Asking, 'tx'> & { tx: Asking['ctx']['db'] }) {
  const { accountId } = askingMember(actor).session;
  const [row] = await listSeenWorkspaces(tx, { accountId, workspaceId });
  if (!row) throw new Refusal('workspace_not_found');
  return { workspace: toWorkspace(row, ctx.realNowMs()) };
}

export const workspaceRoutes: Route[] = [
  list,
  create,
  update,
  transfer,
  acceptOffer,
  withdraw,
  close,
  takingBack('reopen'),
  takingBack('reactivate'),
];
