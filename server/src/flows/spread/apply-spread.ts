/**
 * A store is spread over the nodes of its cluster: it is closed for writes, laid out table by table, compared by counts and
 * sums, and opened again. Each step is noted; killed at any moment, the same command goes on where it was.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import type { Db } from '../../db/database.ts';
import { tryLock } from '../../db/held-lock.ts';
import { inOpenTransaction } from '../../db/open-transaction.ts';
import {
  closeForWrites,
  endSessions,
  isSpreading,
  noteStep,
  openForWrites,
  readMoment,
  readStep,
  SPREAD,
  SPREAD_DONE,
  settlePrepared,
} from '../../resources/installation/spread.queries.ts';
import type { SpreadPlan } from './plan-spread.ts';
import { SpreadError } from './spread-error.ts';
import { STEPS } from './spread-steps.ts';

/** Any number that no other lock of ours uses. */
const SPREAD_LOCK = 7_301_961;
const LOOK_AGAIN_MS = 100;
const TRIES_MAX = 300;

export interface Spreading {
  db: Db;
  connection: pg.ClientConfig;
  /** Asked once it is closed, since a killed one may have changed what there is. */
  plan: () => Promise<SpreadPlan>;
  /** Whatever has to hold; throws. */
  ask: () => Promise<void>;
  tell: (line: string) => void;
}

/** Throws SpreadError. Whatever it fails at, the store is closed for writes until it has ended. */
export async function applySpread(spreading: Spreading): Promise<void> {
  const { db, connection, ask, tell } = spreading;
  const lock = await tryLock(connection, SPREAD_LOCK);
  if (!lock) throw new SpreadError('Another process spreads this store.');
  try {
    const isResumed = await isSpreading(db);
    if (!isResumed) await ask();
    await close(spreading, { isResumed });
    const done = await readStep(db, SPREAD.stage);
    const plan = await spreading.plan();
    const from = STEPS.findIndex(({ name }) => name === done) + 1;
    for (const { name, run } of STEPS.slice(from)) {
      await run(db, plan, tell);
      await note(db, name);
    }
    await ask();
    await open(spreading);
  } finally {
    await lock.release();
  }
}

async function note(db: Db, cursor: string): Promise<void> {
  await inOpenTransaction(db, (tx) => noteStep(tx, SPREAD.stage, cursor));
}

/** Nobody writes from here on, and nobody who did is left: neither a process of the service nor a killed one of these. */
async function close({ db, tell }: Spreading, { isResumed }: { isResumed: boolean }): Promise<void> {
  if (!isResumed)
    await inOpenTransaction(db, async (tx) => {
      await noteStep(tx, SPREAD.stage, 'closed');
      // Of one before, whose keys may be others by now.
      await noteStep(tx, SPREAD.definitions, '[]');
    });
  await closeForWrites(db);
  await endOthers(db);
  await settlePrepared(db);
  tell('Writes are refused from here on, and reads are served.');
}

async function endOthers(db: Db): Promise<void> {
  const before = await readMoment(db);
  for (let attempt = 0; attempt < TRIES_MAX; attempt += 1) {
    if ((await endSessions(db, { before })) === 0) return;
    await wait(LOOK_AGAIN_MS);
  }
  throw new SpreadError('Some sessions of this database could not be ended.');
}

async function open({ db, tell }: Spreading): Promise<void> {
  await openForWrites(db);
  await note(db, SPREAD_DONE);
  // Those that only read have been told so when they began.
  await endOthers(db);
  tell('Writes are taken again.');
}
