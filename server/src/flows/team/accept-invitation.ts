/**
 * An invitation is opened by whoever holds one of its links, and accepted by an account of that very e-mail. Without
 * one it is made on the spot: by the mailed link with a proved mailbox, by the shown one for this workspace alone.
 */
import type { Tx } from '../../db/database.ts';
import { toJson } from '../../db/scope.ts';
import { inTransaction } from '../../db/transaction.ts';
import { toEmailNormal } from '../../domain/email.ts';
import { invalidField, Refusal } from '../../domain/errors.ts';
import { fromShortId } from '../../domain/link-token.ts';
import { requireWords } from '../../domain/require-words.ts';
import type { StandingSession } from '../../resources/accounts/account-sessions.queries.ts';
import { findAccountByEmail, insertAccount } from '../../resources/accounts/accounts.queries.ts';
import { findMembership, insertMembership } from '../../resources/accounts/memberships.queries.ts';
import { hashToken } from '../../resources/accounts/tokens.ts';
import {
  findInvitationByToken,
  type InvitationRow,
  lockInvitation,
  updateInvitation,
} from '../../resources/team/invitations.queries.ts';
import { updateMember } from '../../resources/team/members.queries.ts';
import { findWorkspace } from '../../resources/workspaces/workspaces.queries.ts';
import { checkNewPassword } from '../accounts/check-new-password.ts';
import { makeDeviceWord } from '../accounts/count-tries.ts';
import { type OpenedSession, openSession } from '../accounts/open-session.ts';
import { hashPassword } from '../accounts/passwords.ts';
import type { AccountContext, Visitor } from '../accounts/visitor.ts';

export interface ShownInvitation {
  invitation: InvitationRow;
  workspaceName: string;
  hasAccount: boolean;
}

/** Writes nothing: scanners open links too. Throws invitation_invalid. */
export async function openInvitation(ctx: AccountContext, token: string): Promise<ShownInvitation> {
  const { invitation } = await getOpen(ctx, token);
  const workspace = await findWorkspace(ctx.db, invitation.workspaceId);
  if (workspace?.state !== 'active') throw new Refusal('invitation_invalid');
  const account = await findAccountByEmail(ctx.db, invitation.emailNormal);
  return { invitation, workspaceName: workspace.name, hasAccount: account !== undefined };
}

export interface Accepting {
  token: string;
  /** Null = nobody is signed in. */
  session: StandingSession | null;
  /** Of a new account. */
  name: string | undefined;
  password: string | undefined;
  visitor: Visitor;
}

export interface Accepted {
  workspaceId: string;
  accountId: string;
  /** Of a new account: it is signed in at once, and its browser known from then on. */
  signedIn: { opened: OpenedSession; deviceWord: string } | null;
}

/**
 * Throws invitation_invalid, invitation_email_mismatch, email_not_proved, member_exists; session_required where there
 * is an account of the e-mail and nobody is signed in; invalid_input, password_too_weak for a new account.
 */
export async function acceptInvitation(ctx: AccountContext, accepting: Accepting): Promise<Accepted> {
  const { session, token } = accepting;
  const found = await getOpen(ctx, token);
  if (session) return join(ctx, accepting, { ...found, session });
  const account = await findAccountByEmail(ctx.db, found.invitation.emailNormal);
  if (account)
    throw new Refusal('session_required', {
      message: 'There is an account of this e-mail: sign in with it first.',
    });
  return joinAsNew(ctx, accepting, found);
}

interface Found {
  invitation: InvitationRow;
  isMailed: boolean;
}

async function join(
  ctx: AccountContext,
  { token }: Accepting,
  { invitation, session }: Found & { session: StandingSession },
): Promise<Accepted> {
  const { workspaceId, emailNormal } = invitation;
  const { accountId, confinedWorkspaceId } = session;
  if (toEmailNormal(session.email) !== emailNormal) throw new Refusal('invitation_email_mismatch');
  if (confinedWorkspaceId !== null && confinedWorkspaceId !== workspaceId)
    throw new Refusal('email_not_proved');
  await inTransaction(ctx.db, async (tx) => {
    await useUp(ctx, tx, { invitation, token });
    if (await findMembership(tx, { workspaceId, accountId })) throw new Refusal('member_exists');
    await addMember(ctx, tx, { invitation, accountId });
  });
  return { workspaceId, accountId, signedIn: null };
}

async function joinAsNew(
  ctx: AccountContext,
  { token, name, password, visitor }: Accepting,
  { invitation, isMailed }: Found,
): Promise<Accepted> {
  const { workspaceId, email, emailNormal } = invitation;
  if (name === undefined) throw invalidField('name', 'is required of a new account');
  requireWords({ name });
  if (password === undefined) throw invalidField('password', 'is required of a new account');
  await checkNewPassword(password, [email, name]);
  const passwordHash = await hashPassword(password);
  const { ids, nowMs } = ctx;
  const accountId = ids.next(nowMs);
  const opened = await inTransaction(ctx.db, async (tx) => {
    await useUp(ctx, tx, { invitation, token });
    // Somebody else made it meanwhile.
    if (await findAccountByEmail(tx, emailNormal)) throw new Refusal('session_required');
    await insertAccount(tx, {
      id: accountId,
      email,
      emailNormal,
      name,
      passwordHash,
      emailProvedAt: isMailed ? nowMs : null,
      confinedWorkspaceId: isMailed ? null : workspaceId,
      createdAt: nowMs,
    });
    await addMember(ctx, tx, { invitation, accountId });
    return openSession(ctx, tx, {
      accountId,
      method: 'password',
      isTwoFactor: false,
      isProof: true,
      visitor,
      before: null,
    });
  });
  return { workspaceId, accountId, signedIn: { opened, deviceWord: await makeDeviceWord(ctx, accountId) } };
}

async function addMember(
  { ids, nowMs }: AccountContext,
  tx: Tx,
  { invitation, accountId }: { invitation: InvitationRow; accountId: string },
): Promise<void> {
  const { workspaceId, role, permissions, notifications } = invitation;
  const id = ids.next(nowMs);
  await insertMembership(tx, { workspaceId, id, accountId, role, permissions, createdAt: nowMs });
  if (notifications.length > 0) {
    const kept = permissions === null ? null : toJson(permissions);
    await updateMember(tx, { workspaceId, id, role, permissions: kept, notifications });
  }
}

/** Under its lock: of two at once one comes too late. */
async function useUp(
  ctx: AccountContext,
  tx: Tx,
  { invitation, token }: { invitation: InvitationRow; token: string },
): Promise<void> {
  const { workspaceId, id } = invitation;
  const locked = await lockInvitation(tx, { workspaceId, id });
  const workspace = await findWorkspace(tx, workspaceId);
  const isSame = locked && isOf(locked, hashToken(token));
  if (!isSame || !isOpen(locked, ctx.nowMs) || workspace?.state !== 'active')
    throw new Refusal('invitation_invalid');
  await updateInvitation(tx, { workspaceId, id, acceptedAt: ctx.nowMs });
}

async function getOpen({ db, nowMs }: AccountContext, token: string): Promise<Found> {
  const workspaceId = fromShortId(token.split('.')[0] ?? '');
  const tokenHash = hashToken(token);
  const invitation = workspaceId ? await findInvitationByToken(db, { workspaceId, tokenHash }) : undefined;
  if (!invitation || !isOpen(invitation, nowMs)) throw new Refusal('invitation_invalid');
  return { invitation, isMailed: invitation.mailedTokenHash === tokenHash };
}

function isOf({ mailedTokenHash, shownTokenHash }: InvitationRow, tokenHash: string): boolean {
  return tokenHash === mailedTokenHash || tokenHash === shownTokenHash;
}

function isOpen({ acceptedAt, revokedAt, expiresAt }: InvitationRow, nowMs: number): boolean {
  return acceptedAt === null && revokedAt === null && expiresAt > nowMs;
}
