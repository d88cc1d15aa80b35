/** A new workspace with an owner of its own and a key pair for each mode, as a store's first one is made. */
import type { Ids } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import { toEmailNormal } from '../../domain/email.ts';
import { insertAccount } from '../../resources/accounts/accounts.queries.ts';
import type { KeyPairPlain } from '../../resources/api-keys/key-pairs.ts';
import { issueKeyPair } from './issue-key-pair.ts';
import { openWorkspace } from './open-workspace.ts';

export interface NewWorkspace {
  name: string;
  ownerEmail: string;
  /** argon2id hash of the owner's password. */
  ownerPasswordHash: string;
  /** Whether the owner runs the installation, too. */
  installationAdmin?: boolean;
  /** Whether a link makes the account its owner's. */
  setupOpen?: boolean;
  /** Where it sells from. */
  country?: string | null;
  nowMs: number;
}

export interface CreatedWorkspace {
  workspaceId: string;
  ownerId: string;
  test: KeyPairPlain;
  live: KeyPairPlain;
}

/** Writes within the caller's transaction; the secrets are returned here and never again. */
export async function createWorkspace(tx: Tx, ids: Ids, input: NewWorkspace): Promise<CreatedWorkspace> {
  const { nowMs } = input;
  const ownerId = ids.next(nowMs);
  await insertAccount(tx, {
    id: ownerId,
    email: input.ownerEmail,
    emailNormal: toEmailNormal(input.ownerEmail),
    passwordHash: input.ownerPasswordHash,
    installationAdmin: input.installationAdmin ?? false,
    setupOpen: input.setupOpen ?? false,
    createdAt: nowMs,
  });
  const workspaceId = await openWorkspace(tx, ids, {
    ...{ name: input.name, country: input.country ?? null },
    ...{ ownerId, nowMs },
  });
  const terms = { name: 'First key pair', scopes: null, nowMs };
  const open = { ...terms, readRequiresSecret: false };
  const test = await issueKeyPair(tx, { workspaceId, testMode: true }, { ids, terms: open });
  // Whoever saw the public key of an open pair may read the shop's sales and buyers.
  const closed = { ...terms, readRequiresSecret: true };
  const live = await issueKeyPair(tx, { workspaceId, testMode: false }, { ids, terms: closed });
  return { workspaceId, ownerId, test: toPlain(test), live: toPlain(live) };
}

function toPlain({ publicKey, secretKey }: KeyPairPlain): KeyPairPlain {
  return { publicKey, secretKey };
}
