/** What an invariant is, and how the store is asked for offences against them. */
import { sql } from 'kysely';
import type { Db } from '../db/database.ts';
import type { Kept } from '../domain/retention.ts';
import type { AddressGuard } from '../net/address-guard.ts';

export interface Invariant {
  /** Of the list of invariants; several questions may belong to one. */
  number: number;
  /** What holds, in words. */
  name: string;
  /** Holds while somebody works on the store: of a copy that nobody has started it is not asked. */
  isOfNow?: true;
  /** Judged by the settings of the service that wrote the rows: where nobody knows these it is not asked. */
  isOfSettings?: true;
  /** One query whose rows are the offences. */
  sql: string;
  /** Some can only be told apart in code: whether a row of the query is no offence. */
  isFine?: (row: OffendingRow, guard: AddressGuard) => boolean;
}

export type OffendingRow = Record<string, unknown>;

export interface Violation {
  number: number;
  name: string;
  /** The first offence that was found. */
  row: OffendingRow;
}

/** Rows that code looks through; what an address guard judges are a few addresses. */
const ROWS_MAX = 10_000;

/** The first offence against the invariant; undefined when it holds. */
export async function findOffence(
  db: Db,
  { sql: query, isFine }: Invariant,
  guard: AddressGuard,
): Promise<OffendingRow | undefined> {
  const limit = isFine ? ROWS_MAX : 1;
  const { rows } = await sql<OffendingRow>`select * from (${sql.raw(query)}) offences limit ${limit}`.execute(
    db,
  );
  return isFine ? rows.find((row) => !isFine(row, guard)) : rows[0];
}

/** The join of two rows of one store. */
export function sameStore(a: string, b: string): string {
  return `${a}.workspace_id = ${b}.workspace_id and ${a}.test_mode = ${b}.test_mode`;
}

/**
 * Whether the store still has what was kept of `of` at the moment (workspace's time) that an expression names: what is
 * older may have been let go, and nothing is asked of it.
 */
export function isStillKept(kept: Kept, of: string, atMs: string): string {
  return `not exists (select from retention_marks mark where ${sameStore('mark', of)} and mark.kept = '${kept}'
        and mark.until_ms >= ${atMs})`;
}

/** The question whether a unique index is there and in force: without it rows are right only by chance. */
export function uniqueIndexStands(name: string): string {
  return `
      select '${name}' as name
      where not exists (select from pg_index x where x.indexrelid = to_regclass('${name}')
        and x.indisunique and x.indisvalid)`;
}

/** The states of a payment whose money was taken. */
export const CAPTURED_SQL = `('PAID', 'PARTIALLY_REFUNDED', 'REFUNDED')`;
/** Of an order `o`: no correction has set its record apart from its payment. What was put right before it was paid holds of both. */
export const IN_STEP_SQL = `(o.corrected_at is null or o.corrected_at < o.paid_at)`;
/** The payments that carry an order: there is one for each order. */
export const INITIAL_SQL = `('one_time', 'claim_free', 'subscription_initial')`;
