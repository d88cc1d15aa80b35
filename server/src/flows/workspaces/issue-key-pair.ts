/** A new key pair of a store. The secret is returned here and never again. */
import type { Ids } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import { type Scope, toJson } from '../../db/scope.ts';
import { toScopes } from '../../domain/key-scopes.ts';
import { insertKeyPair } from '../../resources/api-keys/api-keys.queries.ts';
import { generateKeyPair, hashSecret, type KeyPairPlain } from '../../resources/api-keys/key-pairs.ts';

export interface KeyPairTerms {
  name: string;
  /** `<area>:read` or `<area>:write`; null = everything that needs no naming. */
  scopes: string[] | null;
  readRequiresSecret: boolean;
  /** What prices in its requests are written in; minor units when missing. */
  amounts?: 'minor' | 'major';
  /** Networks in their one spelling; null or missing = any. */
  ipAllowList?: string[] | null;
  /** Real time. */
  expiresAt?: number | null;
  /** As audit rows name who makes it. */
  createdBy?: string | null;
  nowMs: number;
}

/** Throws invalid_input for a scope of an area that there is not. */
export async function issueKeyPair(
  tx: Tx,
  scope: Scope,
  { ids, terms }: { ids: Ids; terms: KeyPairTerms },
): Promise<KeyPairPlain & { keyId: string }> {
  const scopes = toScopes(terms.scopes);
  const pair = generateKeyPair(scope.testMode);
  const keyId = ids.next(terms.nowMs);
  const { ipAllowList = null } = terms;
  await insertKeyPair(tx, {
    workspaceId: scope.workspaceId,
    testMode: scope.testMode,
    id: keyId,
    name: terms.name,
    publicKey: pair.publicKey,
    secretHash: hashSecret(pair.secretKey),
    secretLast4: pair.secretKey.slice(-4),
    scopes: scopes === null ? null : toJson(scopes),
    ipAllowList: ipAllowList === null ? null : toJson(ipAllowList),
    readRequiresSecret: terms.readRequiresSecret,
    amounts: terms.amounts ?? 'minor',
    expiresAt: terms.expiresAt ?? null,
    createdBy: terms.createdBy ?? null,
    createdAt: terms.nowMs,
  });
  return { ...pair, keyId };
}
