/**
 * `npm run invariants [-- NUMBER …]`: asks the store, beside a running service too, for all that must always
 * hold. Prints the first offending row of what does not, and ends with 1 then.
 */
import { openReports } from '../db/reports-store.ts';
import { findViolations } from '../invariants/find-violations.ts';
import type { Invariant, Violation } from '../invariants/invariant.ts';
import { createAddressGuard } from '../net/address-guard.ts';
import { runOnStore } from './operator-store.ts';

/** Some questions look at every row of a store. */
const STATEMENT_TIMEOUT_MS = 600_000;

function print({ number, name }: Invariant, violation: Violation | null): void {
  console.log(`${violation ? 'BROKEN' : 'holds '} ${String(number).padStart(2)}  ${name}`);
  if (violation) console.log(`           ${toText(violation.row)}`);
}

function toText(row: Record<string, unknown>): string {
  return JSON.stringify(row, (_key, value) => (typeof value === 'bigint' ? Number(value) : value));
}

const REPORTS = '--reports';

await runOnStore(
  async (primary, { egressAllowCidrs, reportsDatabaseUrl }) => {
    const words = process.argv.slice(2);
    const only = words.filter((word) => word !== REPORTS).map(Number);
    if (only.some((number) => !Number.isInteger(number)))
      throw new Error('Usage: npm run invariants [-- --reports] [-- 7 8 …]');
    const reports = openReports(words.includes(REPORTS) ? reportsDatabaseUrl : null, {
      statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    });
    const standby = await reports.find();
    try {
      const violations = await findViolations(standby?.db ?? primary, {
        ...(only.length > 0 ? { only } : {}),
        guard: createAddressGuard(egressAllowCidrs),
        onAsked: print,
      });
      if (violations.length > 0) process.exitCode = 1;
    } finally {
      await reports.close();
    }
  },
  { statementTimeoutMs: STATEMENT_TIMEOUT_MS },
);
