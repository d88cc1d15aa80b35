/** Invitations: made by Owner and Admins, opened and accepted by whoever holds one of their links. */
import { acceptInvitation, openInvitation } from '../flows/team/accept-invitation.ts';
import {
  type Invited,
  type Inviting,
  inviteMember,
  resendInvitation,
  revokeInvitation,
  toInvitationUrl,
} from '../flows/team/invite-member.ts';
import { requireFreshProof } from '../http/fresh-proof.ts';
import { type Route, read, type WriteRequest, wayIn, write } from '../http/route.ts';
import { cutPage, toPage } from '../resources/paging.ts';
import { listInvitations } from '../resources/team/invitations.queries.ts';
import {
  AcceptedData,
  AcceptInvitation,
  CreateInvitation,
  InvitationData,
  InvitationParams,
  InvitationsData,
  ListInvitations,
  NewInvitationData,
  OnlyId,
  OpenedInvitationData,
  OpenInvitation,
  toInvitation,
} from '../resources/team/team.schema.ts';
import { contextOf } from './account-answers.ts';
import { askingMember } from './asking-member.ts';

type Writing = Pick<WriteRequest<unknown, unknown, unknown>, 'ctx' | 'tx' | 'scope' | 'actor'>;

const list = read({
  method: 'GET',
  path: '/v0/invitations/list',
  operationId: 'listInvitations',
  tag: 'invitations',
  summary: 'List invitations, newest first',
  description:
    'Those that are open, unless the others are asked for. A key pair needs the scope `members:read`.',
  query: ListInvitations,
  data: InvitationsData,
  needsSecret: true,
  ofWorkspace: true,
  handler: async ({ ctx, db, scope: { workspaceId }, query }) => {
    const page = toPage(query);
    const rows = await listInvitations(db, workspaceId, { page, isOpen: !query.withClosed });
    const cut = cutPage(rows, page, (row) => ({ value: row.createdAt, id: row.id }));
    const nowMs = ctx.realNowMs();
    return { invitations: cut.rows.map((row) => toInvitation(row, nowMs)), count: null, ...cut.page };
  },
});

const create = write({
  method: 'POST',
  path: '/v0/invitations/create',
  operationId: 'createInvitation',
  tag: 'invitations',
  summary: 'Invite somebody into the workspace',
  description:
    'Good for 7 days and once. One link is mailed, another is answered: an account made by that one acts in this workspace alone until its mailbox is proved. An open invitation to the same e-mail is over with it.',
  body: CreateInvitation,
  data: NewInvitationData,
  errors: ['member_exists', 'team_limit_reached'],
  answersSecret: true,
  ofWorkspace: true,
  membersOnly: true,
  needsFreshProof: ({ body }) => (body as { role?: string }).role === 'admin',
  example: { email: 'ada@example.com', role: 'support' },
  handler: async (request) => answerNew(request, await inviteMember(toInviting(request), request.body)),
});

const resend = write({
  method: 'POST',
  path: '/v0/invitations/:invitationId/resend',
  operationId: 'resendInvitation',
  tag: 'invitations',
  summary: 'Send an invitation again',
  description:
    'With new links for another 7 days; those before are dead. That of an Admin needs a fresh proof of who asks.',
  params: InvitationParams,
  body: OnlyId,
  data: NewInvitationData,
  errors: ['invitation_invalid', 'reauthentication_required'],
  answersSecret: true,
  ofWorkspace: true,
  membersOnly: true,
  handler: async (request) => {
    const { ctx, actor, params, body } = request;
    const invited = await resendInvitation(toInviting(request), params.invitationId);
    const { session } = askingMember(actor);
    const needs = invited.invitation.role === 'admin';
    requireFreshProof(session, { needs, request: { testMode: false, params, body }, nowMs: ctx.realNowMs() });
    return answerNew(request, invited);
  },
});

const revoke = write({
  method: 'DELETE',
  path: '/v0/invitations/:invitationId/revoke',
  operationId: 'revokeInvitation',
  tag: 'invitations',
  summary: 'Revoke an invitation',
  params: InvitationParams,
  data: InvitationData,
  errors: ['invitation_invalid'],
  ofWorkspace: true,
  membersOnly: true,
  handler: async ({ ctx, tx, scope: { workspaceId }, actor, params }) => {
    askingMember(actor);
    const nowMs = ctx.realNowMs();
    const row = await revokeInvitation({ tx, workspaceId, nowMs }, params.invitationId);
    return { invitation: toInvitation(row, nowMs) };
  },
});

const open = wayIn({
  method: 'POST',
  path: '/v0/invitations/open',
  operationId: 'openInvitation',
  tag: 'invitations',
  summary: 'Look at an invitation by one of its links',
  description: 'Uses nothing up.',
  body: OpenInvitation,
  data: OpenedInvitationData,
  errors: ['invitation_invalid'],
  example: { token: '0123456789abcdefghijkl.token' },
  handler: async (request) => {
    const { invitation, workspaceName, hasAccount } = await openInvitation(
      contextOf(request),
      request.body.token,
    );
    const { email, role, workspaceId, expiresAt } = invitation;
    const opened = { email, role, workspaceId, workspaceName, hasAccount, expiresAt };
    return { invitation: { object: 'opened_invitation' as const, ...opened } };
  },
});

const accept = wayIn({
  method: 'POST',
  path: '/v0/invitations/accept',
  operationId: 'acceptInvitation',
  tag: 'invitations',
  summary: 'Accept an invitation',
  description:
    'As the account of its very e-mail, or with name and password of a new one, which is signed in at once.',
  body: AcceptInvitation,
  data: AcceptedData,
  errors: [
    'invitation_invalid',
    'invitation_email_mismatch',
    'email_not_proved',
    'member_exists',
    'session_required',
    'password_too_weak',
  ],
  answersSecret: true,
  example: {
    token: '0123456789abcdefghijkl.token',
    name: 'Ada',
    password: 'a long sentence that only you know',
  },
  handler: async (request) => {
    const { body, session, client, forget } = request;
    const { token, name, password } = body;
    const accepting = { token, session, name, password, visitor: client };
    const { workspaceId, accountId, signedIn } = await acceptInvitation(contextOf(request), accepting);
    if (signedIn) {
      client.setCookie('session', signedIn.opened.token);
      client.setCookie('device', signedIn.deviceWord);
    }
    forget(accountId);
    return { workspaceId, isSignedIn: signedIn !== null || session !== null };
  },
});

function toInviting({ ctx, tx, scope: { workspaceId }, actor }: Writing): Inviting {
  const { session } = askingMember(actor);
  const inviterName = session.name === '' ? null : session.name;
  const { ids, config } = ctx;
  const { language } = session;
  const who = { name: actor.name, inviterName, language, publicUrl: config.publicUrl };
  return { tx, ids, workspaceId, ...who, nowMs: ctx.realNowMs() };
}

function answerNew({ ctx }: Pick<Writing, 'ctx'>, { invitation, shownToken }: Invited) {
  return {
    invitation: toInvitation(invitation, ctx.realNowMs()),
    url: toInvitationUrl(ctx.config.publicUrl, shownToken),
  };
}

export const invitationRoutes: Route[] = [list, create, resend, revoke, open, accept];
