/** Whether a pooler stands before the store, and whether it keeps what is prepared: for whoever looks after both. */
import type pg from 'pg';
import { type Db, sessionsOf } from './database.ts';
import { isNameLost } from './store-way.ts';

export interface PoolerFound {
  keepsNames: boolean;
}

/** Enough for two connections to meet in one session of the server, where they can at all. */
const ROUNDS = 10;
const QUESTION = { name: 'counterfoil_pooler', text: 'select pg_backend_pid() as pid' };

/** Null = there is none: a connection is a session of the server itself. */
export async function findPooler(db: Db): Promise<PoolerFound | null> {
  const sessions = sessionsOf(db);
  const one = await sessions.connect();
  const other = await sessions.connect().catch((error: unknown) => {
    one.release();
    throw error;
  });
  try {
    const { rows } = await one.query<{ pid: number }>(QUESTION.text);
    if (rows[0]?.pid === toClaimedPid(one)) return null;
    return { keepsNames: await areNamesKept([one, other]) };
  } finally {
    // They may be left with a name that means nothing to the next who has them.
    one.release(true);
    other.release(true);
  }
}

/** Which process of the server it was told to be when it was made: of a pooler's own making, if there is one. */
function toClaimedPid(client: pg.PoolClient): number | null {
  // pg's typing does not show it.
  return (client as unknown as { processID: number | null }).processID;
}

/** By turns: what one prepares in a session that is not its own is there already for the other, or gone for itself. */
async function areNamesKept(clients: readonly pg.PoolClient[]): Promise<boolean> {
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const client of clients) await client.query(QUESTION);
    }
    return true;
  } catch (error) {
    if (isNameLost(error)) return false;
    throw error;
  }
}
