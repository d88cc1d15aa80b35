/** A store that is moving, or has moved, is closed: nobody starts on it, and no command writes to it. */
import type pg from 'pg';
import type { Db } from '../../db/database.ts';
import { tryLock } from '../../db/held-lock.ts';
import { isMaking } from '../../db/make-anew.ts';
import { readMove, undoMove } from '../../resources/installation/moving.queries.ts';
import { isSpreading } from '../../resources/installation/spread.queries.ts';

/** Any number that no other lock of ours uses. */
export const STORE_MOVE_LOCK = 7_301_960;

/** Why it cannot be used, in one line; null = it can. */
export async function findClosed(db: Db): Promise<string | null> {
  const moved = await findMoved(db);
  if (moved !== null || !(await isSpreading(db))) return moved;
  return 'this store is being spread, and takes no writes until counterfoil spread apply has ended: run that again if it was killed';
}

export async function findMoved(db: Db): Promise<string | null> {
  const { stage, to, at } = await readMove(db);
  if (stage === null || stage === 'arrived') return null;
  if (stage === 'moved')
    return `this store was moved to ${to} on ${at === null ? 'a day' : new Date(at).toISOString()}, and is closed for good: set DATABASE_URL to that`;
  if (stage === 'copying') return `this store is being moved to ${to}: it is closed until that has ended`;
  return `a move of this store to ${to} was killed at its last step: end it by npm run move -- --to that URL, or see by npm run move -- --reopen --to that URL whether it may go on here`;
}

export interface Opening {
  /** Why a start is refused; null = it is not. */
  refused: string | null;
  isReopened: boolean;
}

/** As a start asks. One that a killed move has left as it was, with nobody at work on it, is open again. */
export async function openForStart(db: Db, connection: pg.ClientConfig): Promise<Opening> {
  if (await isMaking(db))
    return {
      refused:
        'a restore or a move into this store was cut short, and half of it is there: run that again, or start over another database',
      isReopened: false,
    };
  const { stage } = await readMove(db);
  const isReopened = stage === 'copying' && (await reopenAbandoned(db, connection));
  return { refused: await findClosed(db), isReopened };
}

async function reopenAbandoned(db: Db, connection: pg.ClientConfig): Promise<boolean> {
  const lock = await tryLock(connection, STORE_MOVE_LOCK);
  if (!lock) return false;
  try {
    return await undoMove(db, ['copying']);
  } finally {
    await lock.release();
  }
}
