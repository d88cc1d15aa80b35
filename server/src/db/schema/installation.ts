import type { ColumnType } from 'kysely';
import type { HeldReason } from '../../domain/held.ts';
import type { MoveStage } from '../../domain/move-stage.ts';
import type { Defaulted, Json } from './columns.ts';

export interface InstallationTables {
  installationSettings: InstallationSettingsTable;
  installationSecrets: InstallationSecretsTable;
  limitCounters: LimitCountersTable;
  installationState: InstallationStateTable;
  processes: ProcessesTable;
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

/** One row: what the installation was when it last ran, so that a copy is known by what differs. */
export interface InstallationStateTable {
  name: string;
  systemIdentifier: string | null;
  dataDirId: string | null;
  /** Null = none that others reach was set by hand. */
  publicUrl: string | null;
  /** Grows with each restored copy that takes the place of a lost one. */
  epoch: Defaulted<number>;
  isCopy: Defaulted<boolean>;
  /** Real time; null = it is not held. */
  heldSince: number | null;
  heldReason: HeldReason | null;
  /** Of the server's history when it last ran; null = not known, as of an embedded store. */
  timeline: number | null;
  /** Where its files lie, as FILES_URL names it; null = in DATA_DIR. */
  filesUrl: string | null;
  /** Of a move of them that is under way; null = none is. */
  filesMovingTo: string | null;
  /** Where that takes them from; null = DATA_DIR. */
  filesMovingFrom: string | null;
  /** Of the move of the store itself that it is or was part of. */
  moveId: string | null;
  /** Null = no move concerns it. */
  moveStage: MoveStage | null;
  /** Where it goes or went, without a password. */
  moveTo: string | null;
  /** Real ms. */
  moveAt: number | null;
}

/** Processes over this store that live, or lately did. */
export interface ProcessesTable {
  id: string;
  role: string;
  version: string;
  host: string;
  pool: number;
  /** Real ms. */
  startedAt: number;
  seenAt: number;
  /** Counts its seconds. */
  beat: Defaulted<number>;
  /** Null = it lives, or was killed. */
  endedAt: number | null;
  /** Null = it keeps files in its own DATA_DIR. */
  filesUrl: string | null;
}
