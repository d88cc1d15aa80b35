/**
 * A group: pieces of work of the same kind in one transaction, side by side. What each of them asks next goes out with
 * what the others ask, in one write, so that many pieces cost the round trips and the commit of one.
 */
import {
  type CompiledQuery,
  type ConnectionProvider,
  type DatabaseConnection,
  DummyDriver,
  PostgresDialect,
  type QueryExecutor,
  type QueryResult,
  Transaction,
} from 'kysely';
import { assert } from '../domain/assert.ts';
import { shareFacts } from './committed-facts.ts';
import type { Db, Tx } from './database.ts';
import type { Tables } from './schema.ts';
import { keepForm } from './store-form.ts';
import { inTransaction } from './transaction.ts';

/**
 * Runs `work` for every item at once, in one transaction: all of them hold, or none, and one that throws makes the
 * whole throw. The work goes in rounds: the statements of a round are sent in the order of the items, as soon as each
 * piece has asked or ended, so that the same items make the same ids in the same order, however long anything takes.
 * A piece may wait for its own statements, and for nothing that another piece does.
 */
export async function inGroupTransaction<Item, T>(
  db: Db,
  items: readonly Item[],
  work: (tx: Tx, item: Item) => Promise<T>,
): Promise<T[]> {
  const [first] = items;
  if (first === undefined) return [];
  if (items.length === 1) return [await inTransaction(db, (tx) => work(tx, first))];
  return inTransaction(db, (tx) => runGroup(tx, items, work));
}

/**
 * The same where each piece may hold without the others: those whose group fails are done by themselves, one after
 * the other. Tells of each how it went, in the order of the items.
 */
export async function inGroupOrAlone<Item, T>(
  db: Db,
  items: readonly Item[],
  work: (tx: Tx, item: Item) => Promise<T>,
): Promise<PromiseSettledResult<T>[]> {
  if (items.length > 1) {
    const [group] = await Promise.allSettled([inGroupTransaction(db, items, work)]);
    if (group.status === 'fulfilled') return group.value.map((value) => ({ status: 'fulfilled', value }));
  }
  const results: PromiseSettledResult<T>[] = [];
  for (const item of items) {
    results.push(...(await Promise.allSettled([inTransaction(db, (tx) => work(tx, item))])));
  }
  return results;
}

async function runGroup<Item, T>(
  tx: Tx,
  items: readonly Item[],
  work: (tx: Tx, item: Item) => Promise<T>,
): Promise<T[]> {
  const rounds = new Rounds(tx, items.length);
  const pieces = items.map(async (item, place) => {
    try {
      return await work(rounds.toTransaction(place), item);
    } catch (error) {
      rounds.fail(error);
      throw error;
    } finally {
      rounds.leave(place);
    }
  });
  const results = await Promise.allSettled(pieces);
  if (rounds.failure) throw rounds.failure.cause;
  return results.map((result) => {
    assert(result.status === 'fulfilled', 'a piece of work that failed has failed its group');
    return result.value;
  });
}

interface Asked {
  place: number;
  query: CompiledQuery;
  resolve: (result: QueryResult<unknown>) => void;
  reject: (error: unknown) => void;
}

class Rounds {
  /** Why none of the work will hold; what is asked after it is refused. */
  failure: { cause: unknown } | null = null;
  private readonly whole: Tx;
  private readonly executor: QueryExecutor;
  private readonly present: Set<number>;
  private asked: Asked[] = [];
  private isSending = false;

  constructor(whole: Tx, count: number) {
    this.whole = whole;
    this.executor = whole.getExecutor();
    this.present = new Set(Array(count).keys());
  }

  /** The transaction as one of the pieces sees it. */
  toTransaction(place: number): Tx {
    const connection: DatabaseConnection = {
      // A query's rows are of the type that its builder gave it.
      executeQuery: (query) => this.ask(place, query) as Promise<QueryResult<never>>,
      // biome-ignore lint/correctness/useYield: the service has no cursors.
      async *streamQuery() {
        throw new Error('a group reads no cursors');
      },
    };
    const provider: ConnectionProvider = { provideConnection: (consumer) => consumer(connection) };
    const executor = this.executor.withConnectionProvider(provider);
    const piece = new Transaction<Tables>({ config: { dialect }, dialect, driver, executor });
    shareFacts(piece, this.whole);
    return keepForm(piece, this.whole);
  }

  leave(place: number): void {
    this.present.delete(place);
    this.sendIfAllHaveAsked();
  }

  fail(cause: unknown): void {
    this.failure ??= { cause };
  }

  private ask(place: number, query: CompiledQuery): Promise<QueryResult<unknown>> {
    return new Promise((resolve, reject) => {
      this.asked.push({ place, query, resolve, reject });
      this.sendIfAllHaveAsked();
    });
  }

  private sendIfAllHaveAsked(): void {
    if (this.asked.length === 0 || this.isSending) return;
    if (new Set(this.asked.map(({ place }) => place)).size < this.present.size) return;
    this.isSending = true;
    // The last piece may be asking for more at once.
    queueMicrotask(() => {
      this.isSending = false;
      const round = this.asked.sort((a, b) => a.place - b.place);
      this.asked = [];
      void this.send(round);
    });
  }

  private async send(round: Asked[]): Promise<void> {
    const answers = await this.executor.provideConnection((connection) =>
      Promise.allSettled(
        round.map(({ query }) =>
          this.failure ? Promise.reject(this.failure.cause) : connection.executeQuery<unknown>(query),
        ),
      ),
    );
    for (const [index, answer] of answers.entries()) {
      const asked = round[index];
      if (answer.status === 'fulfilled') asked?.resolve(answer.value);
      else {
        // The first is the reason of those after it: PostgreSQL refuses what follows an error.
        this.fail(answer.reason);
        asked?.reject(answer.reason);
      }
    }
  }
}

/** Kysely's type wants them; a transaction's own executor is all that is used. */
const driver = new DummyDriver();
const dialect = new PostgresDialect({ pool: () => Promise.reject(new Error('a group opens no connection')) });
