/**
 * Invitations: one link goes to the mailbox, another is shown once to whoever invites. Both open the same invitation,
 * and only the mailed one shows that its holder reads the mailbox.
 */
import type { Ids } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import { toJson } from '../../db/scope.ts';
import { parseEmail } from '../../domain/email.ts';
import { invalidField, Refusal } from '../../domain/errors.ts';
import { TOKEN_BYTES, toLinkToken } from '../../domain/link-token.ts';
import type { Notification } from '../../domain/notifications.ts';
import type { Permissions, Role } from '../../domain/roles.ts';
import { findAccountByEmail } from '../../resources/accounts/accounts.queries.ts';
import { findMembership } from '../../resources/accounts/memberships.queries.ts';
import { hashToken } from '../../resources/accounts/tokens.ts';
import {
  countOpenInvitations,
  type InvitationRow,
  insertInvitation,
  lockInvitation,
  lockOpenInvitation,
  updateInvitation,
} from '../../resources/team/invitations.queries.ts';
import { countMembers } from '../../resources/team/members.queries.ts';
import { lockWorkspace } from '../../resources/workspaces/workspaces.queries.ts';
import { queueAccountMail } from '../accounts/queue-account-mail.ts';
import { toPermissions } from './change-members.ts';

export const INVITATION_DAYS = 7;
const DAY_MS = 86_400_000;
const TEAM_MAX = 200;

export interface Inviting {
  tx: Tx;
  ids: Ids;
  workspaceId: string;
  /** As audit rows name who asks. */
  name: string;
  /** What the mail calls them; null = it names nobody. */
  inviterName: string | null;
  /** In which it is written to somebody who has no account. */
  language: string;
  /** Where links lead. */
  publicUrl: string;
  /** Real time. */
  nowMs: number;
}

/** The page of an invitation; what opens stands behind the `#`, where no log has it. */
export function toInvitationUrl(publicUrl: string, token: string): string {
  return `${publicUrl}/dashboard/invitation#${token}`;
}

export interface InvitationInput {
  email: string;
  role: Exclude<Role, 'owner'>;
  permissions?: Permissions | null;
  notifications?: Notification[];
}

export interface Invited {
  invitation: InvitationRow;
  /** Kept nowhere: shown once. */
  shownToken: string;
}

/** One that is open for the same e-mail is over with it. Throws member_exists, team_limit_reached, invalid_input. */
export async function inviteMember(inviting: Inviting, input: InvitationInput): Promise<Invited> {
  const { tx, ids, workspaceId, nowMs } = inviting;
  const permissions = toPermissions(input.role, input.permissions);
  const email = parseEmail(input.email);
  if (!email) throw invalidField('email', 'is not an e-mail address');
  const emailNormal = email.normal;
  await lockWorkspace(tx, workspaceId);
  const account = await findAccountByEmail(tx, emailNormal);
  if (account && (await findMembership(tx, { workspaceId, accountId: account.id })))
    throw new Refusal('member_exists');
  const older = await lockOpenInvitation(tx, { workspaceId, emailNormal });
  if (older) await updateInvitation(tx, { workspaceId, id: older.id, revokedAt: nowMs });
  const [members, open] = [
    await countMembers(tx, workspaceId),
    await countOpenInvitations(tx, workspaceId, nowMs),
  ];
  if (members >= TEAM_MAX || open >= TEAM_MAX) throw new Refusal('team_limit_reached');
  const tokens = makeTokens(inviting);
  const invitation = await insertInvitation(tx, {
    workspaceId,
    id: ids.next(nowMs),
    email: email.address,
    emailNormal,
    role: input.role,
    permissions: permissions === null ? null : toJson(permissions),
    notifications: [...new Set(input.notifications ?? [])],
    invitedBy: inviting.name,
    ...tokens.hashes,
    expiresAt: nowMs + INVITATION_DAYS * DAY_MS,
    createdAt: nowMs,
  });
  await sendLink(inviting, { invitation, token: tokens.mailed });
  return { invitation, shownToken: tokens.shown };
}

/** New links for another 7 days, of whoever asks for them; those before are dead. Throws not_found, invitation_invalid. */
export async function resendInvitation(inviting: Inviting, id: string): Promise<Invited> {
  const { tx, workspaceId, nowMs, name: invitedBy } = inviting;
  const before = await lockInvitation(tx, { workspaceId, id });
  if (!before) throw new Refusal('not_found');
  if (before.acceptedAt !== null || before.revokedAt !== null) throw new Refusal('invitation_invalid');
  const tokens = makeTokens(inviting);
  const expiresAt = nowMs + INVITATION_DAYS * DAY_MS;
  const invitation = await updateInvitation(tx, { workspaceId, id, invitedBy, ...tokens.hashes, expiresAt });
  await sendLink(inviting, { invitation, token: tokens.mailed });
  return { invitation, shownToken: tokens.shown };
}

/** One that is revoked stays as it is. Throws not_found; invitation_invalid of one that was accepted. */
export async function revokeInvitation(
  { tx, workspaceId, nowMs }: Pick<Inviting, 'tx' | 'workspaceId' | 'nowMs'>,
  id: string,
): Promise<InvitationRow> {
  const before = await lockInvitation(tx, { workspaceId, id });
  if (!before) throw new Refusal('not_found');
  if (before.acceptedAt !== null) throw new Refusal('invitation_invalid');
  if (before.revokedAt !== null) return before;
  return updateInvitation(tx, { workspaceId, id, revokedAt: nowMs });
}

function makeTokens({ ids, workspaceId }: Inviting) {
  const [mailed, shown] = [0, 1].map(() => toLinkToken(workspaceId, ids.randomBytes(TOKEN_BYTES))) as [
    string,
    string,
  ];
  return { mailed, shown, hashes: { mailedTokenHash: hashToken(mailed), shownTokenHash: hashToken(shown) } };
}

async function sendLink(
  { tx, ids, workspaceId, inviterName, language, publicUrl, nowMs }: Inviting,
  { invitation, token }: { invitation: InvitationRow; token: string },
): Promise<void> {
  const workspace = await lockWorkspace(tx, workspaceId);
  await queueAccountMail({ ids, nowMs }, tx, {
    kind: 'invitation',
    to: invitation.emailNormal,
    params: {
      workspaceName: workspace?.name ?? '',
      inviterName,
      language,
      url: toInvitationUrl(publicUrl, token),
    },
    lifeMs: INVITATION_DAYS * DAY_MS,
  });
}
