/**
 * Questions that each store answers for itself, where rows lie on several nodes: so many stores are asked at a time, each
 * alone, and the next time those after them.
 */
import { type SqlBool, sql } from 'kysely';
import type { Db } from './database.ts';
import type { Scope } from './scope.ts';
import { readTogether } from './transaction.ts';

/** Stores of a turn: what is asked so is asked again and again, and may take several turns to reach all. */
const STORES_PER_TURN = 200;

/** Where the last turn of a question ended. */
const ends = new WeakMap<Db, Map<string, Scope | null>>();

type Ask<T> = (db: Db, scope: Scope) => Promise<readonly T[]>;

/** The answers of the stores whose turn it is, in their order. `name` says which question it is. */
export async function askByTurns<T>(db: Db, name: string, ask: Ask<T>): Promise<T[]> {
  const known = ends.get(db) ?? new Map<string, Scope | null>();
  ends.set(db, known);
  const turn = await askAfter(db, known.get(name) ?? null, ask);
  known.set(name, turn.next);
  return turn.answers;
}

/** The answers of all stores, for whoever waits for them. */
export async function askAllStores<T>(db: Db, ask: Ask<T>): Promise<T[]> {
  const all: T[] = [];
  for (let after: Scope | null = null; ; ) {
    const turn: Turn<T> = await askAfter(db, after, ask);
    all.push(...turn.answers);
    if (turn.next === null) return all;
    after = turn.next;
  }
}

interface Turn<T> {
  answers: T[];
  /** The last that was asked; null = there is none behind it. */
  next: Scope | null;
}

async function askAfter<T>(db: Db, after: Scope | null, ask: Ask<T>): Promise<Turn<T>> {
  const scopes = await listAfter(db, after);
  const answers = await readTogether(db, (one) => Promise.all(scopes.map((scope) => ask(one, scope))));
  return {
    answers: answers.flat(),
    next: scopes.length < STORES_PER_TURN ? null : (scopes.at(-1) ?? null),
  };
}

async function listAfter(db: Db, after: Scope | null): Promise<Scope[]> {
  const isAfter =
    after === null
      ? sql<SqlBool>`true`
      : sql<SqlBool>`(workspace_id, test_mode) > (${after.workspaceId}::uuid, ${after.testMode}::boolean)`;
  return db
    .selectFrom('stores')
    .select(['workspaceId', 'testMode'])
    .where(isAfter)
    .orderBy('workspaceId')
    .orderBy('testMode')
    .limit(STORES_PER_TURN)
    .execute();
}
