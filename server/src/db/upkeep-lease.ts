/** The leases of what is done for the store as a whole: one process at a time, and a worker rather than another. */
import { sql } from 'kysely';
import type { Db } from './database.ts';
import { isLeased } from './lease.ts';

const LEASE_MS = 60_000;
/** A process that is no worker does it where no worker has for so long. */
const NO_WORKER_MS = 60_000;
/** A process that has sent no beat for so long is gone: it sends one a second. */
const SILENT_MS = 10_000;
/** When the lease that is asked for was: no node of a spread store may ask for the time where rows meet. */
const ASKED_MS = sql`(excluded.lease_until_ms - ${sql.lit(LEASE_MS)}::bigint)`;

export interface UpkeepLease {
  name: string;
  isWorker: boolean;
}

/** Runs `work` if nobody else is at it, and, where this is no worker, if no worker does it; null when it did not run. */
export async function runLeased<T>(db: Db, lease: UpkeepLease, work: () => Promise<T>): Promise<T | null> {
  if (!(await take(db, lease))) return null;
  try {
    return await work();
  } finally {
    await giveBack(db, lease);
  }
}

async function take(db: Db, { name, isWorker }: UpkeepLease): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into upkeep as u (name, lease_until_ms) values (${name}, real_now_ms() + ${LEASE_MS}::bigint)
    on conflict (name) do update set lease_until_ms = excluded.lease_until_ms
    where not ${isLeased(sql`u.lease_until_ms`, LEASE_MS, ASKED_MS)}
      and (${isWorker}::boolean or not u.worker_at_ms between ${ASKED_MS} - ${NO_WORKER_MS}::bigint and ${ASKED_MS})`.execute(
    db,
  );
  return numAffectedRows === 1n;
}

async function giveBack(db: Db, { name, isWorker }: UpkeepLease): Promise<void> {
  const worked = isWorker ? sql`, worker_at_ms = real_now_ms()` : sql``;
  await sql`update upkeep set lease_until_ms = 0 ${worked} where name = ${name}`.execute(db);
}

/**
 * Whether this process, and no other, does what is named: it keeps the lease for as long as it asks again in time. Of one
 * that was killed it is free before it ends, as soon as its beat is missed.
 */
export async function holdUpkeep(db: Db, name: string, processId: string): Promise<boolean> {
  return (await hold(db, name, processId)) || ((await freeOfSilent(db, name)) && hold(db, name, processId));
}

async function hold(db: Db, name: string, holder: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into upkeep as u (name, holder, lease_until_ms) values (${name}, ${holder}::uuid, real_now_ms() + ${LEASE_MS}::bigint)
    on conflict (name) do update set lease_until_ms = excluded.lease_until_ms, holder = excluded.holder
    where u.holder = excluded.holder or not ${isLeased(sql`u.lease_until_ms`, LEASE_MS, ASKED_MS)}`.execute(
    db,
  );
  return numAffectedRows === 1n;
}

/** Answers whether it was held by a process that is not there. */
async function freeOfSilent(db: Db, name: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update upkeep set lease_until_ms = 0
    where name = ${name} and lease_until_ms <> 0 and not exists (select from processes p
      where p.id = upkeep.holder and p.ended_at is null
        and p.seen_at >= (select real_now_ms()) - ${SILENT_MS}::bigint)`.execute(db);
  return numAffectedRows === 1n;
}

/** It does it no more: whoever asks next has it at once. */
export async function letGoOfUpkeep(db: Db, name: string, holder: string): Promise<void> {
  await sql`update upkeep set lease_until_ms = 0 where name = ${name} and holder = ${holder}::uuid`.execute(
    db,
  );
}
