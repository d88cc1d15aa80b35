/** The people of a workspace. */
import { changeMember, leaveWorkspace, removeMember } from '../flows/team/change-members.ts';
import { requireFreshProof } from '../http/fresh-proof.ts';
import { type Route, read, write } from '../http/route.ts';
import { cutPage, toPage } from '../resources/paging.ts';
import { countMembers, listMembers } from '../resources/team/members.queries.ts';
import {
  ListMembers,
  MemberData,
  MemberParams,
  MembersData,
  toMember,
  UpdateMember,
} from '../resources/team/team.schema.ts';
import { askingMember } from './asking-member.ts';

const list = read({
  method: 'GET',
  path: '/v0/members/list',
  operationId: 'listMembers',
  tag: 'members',
  summary: 'List the members of the workspace, newest first',
  description: 'A key pair needs the scope `members:read`.',
  query: ListMembers,
  data: MembersData,
  needsSecret: true,
  ofWorkspace: true,
  handler: async ({ db, scope: { workspaceId }, query }) => {
    const page = toPage(query);
    const { term } = query;
    const rows = await listMembers(db, workspaceId, { term, page });
    const cut = cutPage(rows, page, (row) => ({ value: row.createdAt, id: row.id }));
    const count = await countMembers(db, workspaceId, { term });
    return { members: cut.rows.map(toMember), count, ...cut.page };
  },
});

const update = write({
  method: 'PATCH',
  path: '/v0/members/:memberId/update',
  operationId: 'updateMember',
  tag: 'members',
  summary: 'Change what a member may do and is told of',
  description:
    'A role to or from Admin needs a fresh proof of who asks. Who the Owner is changes by a transfer alone. It holds within 5 seconds. What an Admin has invited and nobody accepted is revoked when they are one no more.',
  params: MemberParams,
  body: UpdateMember,
  isEdit: true,
  data: MemberData,
  errors: ['last_owner', 'reauthentication_required'],
  ofWorkspace: true,
  membersOnly: true,
  example: { role: 'manager', notifications: ['disputes'] },
  handler: async ({ ctx, tx, scope: { workspaceId }, actor, params, body, audit }) => {
    const { role, session } = askingMember(actor);
    const { id: _repeated, ...input } = body;
    const changing = { tx, workspaceId, role, nowMs: ctx.realNowMs() };
    const { before, after } = await changeMember(changing, { id: params.memberId, input });
    const isOfAdmins = before.role !== after.role && [before.role, after.role].includes('admin');
    const request = { testMode: false, params, body };
    requireFreshProof(session, { needs: isOfAdmins, request, nowMs: ctx.realNowMs() });
    audit(toMember(before));
    return { member: toMember(after) };
  },
});

const remove = write({
  method: 'DELETE',
  path: '/v0/members/:memberId/remove',
  operationId: 'removeMember',
  tag: 'members',
  summary: 'Take a member out of the workspace',
  description:
    'Their sessions see nothing of it within 5 seconds, and what they have invited and nobody accepted is revoked.',
  params: MemberParams,
  data: MemberData,
  errors: ['last_owner'],
  ofWorkspace: true,
  membersOnly: true,
  needsFreshProof: true,
  handler: async ({ ctx, tx, scope: { workspaceId }, actor, params, audit }) => {
    const { role } = askingMember(actor);
    const changing = { tx, workspaceId, role, nowMs: ctx.realNowMs() };
    const { before } = await removeMember(changing, params.memberId);
    audit(toMember(before), params.memberId);
    return { member: toMember(before) };
  },
});

const leave = write({
  method: 'POST',
  path: '/v0/members/leave',
  operationId: 'leaveWorkspace',
  tag: 'members',
  summary: 'Leave the workspace',
  description: 'Everybody may but the Owner, who transfers it first.',
  data: MemberData,
  errors: ['last_owner', 'not_found'],
  ofWorkspace: true,
  membersOnly: true,
  inAnyState: true,
  handler: async ({ ctx, tx, scope: { workspaceId }, actor, audit }) => {
    const { role, membership } = askingMember(actor);
    const changing = { tx, workspaceId, role, nowMs: ctx.realNowMs() };
    const { before } = await leaveWorkspace(changing, membership.id);
    audit(toMember(before), membership.id);
    return { member: toMember(before) };
  },
});

export const memberRoutes: Route[] = [list, update, remove, leave];
