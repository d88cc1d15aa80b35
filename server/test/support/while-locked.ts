import { expect } from 'vitest';
import type { TestApp } from './harness.ts';

/** Runs `work` while the subscription of this number is locked; `waitFor` resolves once so many sessions wait for it. */
export async function whileLocked(
  { service: { pool } }: TestApp,
  number: string,
  work: (waitFor: (count: number) => Promise<void>) => Promise<void>,
): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query('select 1 from subscriptions where number = $1 for update', [number]);
    await work((count) =>
      expect
        .poll(async () => {
          const { rows } = await pool.query<{ count: number }>(
            `select count(*)::int as count from pg_stat_activity
              where datname = current_database() and wait_event_type = 'Lock'`,
          );
          return rows[0]?.count;
        })
        .toBe(count),
    );
  } finally {
    await client.query('rollback');
    client.release();
  }
}
