/**
 * `npm run invariants [-- --since 25h] [NUMBER …]`: asks the store, beside a running service too, for all that must
 * always hold. Prints the first offending row of what does not, and ends with 1 then.
 */
import { openReports } from '../../db/reports-store.ts';
import { INVARIANTS } from '../../invariants/find-violations.ts';
import type { Invariant, Violation } from '../../invariants/invariant.ts';
import { createAddressGuard } from '../../net/address-guard.ts';
import { EXIT } from '../exit-codes.ts';
import { askInvariants } from '../watching/ask-invariants.ts';
import { answer } from './manners.ts';
import { runOnStore, UsageError } from './operator-store.ts';
import { readFlags } from './read-flags.ts';

/** Some questions look at every row of a store. */
const STATEMENT_TIMEOUT_MS = 600_000;

const OF_SETTINGS =
  '           Judged by EGRESS_ALLOW_CIDRS as it is here: give this command the settings that the service runs with.';

function print({ number, name, isOfSettings }: Invariant, violation: Violation | null): void {
  answer(
    { number, name, holds: violation === null, row: violation?.row ?? null },
    `${violation ? 'BROKEN' : 'holds '} ${String(number).padStart(2)}  ${name}`,
    ...(violation ? [`           ${toText(violation.row)}`] : []),
    ...(violation && isOfSettings ? [OF_SETTINGS] : []),
  );
}

function toText(row: Record<string, unknown>): string {
  return JSON.stringify(row, (_key, value) => (typeof value === 'bigint' ? Number(value) : value));
}

const USAGE = `Usage: npm run invariants [-- --since 25h] [--reports] [7 8 …]
  --since    only of workspaces in which something was written since then: minutes, hours or days (30m, 25h, 7d)
  --reports  asks the store at REPORTS_DATABASE_URL, while it is not behind`;
const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

const NUMBERS: ReadonlySet<number> = new Set(INVARIANTS.map(({ number }) => number));

interface Wanted {
  only: number[];
  sinceMs: number | null;
  reports: boolean;
}

const { values, positionals } = readFlags(USAGE, {
  allowPositionals: true,
  options: {
    since: { type: 'string' },
    reports: { type: 'boolean', default: false },
  },
});

function readWanted(): Wanted {
  const only = positionals.map(Number);
  if (only.some((number) => !NUMBERS.has(number))) throw new UsageError(USAGE);
  const [, count, unit = ''] = /^(\d{1,5})([mhd])$/.exec(values.since ?? '') ?? [];
  // A standby cannot look at a part of itself.
  const isWrong = values.since !== undefined && (count === undefined || values.reports);
  if (isWrong) throw new UsageError(USAGE);
  return { only, reports: values.reports, sinceMs: count ? Number(count) * (UNITS[unit] ?? 0) : null };
}

await runOnStore(
  async (primary, { egressAllowCidrs, reportsDatabaseUrl }) => {
    const wanted = readWanted();
    const reports = openReports(wanted.reports ? reportsDatabaseUrl : null, {
      statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    });
    const standby = await reports.find();
    try {
      const violations = await askInvariants(standby?.db ?? primary, {
        sinceMs: wanted.sinceMs,
        ...(wanted.only.length > 0 ? { only: wanted.only } : {}),
        guard: createAddressGuard(egressAllowCidrs),
        onAsked: print,
      });
      if (violations.length > 0) process.exitCode = EXIT.found;
    } finally {
      await reports.close();
    }
  },
  { statementTimeoutMs: STATEMENT_TIMEOUT_MS, evenClosed: true, checkWords: readWanted },
);
