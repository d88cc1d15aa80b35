/** Workspaces as one of their members sees them. */
import { type SqlBool, sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import type { Permissions, Role } from '../../domain/roles.ts';
import { isSeen } from './restoring.sql.ts';

export type SeenWorkspace = Row<'workspaces'> & {
  role: Role;
  permissions: Permissions | null;
  warnedUntil: number | null;
  transferMemberId: string | null;
  transferExpiresAt: number | null;
};

/** All of an account, in the order in which it joined them; or the one that is asked for. */
export async function listSeenWorkspaces(
  db: Db,
  { accountId, workspaceId }: { accountId: string; workspaceId?: string | undefined },
): Promise<SeenWorkspace[]> {
  const query = db
    .selectFrom('memberships as m')
    .innerJoin('workspaces as w', 'w.id', 'm.workspaceId')
    .leftJoin('workspaceSweeps as s', 's.workspaceId', 'w.id')
    .leftJoin('workspaceTransfers as t', 't.workspaceId', 'w.id')
    .selectAll('w')
    .select(['m.permissions', 's.actsAt as warnedUntil'])
    .select(['t.memberId as transferMemberId', 't.expiresAt as transferExpiresAt'])
    .select(sql<Role>`m.role`.as('role'))
    .where('m.accountId', '=', accountId)
    .where(isSeen('w'))
    .orderBy('m.createdAt')
    .orderBy('m.id');
  return (workspaceId === undefined ? query : query.where(sql<SqlBool>`w.id = ${workspaceId}`)).execute();
}

/** How many workspaces an account owns. */
export async function countOwned(db: Db, accountId: string): Promise<number> {
  const { count } = await db
    .selectFrom('memberships')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('accountId', '=', accountId)
    .where('role', '=', 'owner')
    .executeTakeFirstOrThrow();
  return count;
}
