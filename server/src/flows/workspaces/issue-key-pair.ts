/** A new key pair of a store. The secret is returned here and never again. */
import type { Ids } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import { type Scope, toJson } from '../../db/scope.ts';
import { checkScopes } from '../../domain/key-scopes.ts';
import { insertKeyPair } from '../../resources/api-keys/api-keys.queries.ts';
import { generateKeyPair, hashSecret, type KeyPairPlain } from '../../resources/api-keys/key-pairs.ts';

export interface KeyPairTerms {
  name: string;
  /** `<area>:read` or `<area>:write`; null = everything. */
  scopes: string[] | null;
  readRequiresSecret: boolean;
  /** What prices in its requests are written in; minor units when missing. */
  amounts?: 'minor' | 'major';
  nowMs: number;
}

/** Throws invalid_input for a scope of an area that there is not. */
export async function issueKeyPair(
  tx: Tx,
  scope: Scope,
  { ids, terms }: { ids: Ids; terms: KeyPairTerms },
): Promise<KeyPairPlain & { keyId: string }> {
  checkScopes(terms.scopes);
  const pair = generateKeyPair(scope.testMode);
  const keyId = ids.next(terms.nowMs);
  await insertKeyPair(tx, {
    workspaceId: scope.workspaceId,
    testMode: scope.testMode,
    id: keyId,
    name: terms.name,
    publicKey: pair.publicKey,
    secretHash: hashSecret(pair.secretKey),
    scopes: terms.scopes === null ? null : toJson(terms.scopes),
    readRequiresSecret: terms.readRequiresSecret,
    amounts: terms.amounts ?? 'minor',
    createdAt: terms.nowMs,
  });
  return { ...pair, keyId };
}
