/** What is written of a payment that money has paid, by one statement as well as apart. */
import type { Updateable } from 'kysely';
import type { LedgerEntriesTable } from '../../db/schema/figures.ts';
import type { ChargesTable, PaymentsTable } from '../../db/schema/payments.ts';

export type EntryLine = Pick<LedgerEntriesTable, 'account' | 'amount'>;

export type Entry = Omit<LedgerEntriesTable, 'workspaceId' | 'testMode' | keyof EntryLine>;
export type NewEntry = Entry & { rows: EntryLine[] };

export interface Paid {
  payment: Updateable<PaymentsTable> & { id: string };
  charge: Updateable<ChargesTable> & { id: string };
}
