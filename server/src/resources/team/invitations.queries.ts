/** Invitations into a workspace, open until they are accepted, revoked or over. */
import type { Insertable } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import { onPage, type Page } from '../../db/list.ts';
import type { InvitationsTable } from '../../db/schema/team.ts';
import type { Row } from '../../db/schema.ts';

export type InvitationRow = Row<'invitations'>;

export async function insertInvitation(
  tx: Tx,
  invitation: Insertable<InvitationsTable>,
): Promise<InvitationRow> {
  return tx.insertInto('invitations').values(invitation).returningAll().executeTakeFirstOrThrow();
}

export async function listInvitations(
  db: Db,
  workspaceId: string,
  { page, isOpen }: { page: Page; isOpen: boolean },
): Promise<InvitationRow[]> {
  const all = db.selectFrom('invitations').selectAll().where('workspaceId', '=', workspaceId);
  const asked = isOpen ? all.where('acceptedAt', 'is', null).where('revokedAt', 'is', null) : all;
  return onPage(asked, page).execute();
}

/** How many are open: what bounds them. `nowMs` is real time. */
export async function countOpenInvitations(db: Db, workspaceId: string, nowMs: number): Promise<number> {
  const { count } = await db
    .selectFrom('invitations')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('workspaceId', '=', workspaceId)
    .where('acceptedAt', 'is', null)
    .where('revokedAt', 'is', null)
    .where('expiresAt', '>', nowMs)
    .executeTakeFirstOrThrow();
  return count;
}

export async function lockInvitation(
  tx: Tx,
  { workspaceId, id }: { workspaceId: string; id: string },
): Promise<InvitationRow | undefined> {
  return tx
    .selectFrom('invitations')
    .selectAll()
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
}

/** The open one to an e-mail in its normal form. */
export async function lockOpenInvitation(
  tx: Tx,
  { workspaceId, emailNormal }: { workspaceId: string; emailNormal: string },
): Promise<InvitationRow | undefined> {
  return tx
    .selectFrom('invitations')
    .selectAll()
    .where('workspaceId', '=', workspaceId)
    .where('emailNormal', '=', emailNormal)
    .where('acceptedAt', 'is', null)
    .where('revokedAt', 'is', null)
    .forUpdate()
    .executeTakeFirst();
}

export async function updateInvitation(
  tx: Tx,
  {
    workspaceId,
    id,
    ...changes
  }: { workspaceId: string; id: string } & Partial<
    Pick<
      InvitationRow,
      'invitedBy' | 'mailedTokenHash' | 'shownTokenHash' | 'expiresAt' | 'acceptedAt' | 'revokedAt'
    >
  >,
): Promise<InvitationRow> {
  return tx
    .updateTable('invitations')
    .set(changes)
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** All that are open and whose links this one was shown. */
export async function revokeInvitationsOf(
  tx: Tx,
  { workspaceId, invitedBy, nowMs }: { workspaceId: string; invitedBy: string; nowMs: number },
): Promise<void> {
  await tx
    .updateTable('invitations')
    .set({ revokedAt: nowMs })
    .where('workspaceId', '=', workspaceId)
    .where('invitedBy', '=', invitedBy)
    .where('acceptedAt', 'is', null)
    .where('revokedAt', 'is', null)
    .execute();
}

/** The same in every workspace: of an account that is let in nowhere any more. */
export async function revokeInvitationsEverywhere(
  tx: Tx,
  { invitedBy, nowMs }: { invitedBy: string; nowMs: number },
): Promise<void> {
  await tx
    .updateTable('invitations')
    .set({ revokedAt: nowMs })
    .where('invitedBy', '=', invitedBy)
    .where('acceptedAt', 'is', null)
    .where('revokedAt', 'is', null)
    .execute();
}

/** By the hash of either of its tokens. */
export async function findInvitationByToken(
  db: Db,
  { workspaceId, tokenHash }: { workspaceId: string; tokenHash: string },
): Promise<InvitationRow | undefined> {
  return db
    .selectFrom('invitations')
    .selectAll()
    .where('workspaceId', '=', workspaceId)
    .where((eb) => eb.or([eb('mailedTokenHash', '=', tokenHash), eb('shownTokenHash', '=', tokenHash)]))
    .executeTakeFirst();
}

/** Whether anybody has invited an e-mail in its normal form, wherever. `nowMs` is real time. */
export async function isInvited(
  db: Db,
  { emailNormal, nowMs }: { emailNormal: string; nowMs: number },
): Promise<boolean> {
  const open = await db
    .selectFrom('invitations')
    .select('id')
    .where('emailNormal', '=', emailNormal)
    .where('acceptedAt', 'is', null)
    .where('revokedAt', 'is', null)
    .where('expiresAt', '>', nowMs)
    .limit(1)
    .executeTakeFirst();
  return open !== undefined;
}
