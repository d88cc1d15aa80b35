/** Which store a portal's address leads to. */
import type { Db, Tx } from '../../db/database.ts';
import { isSeen } from '../workspaces/restoring.sql.ts';

export interface PortalWorkspace {
  workspaceId: string;
  slug: string;
}

/** The workspace that has the address. */
export async function findPortalWorkspace(db: Db, slug: string): Promise<PortalWorkspace | undefined> {
  return db
    .selectFrom('workspaces')
    .select(['id as workspaceId', 'portalSlug as slug'])
    .where('portalSlug', '=', slug)
    .where(isSeen('workspaces'))
    .executeTakeFirst();
}

/** The workspace that had the address lately, with the one that it has now. */
export async function findFormerPortal(
  db: Db,
  { slug, nowMs }: { slug: string; nowMs: number },
): Promise<PortalWorkspace | undefined> {
  return db
    .selectFrom('portalFormerSlugs as f')
    .innerJoin('workspaces as w', 'w.id', 'f.workspaceId')
    .select(['w.id as workspaceId', 'w.portalSlug as slug'])
    .where('f.slug', '=', slug)
    .where('f.endsAt', '>', nowMs)
    .where(isSeen('w'))
    .executeTakeFirst();
}

/** The only workspace of the installation; undefined where there are several. */
export async function findOnlyPortal(db: Db): Promise<PortalWorkspace | undefined> {
  const rows = await db
    .selectFrom('workspaces')
    .select(['id as workspaceId', 'portalSlug as slug'])
    .where(isSeen('workspaces'))
    .limit(2)
    .execute();
  return rows.length === 1 ? rows[0] : undefined;
}

/** Whether anybody has bought in live mode. */
export async function hasLiveUser(db: Db, workspaceId: string): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('workspaceId', '=', workspaceId)
    .where('testMode', '=', false)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Links that were given out with a former address lead on for a while. */
export async function keepFormerSlug(
  tx: Tx,
  former: { workspaceId: string; slug: string; endsAt: number },
): Promise<void> {
  await tx
    .insertInto('portalFormerSlugs')
    .values(former)
    .onConflict((oc) => oc.columns(['workspaceId', 'slug']).doUpdateSet({ endsAt: former.endsAt }))
    .execute();
}

/** The address is the workspace's own again. */
export async function dropFormerSlug(tx: Tx, workspaceId: string, slug: string): Promise<void> {
  await tx
    .deleteFrom('portalFormerSlugs')
    .where('workspaceId', '=', workspaceId)
    .where('slug', '=', slug)
    .execute();
}

/** Whether somebody else's former address still leads to them. */
export async function isFormerSlugTaken(
  db: Db,
  { slug, by, nowMs }: { slug: string; by: string; nowMs: number },
): Promise<boolean> {
  const former = await findFormerPortal(db, { slug, nowMs });
  return former !== undefined && former.workspaceId !== by;
}
