/** A new workspace: its two stores, its owner and a key pair for each mode. */
import type { Ids } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import { toPortalSlug } from '../../domain/slug.ts';
import type { KeyPairPlain } from '../../resources/api-keys/key-pairs.ts';
import { insertMember, insertWorkspace } from '../../resources/workspaces/workspaces.queries.ts';
import { issueKeyPair } from './issue-key-pair.ts';

export interface NewWorkspace {
  name: string;
  ownerEmail: string;
  /** argon2id hash of the owner's password. */
  ownerPasswordHash: string;
  nowMs: number;
}

export interface CreatedWorkspace {
  workspaceId: string;
  test: KeyPairPlain;
  live: KeyPairPlain;
}

/** Writes within the caller's transaction; the secrets are returned here and never again. */
export async function createWorkspace(tx: Tx, ids: Ids, input: NewWorkspace): Promise<CreatedWorkspace> {
  const { nowMs } = input;
  const workspaceId = ids.next(nowMs);
  await insertWorkspace(tx, {
    id: workspaceId,
    name: input.name,
    portalSlug: toPortalSlug(input.name),
    createdAt: nowMs,
  });
  await insertMember(tx, {
    workspaceId,
    id: ids.next(nowMs),
    email: input.ownerEmail,
    passwordHash: input.ownerPasswordHash,
    role: 'Owner',
    createdAt: nowMs,
  });
  const terms = { name: 'First key pair', scopes: null, nowMs };
  const open = { ...terms, readRequiresSecret: false };
  const test = await issueKeyPair(tx, { workspaceId, testMode: true }, { ids, terms: open });
  // Whoever saw the public key of an open pair may read the shop's sales and buyers.
  const closed = { ...terms, readRequiresSecret: true };
  const live = await issueKeyPair(tx, { workspaceId, testMode: false }, { ids, terms: closed });
  return { workspaceId, test: toPlain(test), live: toPlain(live) };
}

function toPlain({ publicKey, secretKey }: KeyPairPlain): KeyPairPlain {
  return { publicKey, secretKey };
}
