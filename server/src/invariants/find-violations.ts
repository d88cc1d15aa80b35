/**
 * Asks the store for every invariant; each is one query that answers no row. Of a workspace that is being restored they
 * are asked through views of its rows alone, which have no primary key: a query groups by every column that it names.
 */
import type { Db } from '../db/database.ts';
import { type AddressGuard, createAddressGuard } from '../net/address-guard.ts';
import { AUDIT } from './audit.ts';
import { DELIVERIES } from './deliveries.ts';
import { EVENTS } from './events.ts';
import { FIGURES } from './figures.ts';
import { findOffence, type Invariant, type Violation } from './invariant.ts';
import { ISOLATION } from './isolation.ts';
import { MONEY } from './money.ts';
import { ORDERS } from './orders.ts';
import { PERIODS } from './periods.ts';
import { PROCESSORS } from './processors.ts';

export const INVARIANTS: readonly Invariant[] = [
  ...MONEY,
  ...PERIODS,
  ...ORDERS,
  ...EVENTS,
  ...DELIVERIES,
  ...ISOLATION,
  ...AUDIT,
  ...FIGURES,
  ...PROCESSORS,
].sort((a, b) => a.number - b.number);

const PUBLIC = createAddressGuard([]);

export interface Asking {
  /** Numbers of the invariants that are asked for; missing = all. */
  only?: readonly number[];
  /** A copy as of a moment that has gone by, which nobody has worked on since. */
  isCopy?: boolean;
  /** Which addresses may have been reached; missing = public ones, null = nobody knows which were allowed. */
  guard?: AddressGuard | null;
  /** Told of each invariant as it has been asked for. */
  onAsked?: (invariant: Invariant, violation: Violation | null) => void;
}

/** The first offending row of each invariant that is broken. */
export async function findViolations(db: Db, asking: Asking = {}): Promise<Violation[]> {
  const { only, isCopy = false, guard = PUBLIC, onAsked } = asking;
  const violations: Violation[] = [];
  for (const invariant of INVARIANTS) {
    if (only && !only.includes(invariant.number)) continue;
    if (isCopy && invariant.isOfNow) continue;
    if (guard === null && invariant.isOfSettings) continue;
    const row = await findOffence(db, invariant, guard ?? PUBLIC);
    const violation = row ? { number: invariant.number, name: invariant.name, row } : null;
    if (violation) violations.push(violation);
    onAsked?.(invariant, violation);
  }
  return violations;
}
