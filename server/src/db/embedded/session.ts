import { statfs } from 'node:fs/promises';
import net from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { SUPERUSER } from './access.ts';
import type { Place } from './place.ts';
import { hasCode } from './platform.ts';
import { findPostmaster, type StartedServer, startPostmaster } from './postmaster.ts';

/** Recovery after a crash is bounded by max_wal_size, so this is far above what it takes. */
const READY_TIMEOUT_MS = 120_000;
const CONNECT_TIMEOUT_MS = 5_000;
const POLL_MS = 15;
const RETRY_MS = 100;
const STARTS_MAX = 50;
/** A file of its log, which a start may need. */
const START_BYTES = 16 * 1024 * 1024;
const FULL = 'its disk is full: make room, and start it again';

/** A superuser's connection, and its socket, which its owner takes off the event loop while nothing is asked. */
export interface Session {
  client: pg.Client;
  socket: net.Socket;
}

/** Starts the server where none runs, takes over one that does, and returns a session on it. */
export async function openSession(
  place: Place,
  durable: boolean,
  log: (line: string) => void,
): Promise<Session> {
  const deadline = Date.now() + READY_TIMEOUT_MS;
  let started: StartedServer | null = null;
  for (let starts = 0; Date.now() < deadline; ) {
    const answer = await connect(place);
    if (typeof answer !== 'string') {
      if (started === null) log(`PostgreSQL was running already (pid ${findPostmaster(place) ?? 'unknown'})`);
      return answer;
    }
    const failure = started?.failure() ?? null;
    const isComing = answer === 'starting' || findPostmaster(place) !== null;
    if (started !== null && failure === null) {
      await delay(POLL_MS);
    } else if (isComing) {
      await delay(RETRY_MS);
    } else {
      if (failure !== null) {
        const why = (await isDiskFull(place.cluster)) ? FULL : failure;
        if (why === FULL || !isPassing(failure) || starts >= STARTS_MAX)
          throw new Error(`PostgreSQL did not start in ${place.cluster}: ${why} (see ${place.logFile})`);
        await delay(RETRY_MS);
      }
      started = await startPostmaster(place, durable);
      starts += 1;
    }
  }
  throw new Error(`PostgreSQL was not ready within ${READY_TIMEOUT_MS} ms (see ${place.logFile})`);
}

/** What its server says itself depends on which of its files had no room. */
async function isDiskFull(folder: string): Promise<boolean> {
  const disk = await statfs(folder).catch(() => null);
  return disk !== null && disk.bavail * disk.bsize < START_BYTES;
}

/** Another start won, or processes of a killed server are still going away: both pass within moments. */
function isPassing(failure: string): boolean {
  return /lock file|shared memory block|Address already in use/i.test(failure);
}

async function connect(place: Place): Promise<Session | 'absent' | 'starting'> {
  const socket = new net.Socket();
  const client = new pg.Client({
    host: place.socketDir,
    port: 5432,
    user: SUPERUSER,
    ...(place.access.password === null ? {} : { password: place.access.password }),
    database: 'postgres',
    application_name: `counterfoil ${process.pid}`,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    stream: () => socket,
  });
  // The end of the session is what matters and is watched by its owner; pg also reports it as an error.
  client.on('error', () => {});
  try {
    await client.connect();
  } catch (error) {
    socket.destroy();
    if (hasCode(error, 'ENOENT') || hasCode(error, 'ECONNREFUSED')) return 'absent';
    if (hasCode(error, 'EACCES')) throw new Error(`The store in ${place.cluster} belongs to another user.`);
    if (hasCode(error, '28P01') || hasCode(error, '28000')) throw new Error(toRefusal(place));
    if (isBusy(error)) return 'starting';
    throw error;
  }
  return { client, socket };
}

function toRefusal({ access, cluster }: Place): string {
  return access.kind === 'peer'
    ? `The store in ${cluster} does not let the account ${access.account} in.`
    : `The store in ${cluster} refuses the password in ${access.file}.`;
}

/** cannot_connect_now, too_many_connections, or a server that went away or hung while we shook hands. */
function isBusy(error: unknown): boolean {
  if (hasCode(error, '57P03') || hasCode(error, '53300') || hasCode(error, 'ECONNRESET')) return true;
  return error instanceof Error && /terminated|timeout|ended/i.test(error.message);
}
