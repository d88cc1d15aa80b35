/**
 * Transactions that write down what a store that was lost has done, and told: their events are there to be read, and
 * nobody is sent them a second time.
 */
import type { Tx } from '../../db/database.ts';

const told = new WeakSet<Tx>();

/** Of all that is recorded from here on in this transaction nothing leaves. */
export function tellNobody(tx: Tx): void {
  told.add(tx);
}

export const isToldBefore = (tx: Tx): boolean => told.has(tx);
