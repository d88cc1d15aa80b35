import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';

/**
 * Who uses a store is written in advisory locks of the store itself. The kernel closes a killed process's
 * connection and the server then frees its locks, so they cannot go stale; and unlike a process id in a
 * file they mean the same in every container that reaches the socket.
 *
 * - SERVICE is held by the one service.
 * - USERS is shared by every process that has the store open; whoever gets it alone is the last one and may
 *   stop the server.
 */
const SERVICE = '(20303, 1)';
const USERS = '(20303, 2)';

/** A service that is being ended holds its lock for some moments more: its server has to notice, or it drains. */
const SERVICE_WAIT_MS = 4_000;
const RETRY_MS = 100;

/** Enters the process among the store's users. */
export async function joinUsers(session: pg.Client): Promise<void> {
  await session.query(`select pg_advisory_lock_shared${USERS}`);
}

/** Leaves the store's users; true when nobody else is left, and then nobody can join any more. */
export async function leaveUsers(session: pg.Client): Promise<boolean> {
  await session.query(`select pg_advisory_unlock_shared${USERS}`);
  return tryLock(session, USERS);
}

/** Makes the session the store's one service; otherwise tells who is. */
export async function becomeService(
  session: pg.Client,
): Promise<{ done: true } | { done: false; by: string }> {
  const deadline = Date.now() + SERVICE_WAIT_MS;
  while (!(await tryLock(session, SERVICE))) {
    if (Date.now() > deadline) return { done: false, by: await findService(session) };
    await delay(RETRY_MS);
  }
  return { done: true };
}

async function tryLock(session: pg.Client, lock: string): Promise<boolean> {
  const { rows } = await session.query<{ held: boolean }>(`select pg_try_advisory_lock${lock} as held`);
  return rows[0]?.held === true;
}

async function findService(session: pg.Client): Promise<string> {
  const { rows } = await session.query<{ application_name: string }>(
    `select application_name from pg_stat_activity join pg_locks using (pid)
     where locktype = 'advisory' and classid = 20303 and objid = 1 and granted`,
  );
  return rows[0]?.application_name.replace('counterfoil ', 'pid ') ?? 'pid unknown';
}
