/** The Owner offers the workspace to a member, who takes it within some days. Exactly one Owner at every moment. */
import type { Ids } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import { toEmailNormal } from '../../domain/email.ts';
import { Refusal } from '../../domain/errors.ts';
import type { Role } from '../../domain/roles.ts';
import {
  deleteTransfer,
  findMember,
  findOwner,
  findTransfer,
  type MemberRow,
  putTransfer,
  updateMember,
} from '../../resources/team/members.queries.ts';
import { lockWorkspace } from '../../resources/workspaces/workspaces.queries.ts';
import { queueAccountMail } from '../accounts/queue-account-mail.ts';

export const TRANSFER_DAYS = 7;
const DAY_MS = 86_400_000;

interface Transferring {
  tx: Tx;
  ids: Ids;
  workspaceId: string;
  /** Of the account that asks. */
  role: Role;
  accountId: string;
  /** Where links lead. */
  publicUrl: string;
  /** Real time. */
  nowMs: number;
}

/** Takes the place of an older offer. Throws insufficient_permission, not_found. */
export async function offerTransfer(
  { tx, ids, workspaceId, role, accountId, publicUrl, nowMs }: Transferring,
  memberId: string,
): Promise<{ member: MemberRow; expiresAt: number }> {
  refuseUnlessOwner(role);
  await lockWorkspace(tx, workspaceId);
  const member = await findMember(tx, { workspaceId, id: memberId });
  if (!member || member.role === 'owner')
    throw new Refusal('not_found', { message: 'There is no such member to take it.' });
  const expiresAt = nowMs + TRANSFER_DAYS * DAY_MS;
  await putTransfer(tx, { workspaceId, memberId, offeredBy: accountId, expiresAt, createdAt: nowMs });
  const workspace = await lockWorkspace(tx, workspaceId);
  await queueAccountMail({ ids, nowMs }, tx, {
    kind: 'transfer',
    to: toEmailNormal(member.email),
    params: {
      workspaceName: workspace?.name ?? '',
      url: `${publicUrl}/dashboard/${workspaceId}/live/settings/workspace`,
    },
    lifeMs: TRANSFER_DAYS * DAY_MS,
  });
  return { member, expiresAt };
}

/** Throws insufficient_permission; not_found where nothing is offered. */
export async function withdrawTransfer({ tx, workspaceId, role }: Transferring): Promise<void> {
  refuseUnlessOwner(role);
  await lockWorkspace(tx, workspaceId);
  if (!(await deleteTransfer(tx, workspaceId)))
    throw new Refusal('not_found', { message: 'Nothing is offered.' });
}

/** The member becomes Owner and the Owner an Admin. Throws not_found unless it was offered to this very member. */
export async function acceptTransfer(
  { tx, workspaceId, nowMs }: Transferring,
  memberId: string,
): Promise<{ before: MemberRow; after: MemberRow }> {
  await lockWorkspace(tx, workspaceId);
  const offer = await findTransfer(tx, workspaceId);
  const owner = await findOwner(tx, workspaceId);
  const isOffered = offer && offer.memberId === memberId && offer.expiresAt > nowMs;
  // What a former Owner offered is nothing that the Owner offers.
  if (!isOffered || !owner || owner.accountId !== offer.offeredBy)
    throw new Refusal('not_found', { message: 'The workspace is not offered to you.' });
  await updateMember(tx, { workspaceId, id: owner.id, role: 'admin', permissions: null });
  await updateMember(tx, { workspaceId, id: memberId, role: 'owner', permissions: null });
  await deleteTransfer(tx, workspaceId);
  const after = await findMember(tx, { workspaceId, id: memberId });
  if (!after) throw new Refusal('not_found');
  return { before: owner, after };
}

function refuseUnlessOwner(role: Role): void {
  if (role !== 'owner')
    throw new Refusal('insufficient_permission', { message: 'Only the Owner gives the workspace away.' });
}
