/** A lock that is held for longer than a transaction of the pool may last, by a session of its own. */
import type pg from 'pg';
import { createClient } from './hosts/hosts-client.ts';

export interface HeldLock {
  release(): Promise<void>;
}

/** A machine that is gone is found by the system itself. */
const KEEP_ALIVE_MS = 10_000;

/** Null = another has it. It ends with the process, however that ends. */
export async function tryLock(connection: pg.ClientConfig, lock: number): Promise<HeldLock | null> {
  const client = createClient({
    ...connection,
    application_name: 'counterfoil lock',
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
  });
  // What breaks shows in the statements of the work itself.
  client.on('error', () => {});
  await client.connect();
  const release = () => client.end();
  try {
    // Of the transaction, since a pooler may give the session to another after each.
    await client.query('begin; set local idle_in_transaction_session_timeout = 0');
    // Without a parameter: the portal of one would keep a snapshot until the end, for which an index waits that is made
    // concurrently, and with it a migration that waits for this very process.
    const { rows } = await client.query<{ taken: boolean }>(
      `select pg_try_advisory_xact_lock(${Math.trunc(lock)}) as taken`,
    );
    if (rows[0]?.taken) return { release };
  } catch (error) {
    await release();
    throw error;
  }
  await release();
  return null;
}
