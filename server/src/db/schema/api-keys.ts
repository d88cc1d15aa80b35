import type { Defaulted, Json, Scoped } from './columns.ts';

export interface ApiKeyTables {
  apiKeys: ApiKeysTable;
  apiKeyUses: ApiKeyUsesTable;
}

export interface ApiKeysTable extends Scoped {
  id: string;
  name: string;
  publicKey: string;
  secretHash: string;
  scopes: Json<string[] | null> | null;
  readRequiresSecret: Defaulted<boolean>;
  /** What prices in the pair's requests are written in. */
  amounts: Defaulted<'minor' | 'major'>;
  createdAt: number;
  expiresAt: number | null;
  revokedAt: number | null;
  /** Networks in CIDR form that its requests must come from; null = any. */
  ipAllowList: Json<string[]> | null;
  secretLast4: string | null;
  /** When another pair took over: what is left is a grace. */
  rolledAt: number | null;
  /** Who made it, as audit rows name them. */
  createdBy: string | null;
}

export interface ApiKeyUsesTable {
  workspaceId: string;
  keyId: string;
  lastUsedAt: number;
  address: string | null;
}
