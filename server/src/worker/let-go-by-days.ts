/**
 * Where RETAIN_EXPORT names a place: a day of an owner's rows is written down and flushed, and only then deleted. What
 * could not be written stays, and the round fails.
 */

import { type DaysPlace, writeDay } from '../providers/files/kept-days.ts';
import type { KeptPlace, KeptRow } from '../resources/retention/age.sql.ts';

export interface KeptRows {
  /** A store as `<workspace>/<mode>`, a workspace, or `accounts`. */
  owner: string;
  kept: string;
  /** Oldest first. */
  list(after: KeptPlace | null, limit: number): Promise<KeptRow[]>;
  /** Answers how many it let go of. */
  letGo(ids: readonly string[]): Promise<number>;
}

export interface ByDays {
  place: DaysPlace;
  signal: AbortSignal;
  /** Calls `run` again and again with how many rows it may take, until it takes fewer; answers how many in all. */
  inBatches: (run: (limit: number) => Promise<number>) => Promise<number>;
}

const PAGE = 1_000;
const toDay = ({ atMs }: KeptPlace) => new Date(atMs).toISOString().slice(0, 10);

/** Answers how many rows were let go; `isWhole`: nothing that was written down is left. */
export async function letGoByDays(
  rows: KeptRows,
  { place, signal, inBatches }: ByDays,
): Promise<{ total: number; isWhole: boolean }> {
  let total = 0;
  let written = 0;
  let after: KeptPlace | null = null;
  while (!signal.aborted) {
    const ids: string[] = [];
    const [first] = await rows.list(after, 1);
    if (!first) return { total, isWhole: total === written };
    const day = toDay(first);
    const lines = async function* (): AsyncGenerator<string> {
      for (;;) {
        const page = await rows.list(after, PAGE);
        for (const row of page) {
          if (toDay(row) !== day) return;
          ids.push(row.id);
          after = { atMs: row.atMs, id: row.id };
          yield row.line;
        }
        if (page.length < PAGE) return;
      }
    };
    await writeDay(place, { owner: rows.owner, kept: rows.kept, day }, lines());
    written += ids.length;
    let at = 0;
    await inBatches(async (limit) => {
      const some = ids.slice(at, at + limit);
      at += some.length;
      if (some.length > 0) total += await rows.letGo(some);
      return some.length;
    });
  }
  return { total, isWhole: false };
}
