/** Changing a workspace as a whole. */
import type { Tx } from '../../db/database.ts';
import { Refusal } from '../../domain/errors.ts';
import { FORMER_SLUG_MS } from '../../domain/portal/session-life.ts';
import {
  dropFormerSlug,
  isFormerSlugTaken,
  keepFormerSlug,
} from '../../resources/portal/portal-stores.queries.ts';
import {
  isPortalSlugTaken,
  lockWorkspace,
  updateWorkspace,
  type WorkspaceChanges,
} from '../../resources/workspaces/workspaces.queries.ts';

/** Missing fields stay as they are; a former portalSlug leads on for a while. Throws slug_taken. */
export async function changeWorkspace(
  tx: Tx,
  { workspaceId, input, nowMs }: { workspaceId: string; input: WorkspaceChanges; nowMs: number },
): Promise<void> {
  const workspace = await lockWorkspace(tx, workspaceId);
  if (!workspace) throw new Refusal('workspace_not_found');
  const { portalSlug } = input;
  if (portalSlug !== undefined && portalSlug !== workspace.portalSlug) {
    const isTaken =
      (await isPortalSlugTaken(tx, { portalSlug, by: workspaceId })) ||
      (await isFormerSlugTaken(tx, { slug: portalSlug, by: workspaceId, nowMs }));
    if (isTaken) {
      throw new Refusal('slug_taken', {
        message: 'Another workspace has this portalSlug.',
        details: [{ path: 'portalSlug', message: 'is taken' }],
      });
    }
    await keepFormerSlug(tx, { workspaceId, slug: workspace.portalSlug, endsAt: nowMs + FORMER_SLUG_MS });
    await dropFormerSlug(tx, workspaceId, portalSlug);
  }
  if (Object.keys(input).length > 0) await updateWorkspace(tx, workspaceId, input);
}
