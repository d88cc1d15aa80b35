/** A new workspace of an account: its two stores and its owner, without key pairs. */
import type { Ids } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import { changeSettings, toSettings, toStored } from '../../domain/settings.ts';
import { toPortalSlug } from '../../domain/slug.ts';
import { insertMembership } from '../../resources/accounts/memberships.queries.ts';
import { insertWorkspace } from '../../resources/workspaces/workspaces.queries.ts';

export interface OpenedWorkspace {
  name: string;
  /** The account that owns it. */
  ownerId: string;
  /** Where it sells from and in what; null = not said yet. */
  country?: string | null;
  currency?: string | null;
  nowMs: number;
}

/** Writes within the caller's transaction; answers the workspace's id. */
export async function openWorkspace(tx: Tx, ids: Ids, input: OpenedWorkspace): Promise<string> {
  const { name, ownerId, country = null, currency = null, nowMs } = input;
  const id = ids.next(nowMs);
  await insertWorkspace(tx, {
    id,
    name,
    portalSlug: toPortalSlug(name),
    createdAt: nowMs,
    currency,
    ...(country === null
      ? {}
      : { settings: toStored(changeSettings(toSettings({}), { sellerCountry: country })) }),
  });
  const membership = { workspaceId: id, id: ids.next(nowMs), accountId: ownerId, role: 'owner' as const };
  await insertMembership(tx, { ...membership, createdAt: nowMs });
  return id;
}
