/**
 * Members change by whoever may: nobody gives a role above their own, and the Owner is no member like others: who that
 * is changes by a transfer alone.
 */
import type { Tx } from '../../db/database.ts';
import { toJson } from '../../db/scope.ts';
import { invalidField, Refusal } from '../../domain/errors.ts';
import type { Notification } from '../../domain/notifications.ts';
import { findBeyondCustom, type Permissions, type Role } from '../../domain/roles.ts';
import { revokeInvitationsOf } from '../../resources/team/invitations.queries.ts';
import {
  deleteMember,
  findMember,
  type MemberRow,
  updateMember,
} from '../../resources/team/members.queries.ts';
import { lockWorkspace } from '../../resources/workspaces/workspaces.queries.ts';

export interface Changing {
  tx: Tx;
  workspaceId: string;
  /** The role of whoever asks. */
  role: Role;
  /** Real time. */
  nowMs: number;
}

export interface MemberInput {
  role?: Exclude<Role, 'owner'>;
  permissions?: Permissions | null;
  notifications?: Notification[];
}

/** Throws not_found, last_owner, insufficient_permission, invalid_input. */
export async function changeMember(
  changing: Changing,
  { id, input }: { id: string; input: MemberInput },
): Promise<{ before: MemberRow; after: MemberRow }> {
  const { tx, workspaceId } = changing;
  const before = await getChangeable(changing, id);
  const role = input.role ?? before.role;
  const { notifications } = input;
  const permissions = toPermissions(
    role,
    input.permissions ?? (role === before.role ? before.permissions : null),
  );
  await updateMember(tx, {
    workspaceId,
    id,
    role,
    permissions: permissions === null ? null : toJson(permissions),
    ...(notifications === undefined ? {} : { notifications: [...new Set(notifications)] }),
  });
  const after = await findMember(tx, { workspaceId, id });
  if (!after) throw new Refusal('not_found');
  if (before.role === 'admin' && after.role !== 'admin') await endInvitationsOf(changing, before);
  return { before, after };
}

/** Throws not_found, last_owner, insufficient_permission. */
export async function removeMember(changing: Changing, id: string): Promise<{ before: MemberRow }> {
  const before = await getChangeable(changing, id);
  await deleteMember(changing.tx, { workspaceId: changing.workspaceId, id });
  await endInvitationsOf(changing, before);
  return { before };
}

/** Throws last_owner: a workspace has exactly one. */
export async function leaveWorkspace(changing: Changing, id: string): Promise<{ before: MemberRow }> {
  const { tx, workspaceId } = changing;
  await lockWorkspace(tx, workspaceId);
  const before = await findMember(tx, { workspaceId, id });
  if (!before) throw new Refusal('not_found');
  if (before.role === 'owner') throw new Refusal('last_owner');
  await deleteMember(tx, { workspaceId, id });
  await endInvitationsOf(changing, before);
  return { before };
}

/** Whoever invited has been shown a link that lets somebody in, and may let nobody in any more. */
async function endInvitationsOf(
  { tx, workspaceId, nowMs }: Changing,
  { accountId }: Pick<MemberRow, 'accountId'>,
): Promise<void> {
  await revokeInvitationsOf(tx, { workspaceId, invitedBy: `account:${accountId}`, nowMs });
}

/** Under the workspace's lock, so that of two changes neither passes the other unseen. */
async function getChangeable({ tx, workspaceId, role }: Changing, id: string): Promise<MemberRow> {
  await lockWorkspace(tx, workspaceId);
  const member = await findMember(tx, { workspaceId, id });
  if (!member) throw new Refusal('not_found');
  if (member.role !== 'owner') return member;
  if (role === 'owner') throw new Refusal('last_owner');
  throw new Refusal('insufficient_permission', { message: 'Only the Owner decides over the Owner.' });
}

/** What a Custom member is given; of everybody else their role says it. */
export function toPermissions(role: Role, permissions: Permissions | null | undefined): Permissions | null {
  if (role !== 'custom') {
    if (permissions) throw invalidField('permissions', 'are a Custom member’s alone');
    return null;
  }
  if (!permissions) throw invalidField('permissions', 'are required for a Custom member');
  const beyond = findBeyondCustom(permissions);
  if (beyond !== null) throw invalidField(`permissions.${beyond}`, 'cannot be given to a Custom member');
  return permissions;
}
