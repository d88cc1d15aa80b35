/**
 * A store moves to an empty server: it is closed, copied, compared by counts and sums, and opened there. Never more than
 * one of the two is open. What a killed move has left there is begun anew, and what it left here opens by itself.
 */
import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { Ids } from '../../context.ts';
import type { Db } from '../../db/database.ts';
import { type HeldLock, tryLock } from '../../db/held-lock.ts';
import { dropSchema, endMakingIn, findMaking, makeAnew } from '../../db/make-anew.ts';
import { findWaiting, readMigrations } from '../../db/migrate.ts';
import { refreshStatistics } from '../../db/statistics.ts';
import { inTransaction } from '../../db/transaction.ts';
import { findMigration, readWholeTable, takeSnapshot } from '../../resources/exports/whole-store.queries.ts';
import {
  beginMove,
  findPlace,
  hasRows,
  isServerEmpty,
  listMovedTables,
  listUsers,
  noteArrival,
  passMove,
  readMove,
  sumTable,
  type TableSum,
  takeOverState,
  undoMove,
  waitForOther,
} from '../../resources/installation/moving.queries.ts';
import { listProcesses } from '../../resources/installation/processes.queries.ts';
import { identifyMoved, settleMoved } from '../quarantine/settle-moved.ts';
import { fillTables, type RowSource } from '../restores/fill-tables.ts';
import { STORE_MOVE_LOCK } from './closed-store.ts';
import { StoreMoveError } from './move-error.ts';

const LOT_ROWS = 1_000;

export interface Place {
  db: Db;
  connection: pg.ClientConfig;
}

export interface StoreMoving {
  source: Place;
  target: Place;
  /** The target's URL, without its password. */
  to: string;
  /** Of the source. */
  isEmbedded: boolean;
  nowMs: number;
  ids: Ids;
  tell: (line: string) => void;
}

export interface StoreMoved {
  tables: number;
  rows: number;
  /** An earlier one had done all but the last step. */
  isEnded: boolean;
}

/** Throws StoreMoveError and RestoreError; the source is open then as before. */
export async function moveStore(moving: StoreMoving): Promise<StoreMoved> {
  const { source, target } = moving;
  if ((await findPlace(source.db)) === (await findPlace(target.db)))
    throw new StoreMoveError('--to leads to this very store.');
  return withLocks([source.connection, target.connection], async () => {
    if (await endEarlier(moving)) return { tables: 0, rows: 0, isEnded: true };
    const isMigrated = await refuseUnfit(moving);
    const id = randomUUID();
    await beginMove(source.db, { id, to: moving.to, nowMs: moving.nowMs });
    try {
      await refuseInUse(moving);
      const sums = await copy(moving, isMigrated);
      await compare(target.db, sums);
      moving.tell('Counts and sums of all tables are equal.');
      await refreshStatistics(target.db);
      await switchOver(moving, id);
      return { tables: sums.size, rows: countAll(sums), isEnded: false };
    } catch (error) {
      // Where this fails, too, a start opens it.
      await undoMove(source.db, ['copying']).catch(() => {});
      throw error;
    }
  });
}

async function withLocks<T>(connections: readonly pg.ClientConfig[], work: () => Promise<T>): Promise<T> {
  const held: HeldLock[] = [];
  try {
    for (const connection of connections) {
      const lock = await tryLock(connection, STORE_MOVE_LOCK);
      if (!lock) throw new StoreMoveError('Another move is under way over one of the two stores.');
      held.push(lock);
    }
    return await work();
  } finally {
    for (const lock of held) await lock.release();
  }
}

/** One that was killed once the other was open is ended; one that was killed just before is as if it had not been. */
async function endEarlier({ source, target, to }: StoreMoving): Promise<boolean> {
  const known = await readMove(source.db);
  if (known.stage === 'moved')
    throw new StoreMoveError(`This store was moved to ${known.to} already, and is closed for good.`);
  if (known.stage !== 'switching' || known.id === null) return false;
  if (known.to !== to)
    throw new StoreMoveError(
      `A move to ${known.to} was killed at its last step, and that may be open: run it again with that as --to, or npm run move -- --reopen --to that URL.`,
    );
  if (!(await hasArrived(target.db, known.id))) return false;
  await passMove(source.db, { id: known.id, from: 'switching', to: 'moved' });
  return true;
}

/** Whether the store is open at the other place. */
export async function hasArrived(db: Db, id: string | null): Promise<boolean> {
  const there = await readMove(db);
  return there.stage === 'arrived' && there.id === id;
}

/** Answers whether the target has the empty schema, from a move that was killed. */
async function refuseUnfit({ source, target }: StoreMoving): Promise<boolean> {
  const { last, pending } = await findWaiting(source.connection);
  const newest = (await readMigrations()).at(-1)?.name;
  if (last === null || (await findMaking(source.connection))?.isMarked)
    throw new StoreMoveError('There is no store here to be moved.');
  if (pending.length > 0)
    throw new StoreMoveError(
      'The store is of an older version: start this one on it once, or npm run migrate.',
    );
  if (last !== newest) throw new StoreMoveError('The store is of a newer version: move it by that release.');
  const making = await findMaking(target.connection);
  if (making?.isMarked) return isStillEmpty(target.db, last);
  if (making !== null || !(await isServerEmpty(target.db)))
    throw new StoreMoveError('The database at --to is not empty: name one in which there is nothing.');
  return false;
}

/** It has the whole schema and no rows yet; rows of the books cannot be taken away one by one. */
async function isStillEmpty(db: Db, newest: string): Promise<boolean> {
  return (await findMigration(db)) === newest && !(await hasRows(db, await listMovedTables(db)));
}

/** It is closed by now: who comes later is refused, and who is there already has to end first. */
async function refuseInUse({ source: { db }, isEmbedded }: StoreMoving): Promise<void> {
  const living = isEmbedded ? [] : (await listProcesses(db)).map(({ role, host }) => `${role} on ${host}`);
  const users = [...living, ...(await listUsers(db, { ofEmbedded: isEmbedded }))];
  if (users.length > 0)
    throw new StoreMoveError(`The store is in use (${users.join(', ')}): end that first, then move it.`);
}

type Sums = Map<string, TableSum>;

async function copy({ source, target, tell }: StoreMoving, isMigrated: boolean): Promise<Sums> {
  const until = await findMigration(source.db);
  if (!isMigrated) await makeAnew(target.connection, { until });
  const names = await listMovedTables(source.db);
  const sums: Sums = new Map();
  await inTransaction(source.db, async (tx) => {
    await takeSnapshot(tx);
    await waitForOther(tx);
    const rows = new Map<string, RowSource>();
    for (const name of names) {
      const sum = await sumTable(tx, name);
      sums.set(name, sum);
      const read = () => readWholeTable(tx, { name, lotRows: LOT_ROWS, withSecrets: true });
      rows.set(name, { rows: sum.rows, read, leftOut: [], instead: {} });
    }
    tell(`Copying ${countAll(sums)} rows of ${sums.size} tables.`);
    await fillTables(target.db, rows);
    await takeOverState(target.db, tx);
  });
  return sums;
}

const countAll = (sums: Sums) => [...sums.values()].reduce((all, { rows }) => all + rows, 0);

async function compare(target: Db, sums: Sums): Promise<void> {
  for (const [name, { rows, sum }] of sums) {
    const there = await sumTable(target, name);
    if (there.rows !== rows || there.sum !== sum)
      throw new StoreMoveError(
        `${name} has ${rows} rows of sum ${sum} here, and ${there.rows} of ${there.sum} there: nothing was moved.`,
      );
  }
}

/** The target's commit decides: from it on it is open, and the source is closed for good. */
async function switchOver({ source, target, nowMs, ids }: StoreMoving, id: string): Promise<void> {
  const now = await identifyMoved(target.db);
  await passMove(source.db, { id, from: 'copying', to: 'switching' });
  try {
    await inTransaction(target.db, async (tx) => {
      await settleMoved(tx, { now, nowMs, ids });
      await noteArrival(tx, { id, nowMs });
      await endMakingIn(tx);
    });
  } catch (error) {
    // A commit whose answer was lost may have happened.
    if (!(await hasArrived(target.db, id))) {
      await undoMove(source.db, ['switching']);
      throw error;
    }
  }
  await passMove(source.db, { id, from: 'switching', to: 'moved' });
}

/** The source goes on, once it is sure that the target does not. Throws StoreMoveError. */
export async function reopen(source: Place, other: { target: Place; to: string } | null): Promise<void> {
  await withLocks(
    [source, ...(other ? [other.target] : [])].map(({ connection }) => connection),
    async () => {
      const { id, stage, to } = await readMove(source.db);
      if (stage === null || stage === 'arrived') throw new StoreMoveError('This store is open.');
      if (stage === 'moved') throw new StoreMoveError(`It was moved to ${to}, and is closed for good.`);
      if (stage === 'switching') {
        if (other?.to !== to)
          throw new StoreMoveError(`Whether it is open at ${to} only that can tell: add that as --to.`);
        if (await hasArrived(other.target.db, id))
          throw new StoreMoveError(`It is open at ${to}: start it there.`);
        // What is there can never become the store any more.
        await dropSchema(other.target.connection);
      }
      await undoMove(source.db, ['copying', 'switching']);
    },
  );
}
