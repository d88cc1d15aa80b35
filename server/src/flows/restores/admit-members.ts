/**
 * Who belongs to a workspace that comes from elsewhere: the account of the same e-mail, if it has proved that e-mail
 * here. Anybody else is invited, since whoever took an address that is not theirs would find a shop behind it.
 */
import type { Ids } from '../../context.ts';
import type { Db, Tx } from '../../db/database.ts';
import { toEmailNormal } from '../../domain/email.ts';
import type { ArchivedMember, ArchivedWorkspace } from '../../domain/exports/archive.ts';
import type { Notification } from '../../domain/notifications.ts';
import type { Permissions, Role } from '../../domain/roles.ts';
import {
  type AccountRow,
  findAccountByEmail,
  findFirstAdmin,
  insertAccount,
} from '../../resources/accounts/accounts.queries.ts';
import { insertMembership } from '../../resources/accounts/memberships.queries.ts';
import { inviteMember, toInvitationUrl } from '../team/invite-member.ts';
import { RestoreError } from './restore-error.ts';

export interface Admitting {
  tx: Tx;
  ids: Ids;
  publicUrl: string;
  nowMs: number;
  /** Who owns it here, instead of the e-mail that did; null = that one. */
  ownerEmail: string | null;
  /** Everybody has an account made: for a store that is thrown away. */
  isThrownAway: boolean;
}

export interface Admitted {
  bound: string[];
  /** With the link that was also mailed. */
  invited: Array<{ email: string; url: string }>;
  /** Owners whose accounts were made, and have no way in yet. */
  made: string[];
}

/** Throws RestoreError, as `admitMembers` would once all rows are in; `db` null = nobody is known here yet. */
export async function refuseOwners(
  db: Db | null,
  { ownerEmail, isThrownAway }: Pick<Admitting, 'ownerEmail' | 'isThrownAway'>,
  workspaces: readonly ArchivedWorkspace[],
): Promise<void> {
  for (const workspace of workspaces)
    for (const member of workspace.members.filter(({ role }) => role === 'owner')) {
      const email = ownerEmail ?? member.email;
      const account = db ? await findAccountByEmail(db, toEmailNormal(email)) : undefined;
      if (db === null && ownerEmail !== null)
        throw new RestoreError(
          `Nobody has an account here yet, so that ${email} cannot own ${workspace.name}: leave --owner out, and ${member.email} is made its owner.`,
        );
      requireOwner(account, { workspace, email, ownerEmail, isThrownAway });
    }
}

/** Throws RestoreError for an Owner who is not to be known here. */
export async function admitMembers(
  admitting: Admitting,
  workspaces: readonly ArchivedWorkspace[],
): Promise<Admitted> {
  const admitted: Admitted = { bound: [], invited: [], made: [] };
  for (const workspace of workspaces) {
    const owners = workspace.members.filter(({ role }) => role === 'owner');
    for (const member of owners) await admitOwner(admitting, { workspace, member, admitted });
    for (const member of workspace.members.filter(({ role }) => role !== 'owner'))
      await admitOther(admitting, { workspace, member, admitted });
  }
  return admitted;
}

interface One {
  workspace: ArchivedWorkspace;
  member: ArchivedMember;
  admitted: Admitted;
}

async function admitOwner(admitting: Admitting, { workspace, member, admitted }: One): Promise<void> {
  const { tx, ownerEmail, isThrownAway } = admitting;
  const email = ownerEmail ?? member.email;
  const account = await findAccountByEmail(tx, toEmailNormal(email));
  requireOwner(account, { workspace, email, ownerEmail, isThrownAway });
  const accountId = account?.id ?? (await makeAccount(admitting, member));
  await bind(tx, { workspace, member, accountId });
  const isIn = account !== undefined && (isProved(account) || isThrownAway);
  (isIn ? admitted.bound : admitted.made).push(email);
}

interface Owning extends Pick<Admitting, 'ownerEmail' | 'isThrownAway'> {
  workspace: ArchivedWorkspace;
  email: string;
}

/** An account that is of that e-mail, or none where one may be made. */
function requireOwner(
  account: AccountRow | undefined,
  { workspace, email, ownerEmail, isThrownAway }: Owning,
): void {
  const isRight = account ? isProved(account) || isThrownAway || isUntouched(account) : ownerEmail === null;
  if (isRight) return;
  throw new RestoreError(
    `${email}, who is to own ${workspace.name}, ${account ? 'has not proved that e-mail here' : 'has no account here'}: name an account that has by --owner EMAIL.`,
  );
}

async function admitOther(admitting: Admitting, { workspace, member, admitted }: One): Promise<void> {
  const { tx, ids, publicUrl, nowMs, isThrownAway } = admitting;
  const account = await findAccountByEmail(tx, toEmailNormal(member.email));
  if (isThrownAway || (account && isProved(account))) {
    const accountId = account?.id ?? (await makeAccount(admitting, member));
    await bind(tx, { workspace, member, accountId });
    admitted.bound.push(member.email);
    return;
  }
  const by = { name: 'operator', inviterName: null, language: 'en', publicUrl };
  // What the file says of a member who is no Owner was written by this service.
  const { email, role, permissions, notifications } = member as ArchivedMember & {
    role: Exclude<Role, 'owner'>;
    permissions: Permissions | null;
    notifications: Notification[];
  };
  const { shownToken } = await inviteMember(
    { tx, ids, workspaceId: workspace.id, ...by, nowMs },
    { email, role, permissions, notifications },
  );
  admitted.invited.push({ email, url: toInvitationUrl(publicUrl, shownToken) });
}

function isProved({ emailProvedAt, disabledAt }: AccountRow): boolean {
  return emailProvedAt !== null && disabledAt === null;
}

/** Nobody has got into it yet, as after a restore that made it: who will has opened a link, and so reads the mailbox. */
function isUntouched(account: AccountRow): boolean {
  const { passwordHash, setupOpen, emailProvedAt, disabledAt, confinedWorkspaceId } = account;
  const isOpen = !setupOpen && disabledAt === null && confinedWorkspaceId === null;
  return isOpen && passwordHash === null && emailProvedAt === null;
}

async function bind(
  tx: Tx,
  {
    workspace,
    member,
    accountId,
  }: { workspace: ArchivedWorkspace; member: ArchivedMember; accountId: string },
): Promise<void> {
  await insertMembership(tx, {
    ...{ workspaceId: workspace.id, id: member.id, accountId, createdAt: member.createdAt },
    // As this service wrote them.
    role: member.role as Role,
    permissions: member.permissions as Permissions | null,
    notifications: member.notifications,
  });
}

/** The first of an installation runs it, too. */
async function makeAccount({ tx, ids, nowMs }: Admitting, { email, name }: ArchivedMember): Promise<string> {
  const id = ids.next(nowMs);
  const installationAdmin = (await findFirstAdmin(tx)) === undefined;
  const emailNormal = toEmailNormal(email);
  await insertAccount(tx, {
    id,
    email,
    emailNormal,
    name,
    passwordHash: null,
    installationAdmin,
    createdAt: nowMs,
  });
  return id;
}
