/**
 * `npm run invariants [-- NUMBER …]`: asks the store, beside a running service too, for all that must always
 * hold. Prints the first offending row of what does not, and ends with 1 then.
 */
import { parseConfig } from '../config.ts';
import { openDatabase } from '../db/database.ts';
import { findViolations } from '../invariants/find-violations.ts';
import type { Invariant, Violation } from '../invariants/invariant.ts';
import { createAddressGuard } from '../net/address-guard.ts';
import { readEnvironment } from './environment.ts';
import { openOperatorStore } from './operator-store.ts';

/** Some questions look at every row of a store. */
const STATEMENT_TIMEOUT_MS = 600_000;

function print({ number, name }: Invariant, violation: Violation | null): void {
  console.log(`${violation ? 'BROKEN' : 'holds '} ${String(number).padStart(2)}  ${name}`);
  if (violation) console.log(`           ${toText(violation.row)}`);
}

function toText(row: Record<string, unknown>): string {
  return JSON.stringify(row, (_key, value) => (typeof value === 'bigint' ? Number(value) : value));
}

try {
  const only = process.argv.slice(2).map(Number);
  if (only.some((number) => !Number.isInteger(number)))
    throw new Error('Usage: npm run invariants [-- 7 8 …]');
  const config = parseConfig(readEnvironment());
  const store = await openOperatorStore(config);
  const limits = { maxConnections: 1, acquireTimeoutMs: 5_000, statementTimeoutMs: STATEMENT_TIMEOUT_MS };
  const database = openDatabase({ ...store.connection, ...limits });
  try {
    const violations = await findViolations(database.db, {
      ...(only.length > 0 ? { only } : {}),
      guard: createAddressGuard(config.egressAllowCidrs),
      onAsked: print,
    });
    if (violations.length > 0) process.exitCode = 1;
  } finally {
    await database.close();
    await store.stop();
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
