/** Members of a workspace as its team sees them, and the offer of ownership to one of them. */
import { type SqlBool, sql, type Updateable } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import { containing, onPage, type Page } from '../../db/list.ts';
import type { MembershipsTable } from '../../db/schema/team.ts';
import type { Row } from '../../db/schema.ts';

/** A membership with who it is. */
export type MemberRow = Row<'memberships'> & {
  email: string;
  accountName: string;
  disabledAt: number | null;
  emailProvedAt: number | null;
  hasSecondFactor: boolean;
  /** Of all that the account does here or elsewhere: noted at most once a minute. */
  lastSeenAt: number | null;
};

function members(db: Db, workspaceId: string) {
  return db
    .selectFrom('memberships')
    .innerJoin('accounts', 'accounts.id', 'memberships.accountId')
    .selectAll('memberships')
    .select([
      'accounts.email',
      'accounts.name as accountName',
      'accounts.disabledAt',
      'accounts.emailProvedAt',
    ])
    .select([
      sql<boolean>`exists (select from account_totp t where t.account_id = accounts.id and t.confirmed_at is not null)
        or exists (select from account_passkeys p where p.account_id = accounts.id)`.as('hasSecondFactor'),
      sql<number | null>`(select max(s.used_at) from account_sessions s where s.account_id = accounts.id)`.as(
        'lastSeenAt',
      ),
    ])
    .where('memberships.workspaceId', '=', workspaceId);
}

/** The newest first. */
export async function listMembers(
  db: Db,
  workspaceId: string,
  { term, page }: { term: string | undefined; page: Page },
): Promise<MemberRow[]> {
  const sort = { by: 'memberships.createdAt', id: 'memberships.id', direction: 'desc' } as const;
  const all = members(db, workspaceId);
  return onPage(term ? all.where(isOf(term)) : all, page, sort).execute();
}

/** With part of the name or the e-mail. */
const isOf = (term: string) =>
  sql<SqlBool>`(accounts.name ilike ${containing(term)} or accounts.email ilike ${containing(term)})`;

export async function countMembers(
  db: Db,
  workspaceId: string,
  { term }: { term?: string | undefined } = {},
): Promise<number> {
  const all = db
    .selectFrom('memberships')
    .innerJoin('accounts', 'accounts.id', 'memberships.accountId')
    .where('memberships.workspaceId', '=', workspaceId);
  const { count } = await (term ? all.where(isOf(term)) : all)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

export async function findMember(
  db: Db,
  { workspaceId, id }: { workspaceId: string; id: string },
): Promise<MemberRow | undefined> {
  return members(db, workspaceId).where('memberships.id', '=', id).executeTakeFirst();
}

export async function findOwner(db: Db, workspaceId: string): Promise<MemberRow | undefined> {
  return members(db, workspaceId).where('memberships.role', '=', 'owner').executeTakeFirst();
}

/** Who is told of something: the Owner, and who wishes to be. */
export async function listNotified(
  db: Db,
  workspaceId: string,
  notification: string,
): Promise<Array<{ emailNormal: string; role: string }>> {
  return db
    .selectFrom('memberships')
    .innerJoin('accounts', 'accounts.id', 'memberships.accountId')
    .select(['accounts.emailNormal', 'memberships.role'])
    .where('memberships.workspaceId', '=', workspaceId)
    .where('accounts.disabledAt', 'is', null)
    .where(sql<SqlBool>`(memberships.role = 'owner' or ${notification} = any(memberships.notifications))`)
    .execute();
}

export async function updateMember(
  tx: Tx,
  {
    workspaceId,
    id,
    ...changes
  }: { workspaceId: string; id: string } & Pick<
    Updateable<MembershipsTable>,
    'role' | 'permissions' | 'notifications'
  >,
): Promise<void> {
  await tx
    .updateTable('memberships')
    .set((eb) => ({ ...changes, version: eb('version', '+', 1) }))
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .execute();
}

export async function deleteMember(
  tx: Tx,
  { workspaceId, id }: { workspaceId: string; id: string },
): Promise<void> {
  await tx.deleteFrom('memberships').where('workspaceId', '=', workspaceId).where('id', '=', id).execute();
}

export async function putTransfer(tx: Tx, transfer: Row<'workspaceTransfers'>): Promise<void> {
  const { workspaceId: _key, ...changes } = transfer;
  await tx
    .insertInto('workspaceTransfers')
    .values(transfer)
    .onConflict((oc) => oc.column('workspaceId').doUpdateSet(changes))
    .execute();
}

export async function findTransfer(
  db: Db,
  workspaceId: string,
): Promise<Row<'workspaceTransfers'> | undefined> {
  return db
    .selectFrom('workspaceTransfers')
    .selectAll()
    .where('workspaceId', '=', workspaceId)
    .executeTakeFirst();
}

/** Answers whether there was one. */
export async function deleteTransfer(tx: Tx, workspaceId: string): Promise<boolean> {
  const gone = await tx
    .deleteFrom('workspaceTransfers')
    .where('workspaceId', '=', workspaceId)
    .returning('memberId')
    .executeTakeFirst();
  return gone !== undefined;
}
