import type { SignInMethod } from '../../domain/accounts/session-life.ts';
import type { Defaulted, Json, JsonDefault } from './columns.ts';

export interface AccountTables {
  accounts: AccountsTable;
  accountSessions: AccountSessionsTable;
  accountTokens: AccountTokensTable;
  accountThrottles: AccountThrottlesTable;
  accountMails: AccountMailsTable;
  accountAudit: AccountAuditTable;
  accountTotp: AccountTotpTable;
  accountRecoveryCodes: AccountRecoveryCodesTable;
  accountPasskeys: AccountPasskeysTable;
  accountIdentities: AccountIdentitiesTable;
  deviceRequests: DeviceRequestsTable;
}

export interface AccountsTable {
  id: string;
  email: string;
  emailNormal: string;
  name: Defaulted<string>;
  language: Defaulted<string>;
  /** argon2id; null = it signs in by other means. */
  passwordHash: string | null;
  installationAdmin: Defaulted<boolean>;
  /** Made by a start, and nobody has made it theirs yet. */
  setupOpen: Defaulted<boolean>;
  emailProvedAt: Defaulted<number | null>;
  /** Until its mailbox is proved it acts in this workspace alone. */
  confinedWorkspaceId: Defaulted<string | null>;
  disabledAt: Defaulted<number | null>;
  createdAt: number;
}

export interface AccountSessionsTable {
  id: string;
  accountId: string;
  tokenHash: string;
  method: SignInMethod;
  twoFactor: boolean;
  provedAt: number | null;
  ipAddress: string;
  userAgent: string;
  createdAt: number;
  usedAt: number;
  endsAt: number;
}

/** What is used up once: links, the step between two factors, challenges, states. */
export interface AccountTokensTable {
  id: string;
  kind: string;
  accountId: string | null;
  tokenHash: string;
  params: JsonDefault<Record<string, unknown>>;
  tries: Defaulted<number>;
  endsAt: number;
  createdAt: number;
}

export interface AccountThrottlesTable {
  subject: string;
  failures: number;
  freeAt: number;
  endsAt: number;
}

export interface AccountMailsTable {
  id: string;
  kind: string;
  recipient: string;
  params: Json<Record<string, unknown> | null> | null;
  status: Defaulted<'queued' | 'sent' | 'failed' | 'dropped'>;
  attempts: Defaulted<number>;
  dueAt: number;
  leaseUntil: Defaulted<number>;
  endsAt: number;
  createdAt: number;
}

export interface AccountAuditTable {
  id: string;
  accountId: string | null;
  operation: string;
  details: JsonDefault<Record<string, unknown>>;
  ipAddress: string | null;
  requestId: string | null;
  createdAt: number;
}

export interface AccountTotpTable {
  accountId: string;
  /** Sealed. */
  secret: string;
  confirmedAt: number | null;
  lastStep: Defaulted<number>;
  createdAt: number;
}

export interface AccountRecoveryCodesTable {
  accountId: string;
  codeHash: string;
  usedAt: Defaulted<number | null>;
}

export interface AccountPasskeysTable {
  id: string;
  accountId: string;
  name: string;
  credentialId: string;
  publicKey: string;
  counter: number;
  transports: Defaulted<string[]>;
  createdAt: number;
  lastUsedAt: Defaulted<number | null>;
}

export interface AccountIdentitiesTable {
  issuer: string;
  subject: string;
  accountId: string;
  createdAt: number;
}

/** A machine that asks for a key pair; of no workspace until somebody has allowed it. */
export interface DeviceRequestsTable {
  deviceCodeHash: string;
  userCode: string;
  client: string;
  address: string;
  scopes: Json<string[] | null> | null;
  status: Defaulted<'pending' | 'allowed' | 'denied' | 'used'>;
  accountId: Defaulted<string | null>;
  workspaceId: Defaulted<string | null>;
  testMode: Defaulted<boolean | null>;
  /** Real times. */
  polledRealMs: Defaulted<number | null>;
  intervalS: number;
  endsRealMs: number;
  createdAt: number;
}
