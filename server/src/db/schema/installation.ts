import type { ColumnType } from 'kysely';
import type { Json } from './columns.ts';

export interface InstallationTables {
  installationSettings: InstallationSettingsTable;
  installationSecrets: InstallationSecretsTable;
  limitCounters: LimitCountersTable;
}

export interface InstallationSettingsTable {
  name: string;
  body: Json<unknown>;
}

/** Secrets of the installation itself; the one table without a workspace beside `workspaces`. */
export interface InstallationSecretsTable {
  name: string;
  /** Hex. */
  secret: string;
}

/** Counters of limits, shared by all stores: whose each is shows in its hash alone. */
export interface LimitCountersTable {
  kind: string;
  subject: string;
  /** Real ms, oldest first; the driver reads an array of bigint as texts. */
  countedAt: ColumnType<string[], number[], number[]>;
  endsAt: number;
}
