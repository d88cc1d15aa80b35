import type { ColumnType } from 'kysely';
import type { HeldReason } from '../../domain/held.ts';
import type { WorkspaceState } from '../../domain/states/workspace.ts';
import type { StateBy, SweepStep } from '../../domain/workspaces/sweep.ts';
import type { Defaulted, JsonDefault, Scoped } from './columns.ts';

export interface WorkspaceTables {
  workspaces: WorkspacesTable;
  workspaceActivity: WorkspaceActivityTable;
  workspaceSweeps: WorkspaceSweepsTable;
  stores: StoresTable;
  upkeep: UpkeepTable;
}

export interface WorkspacesTable {
  id: string;
  name: string;
  /** None but a restore reads one whose rows are still coming in. */
  state: ColumnType<Exclude<WorkspaceState, 'restoring'>, WorkspaceState | undefined, WorkspaceState>;
  /** Where its portal is found, in both modes. */
  portalSlug: Defaulted<string>;
  /** Real time; null while it is not archived. */
  archivedAt: number | null;
  /** Members without a second factor are refused until they have one. */
  requireSecondFactor: Defaulted<boolean>;
  /** Who suspended or archived it, and when; null while it is active. */
  stateBy: StateBy | null;
  stateSince: number | null;
  /** An admin archived it once: the sweep never touches it. */
  keptByAdmin: Defaulted<boolean>;
  createdAt: number;
}

export interface WorkspaceActivityTable {
  workspaceId: string;
  activeAt: number;
}

export interface WorkspaceSweepsTable {
  workspaceId: string;
  step: SweepStep;
  noticedAt: number | null;
  firstAt: number | null;
  secondAt: number | null;
  mailId: string | null;
  actsAt: number;
}

export interface StoresTable extends Scoped {
  currency: string | null;
  settings: JsonDefault<Record<string, unknown>>;
  clockOffsetMs: Defaulted<number>;
  clockAdvancingTo: number | null;
  /** Real time until which an advance of the test clock holds the store. */
  clockLeaseUntilMs: Defaulted<number | null>;
  /** Grows with each hold of the clock. */
  clockFence: Defaulted<number>;
  settingsVersion: Defaulted<number>;
  /** Told to processors: new in a copy and after a reset, so that each knows its own money. */
  installId: Defaulted<string>;
  /** Signs the address that a buyer is sent on to. */
  redirectSecret: Defaulted<string>;
  /** Real time; null = never. */
  emptiedRealMs: Defaulted<number | null>;
  /** Real time since which nothing goes out of this live store alone; null = it is not held. */
  heldSince: Defaulted<number | null>;
  heldReason: Defaulted<HeldReason | null>;
}

/** What is done for the store as a whole, by one process at a time. */
export interface UpkeepTable {
  name: string;
  leaseUntilMs: Defaulted<number>;
  /** The process that does it, where it is not done in turns. */
  holder: Defaulted<string | null>;
  /** When a worker last did it (real time); 0 = never. */
  workerAtMs: Defaulted<number>;
}
