/**
 * Statements of one connection, sent as they are asked for: what is asked at once leaves in one write and is run in the
 * order of asking, so that it costs one round trip.
 */
import {
  type CompiledQuery,
  type ConnectionProvider,
  type DatabaseConnection,
  DummyDriver,
  Kysely,
  PostgresDialect,
  type PostgresPoolClient,
  type QueryResult,
  Transaction,
} from 'kysely';
import { assert } from '../domain/assert.ts';
import type { Db, Tx } from './database.ts';
import type { Tables } from './schema.ts';
import { keepForm } from './store-form.ts';

/** What PostgreSQL says to every statement behind one that failed. */
const IN_FAILED_TRANSACTION = '25P02';
const CHANGES = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE']);

export class Statements implements DatabaseConnection {
  protected readonly client: PostgresPoolClient;
  private isOver = false;

  constructor(client: PostgresPoolClient) {
    this.client = client;
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    // The connection is somebody else's by then.
    assert(!this.isOver, 'a query came after the end of its connection');
    const { command, rowCount, rows } = await this.ask<R>(sql, parameters);
    return { rows, ...(CHANGES.has(command) ? { numAffectedRows: BigInt(rowCount) } : {}) };
  }

  // biome-ignore lint/correctness/useYield: the service has no cursors.
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('the service reads no cursors');
  }

  end(): void {
    this.isOver = true;
  }

  protected ask<R>(text: string, parameters: readonly unknown[]) {
    return this.client.query<R>(text, parameters);
  }
}

/** A transaction from `begin`, which goes with its first statement, to its end. */
export class TransactionStatements extends Statements {
  private begun: Promise<unknown> | null = null;
  private failure: { cause: unknown } | null = null;
  private readonly last: Promise<unknown>[] = [];

  /** Takes note of a statement that the commit need not wait for. */
  leaveToCommit(statement: Promise<unknown>): void {
    statement.catch(() => {});
    this.last.push(statement);
  }

  async commit(): Promise<void> {
    this.end();
    if (!this.begun) return;
    const { command } = await this.client.query('commit', []);
    await Promise.all(this.last);
    // So PostgreSQL ends a transaction of which a statement failed, whoever has caught the error.
    if (hasRolledBack(command)) throw this.failure?.cause ?? new Error('what had failed was to be committed');
  }

  async rollback(): Promise<void> {
    this.end();
    if (this.begun) await this.client.query('rollback', []);
  }

  protected override async ask<R>(text: string, parameters: readonly unknown[]) {
    this.begun ??= this.note(this.client.query('begin', []));
    try {
      return await this.client.query<R>(text, parameters);
    } catch (error) {
      // Of statements that were sent together the first that failed is the reason, whichever is waited for first.
      if (this.failure && isBehindFailure(error)) throw this.failure.cause;
      this.failure ??= { cause: error };
      throw error;
    }
  }

  private async note(begin: Promise<unknown>): Promise<void> {
    await begin.catch((cause: unknown) => {
      this.failure ??= { cause };
    });
  }
}

/** Kysely's type of a command knows only those that it builds. */
function hasRolledBack(command: string): boolean {
  return command === 'ROLLBACK';
}

function isBehindFailure(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === IN_FAILED_TRANSACTION;
}

const statementsOf = new WeakMap<Db, Statements>();

/** The transaction as its work sees it. */
export function toTransaction(db: Db, statements: TransactionStatements): Tx {
  const executor = db.getExecutor().withConnectionProvider(toProvider(statements));
  const tx = new Transaction<Tables>({ config: { dialect }, dialect, driver, executor });
  statementsOf.set(tx, statements);
  return keepForm(tx, db);
}

/** The same connection outside a transaction. */
export function toConnectedDb(db: Db, statements: Statements): Db {
  const executor = db.getExecutor().withConnectionProvider(toProvider(statements));
  const connected = new Kysely<Tables>({ config: { dialect }, dialect, driver, executor });
  statementsOf.set(connected, statements);
  return keepForm(connected, db);
}

/** Whether what is asked for at once is sent together there: a transaction, or a connection of its own. */
export function isConnected(db: Db): boolean {
  return statementsOf.has(db);
}

/** Sends what is compiled already: on a connection of one's own without the layers between. */
export async function askCompiled<R>(db: Db, query: CompiledQuery<R>): Promise<R[]> {
  const { rows } = await (statementsOf.get(db) ?? db).executeQuery<R>(query);
  return rows;
}

/**
 * Asks for statements of a transaction that only its commit waits for: nobody reads what they answer, and if one fails,
 * so does the transaction. What is asked for last leaves in one write with the commit. `ask` must ask for all of them
 * at once: what it asked for after an answer would come too late.
 */
export async function askLast(tx: Tx, ask: () => Promise<unknown>): Promise<void> {
  const statements = statementsOf.get(tx);
  if (statements instanceof TransactionStatements) statements.leaveToCommit(ask());
  else await ask();
}

function toProvider(connection: DatabaseConnection): ConnectionProvider {
  return { provideConnection: (consumer) => consumer(connection) };
}

/** Kysely's types want them; an executor of its own is all that is used. */
const driver = new DummyDriver();
const dialect = new PostgresDialect({ pool: () => Promise.reject(new Error('the connection is there')) });
