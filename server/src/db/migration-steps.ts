/**
 * How a migration runs, as its first line says. `-- Expand.` adds what code of before does not know; `-- Contract 1.4.0.`
 * takes what only older code than that needs. `-- Expand, outside of a transaction.` holds statements that cannot run in
 * one, such as `create index concurrently`, each of which may run again. `-- Expand, step by step.` is one statement that
 * is given where the last step ended ($1, text, null at first) and how many rows it may touch ($2), and answers, as
 * `cursor`, where it ended: null = nothing is left.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import { type HeldLock, tryLock } from './held-lock.ts';

export interface Manner {
  way: 'whole' | 'outside' | 'steps';
  /** The oldest code that may run beside it from then on; null = as before. */
  minVersion: string | null;
}

const ROWS_PER_STEP = 1000;
/** Beside the one of a transaction's turn, and held by a connection of its own: what it guards runs in no transaction. */
const OUTSIDE_LOCK = 5_820_632;
const LOOK_AGAIN_MS = 500;
const CONTRACT = /^-- Contract (\d+\.\d+\.\d+)\./;

export function readManner(text: string): Manner {
  const [, minVersion = null] = CONTRACT.exec(text) ?? [];
  if (text.startsWith('-- Expand, outside of a transaction.')) return { way: 'outside', minVersion };
  if (text.startsWith('-- Expand, step by step.')) return { way: 'steps', minVersion };
  return { way: 'whole', minVersion };
}

/** Within the transaction of its turn; answers whether the migration has ended with it. */
export async function runStep(
  client: pg.Client,
  { name, text, manner }: { name: string; text: string; manner: Manner },
): Promise<boolean> {
  if (manner.way === 'whole') {
    await client.query(text);
    return true;
  }
  const { rows } = await client.query<{ cursor: string | null; steps: number }>(
    'select cursor, steps from installation_steps where name = $1',
    [name],
  );
  if (manner.way === 'outside') return rows[0] !== undefined;
  const { rows: done } = await client.query<{ cursor: string | null }>(text, [
    rows[0]?.cursor ?? null,
    ROWS_PER_STEP,
  ]);
  const cursor = done[0]?.cursor ?? null;
  await note(client, name, cursor);
  return cursor === null;
}

/** One process at a time; another one that waits holds nothing that these statements would wait for. */
export async function runOutside(
  client: pg.Client,
  { name, text, connection }: { name: string; text: string; connection: pg.ClientConfig },
): Promise<void> {
  const held = await waitForLock(connection);
  try {
    for (const statement of text.split(/;\s*$/m)) {
      if (/\S/.test(statement.replaceAll(/--.*$/gm, ''))) await client.query(statement);
    }
    await note(client, name, 'done');
  } finally {
    await held.release();
  }
}

async function waitForLock(connection: pg.ClientConfig): Promise<HeldLock> {
  for (;;) {
    const held = await tryLock(connection, OUTSIDE_LOCK);
    if (held) return held;
    await wait(LOOK_AGAIN_MS);
  }
}

async function note(client: pg.Client, name: string, cursor: string | null): Promise<void> {
  await client.query(
    `insert into installation_steps as s (name, cursor, steps) values ($1, $2, 1)
      on conflict (name) do update set cursor = excluded.cursor, steps = s.steps + 1`,
    [name, cursor],
  );
}
