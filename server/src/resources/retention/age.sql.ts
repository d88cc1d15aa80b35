/** What lists of rows that are kept for a time share. */
import { type RawBuilder, sql } from 'kysely';

const DAY_MS = 24 * 3_600_000;

/** What was written then or before is so many days old. */
export const toCutMs = (days: number) => sql`(real_now_ms() - ${days * DAY_MS}::bigint)`;

/** Where a list of rows goes on. */
export interface KeptPlace {
  atMs: number;
  id: string;
}

export interface KeptRow extends KeptPlace {
  /** The rows of each table that go with it, as JSON. */
  line: string;
}

export const isAfter = (at: RawBuilder<unknown>, after: KeptPlace | null) =>
  after === null ? sql`` : sql`and (${at}, r.id) > (${after.atMs}::bigint, ${after.id}::uuid)`;
