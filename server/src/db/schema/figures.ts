import type { KeptMeasure } from '../../domain/figures/metrics.ts';
import type { MovementKind } from '../../domain/figures/mrr.ts';
import type { Account } from '../../domain/ledger/entries.ts';
import type { Scoped } from './columns.ts';

export interface FigureTables {
  ledgerEntries: LedgerEntriesTable;
  mrrMovements: MrrMovementsTable;
  figureSums: FigureSumsTable;
  figureSumClosings: FigureSumClosingsTable;
}

/** A line of the ledger: debit positive, credit negative. */
export interface LedgerEntriesTable extends Scoped {
  entryId: string;
  account: Account;
  currency: string;
  amount: bigint;
  kind:
    | 'charge'
    | 'refund'
    | 'reversal_in'
    | 'reversal_out'
    | 'dispute_opened'
    | 'dispute_won'
    | 'dispute_lost'
    | 'conversion_out'
    | 'conversion_in'
    | 'fee'
    | 'movement'
    | 'movement_out'
    | 'movement_in'
    | 'refund_returned'
    | 'return_settled';
  sourceId: string;
  /** Null where it is of no payment: what a processor moved by itself. */
  paymentId: string | null;
  createdAt: number;
}

/** What a change of a subscription did to monthly recurring revenue; the store refuses every change of a row. */
export interface MrrMovementsTable extends Scoped {
  subscriptionId: string;
  /** Counts those of the subscription from 1. */
  position: number;
  kind: MovementKind;
  delta: bigint;
  /** What the subscription brings from here on. */
  after: bigint;
  currency: string;
  at: number;
  /** The status that the change led to. */
  cause: string;
  eventId: string | null;
}

/** Sums of a quarter hour or a day that is over. */
export interface FigureSumsTable extends Scoped, Record<KeptMeasure, bigint> {
  spanMinutes: 15 | 1440;
  isGrouped: boolean;
  startsAt: number;
  currency: string;
  /** Empty where nothing is told apart. */
  type: string;
  /** Empty also of payments that have none. */
  country: string;
}

/** How far a store is summed up. */
export interface FigureSumClosingsTable extends Scoped {
  closedUntil: number;
}
