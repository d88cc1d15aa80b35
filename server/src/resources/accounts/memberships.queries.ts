/** Which accounts are members of which workspaces, and as what. */
import type { Db, Tx } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import { toJson } from '../../db/scope.ts';
import type { Permissions, Role } from '../../domain/roles.ts';

export interface NewMembership {
  workspaceId: string;
  id: string;
  accountId: string;
  role: Role;
  /** A Custom member's; null of everybody else. */
  permissions?: Permissions | null;
  /** What they are written to about; missing = nothing. */
  notifications?: string[];
  createdAt: number;
}

export async function insertMembership(tx: Tx, { permissions, ...membership }: NewMembership): Promise<void> {
  await tx
    .insertInto('memberships')
    .values({ ...membership, permissions: permissions ? toJson(permissions) : null })
    .execute();
}

export async function findMembership(
  db: Db,
  { workspaceId, accountId }: { workspaceId: string; accountId: string },
): Promise<Row<'memberships'> | undefined> {
  return db
    .selectFrom('memberships')
    .selectAll()
    .where('workspaceId', '=', workspaceId)
    .where('accountId', '=', accountId)
    .executeTakeFirst();
}
