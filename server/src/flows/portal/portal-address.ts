/** Where the pages of a store's portal are. */
import type { Context } from '../../context.ts';
import type { Scope } from '../../db/scope.ts';
import { toPortalPath } from '../../domain/portal/portal-path.ts';
import { getStore } from '../../resources/workspaces/workspaces.queries.ts';

/** The address of a page of it; '' is the overview. */
export async function findPortalUrl(
  ctx: Pick<Context, 'db' | 'config'>,
  scope: Scope,
  path = '',
): Promise<string> {
  const { portalSlug: slug } = await getStore(ctx.db, scope);
  return `${ctx.config.publicUrl}${toPortalPath({ slug, testMode: scope.testMode })}${path}`;
}
