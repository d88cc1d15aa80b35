/** The store as the operator's commands open it: the one at DATABASE_URL, or the embedded one beside its service. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { type Config, ConfigError, parseConfig } from '../../config.ts';
import { type DatabaseOptions, type Db, openDatabase } from '../../db/database.ts';
import { BackupDirRefused } from '../../db/embedded/backups/backup-place.ts';
import { type EmbeddedStore, openEmbeddedStore } from '../../db/embedded/store.ts';
import { SchemaError, TooOldError } from '../../db/migrate.ts';
import { createStoreClock } from '../../db/store-clock.ts';
import { isRightMissing, readStoreFailure } from '../../db/store-failure.ts';
import { Refusal } from '../../domain/errors.ts';
import { findClosed } from '../../flows/moves/closed-store.ts';
import { readEnvironment } from '../environment.ts';
import { EXIT } from '../exit-codes.ts';
import { StartError } from '../start-error.ts';
import { endOnSignal, isInterrupted } from '../stop-signal.ts';
import { TracesMissing } from '../watching/open-traces.ts';
import { findMissing } from './compare-migrations.ts';
import { freeReader, tellFailure } from './manners.ts';

export interface OperatorStore {
  /** Real time as the store has it, which the services beside go by: this machine's clock may be another. */
  nowMs(): number;
  connection: Pick<DatabaseOptions, 'connectionString' | 'host' | 'port' | 'user' | 'password' | 'database'>;
  /** Of the embedded store; null = a PostgreSQL of the operator's own. */
  place: EmbeddedStore['place'] | null;
  /** Of the embedded store, where it is backed up. */
  backups: EmbeddedStore['backups'];
  stop(): Promise<void>;
}

async function openOperatorStore({
  databaseUrl,
  dataDir,
  backups,
}: Config): Promise<Omit<OperatorStore, 'nowMs'>> {
  if (databaseUrl !== null)
    return {
      connection: { connectionString: databaseUrl },
      place: null,
      backups: null,
      stop: async () => {},
    };
  const store = await openEmbeddedStore({ dataDir, backups, log: () => {}, purpose: 'attach' });
  return {
    connection: store.poolConfig,
    place: store.place,
    backups: store.backups,
    stop: () => store.stop(),
  };
}

/** It moves, or has moved, to another server. */
class StoreClosed extends Error {
  override name = 'StoreClosed';
}

/** Nothing was started here yet: whoever only looks must not leave an empty store behind. */
class NoStore extends Error {
  override name = 'NoStore';
}

/** Whether there is one to ask: where a `start` of the embedded store has been, or a PostgreSQL is named. */
function hasStore({ databaseUrl, dataDir }: Config): boolean {
  return databaseUrl !== null || existsSync(path.join(dataDir, 'postgres'));
}

/** Wrong arguments: told with the usage. */
export class UsageError extends Error {}

/** Wrong words or settings, and a program that is not the one to start: older than its store, or without what it was told to use. */
const WRONG_USE = [UsageError, ConfigError, TooOldError, TracesMissing, BackupDirRefused];

/** Refused: told with the reason. */
const REFUSED: ReadonlySet<string> = new Set([
  'AccountError',
  'RestoreError',
  'AgeError',
  'HoldError',
  'MoveError',
  'ResumeError',
  'StoreMoveError',
  'StoreClosed',
  'SpreadError',
  'DayError',
  'BackupUnderWay',
  'BackupFailed',
  'CannotGoBack',
  'SchemaError',
]);
/** Whatever Node says of flags that it does not know. */
const WRONG_FLAGS = 'ERR_PARSE_ARGS';

/** What the API would answer, as the merchant's commands tell it. */
const CODE_OF_STATUS: Readonly<Record<number, number>> = {
  401: EXIT.notAllowed,
  403: EXIT.notAllowed,
  404: EXIT.notFound,
  503: EXIT.unreachable,
};
const toOtherCode = (status: number) => (status < 500 ? EXIT.refused : EXIT.bug);

/** A file or folder that was named, and is not there, is none, or is somebody else's. */
const FILE_NOT_OPEN = new Set(['ENOENT', 'ENOTDIR', 'EEXIST', 'EISDIR', 'EACCES', 'EPERM', 'EROFS']);
/** The disk is full: the operator's to mend, and nothing is wrong with what was asked. */
const NO_ROOM: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT']);
/** The same, as those say it who looked for what lies in it. */
const NOT_THERE: ReadonlySet<string> = new Set(['DayMissing', 'NoBackups']);

/** Whether a file or folder cannot be used as it was named. */
export const isPathRefused = (error: unknown) =>
  error instanceof Error &&
  'code' in error &&
  FILE_NOT_OPEN.has(String(error.code)) &&
  // A program of ours that is not there was named by nobody.
  !('syscall' in error && String(error.syscall).startsWith('spawn'));

/** How a command ends that this has come of. */
export function toExitCode(error: unknown): number {
  if (!(error instanceof Error)) return EXIT.bug;
  if (error instanceof Refusal) return CODE_OF_STATUS[error.status] ?? toOtherCode(error.status);
  if (error instanceof StartError) return error.exit;
  if (WRONG_USE.some((kind) => error instanceof kind)) return EXIT.usage;
  if (NOT_THERE.has(error.name)) return EXIT.usage;
  if ('code' in error && String(error.code).startsWith(WRONG_FLAGS)) return EXIT.usage;
  if (REFUSED.has(error.name)) return isPathRefused(error.cause) ? EXIT.usage : EXIT.refused;
  if (error.name === 'SpreadObstacles') return EXIT.found;
  if (error.name === 'Declined') return EXIT.declined;
  if (error instanceof NoStore) return EXIT.unreachable;
  if (readStoreFailure(error) === 'unavailable') return EXIT.unreachable;
  if (isRightMissing(error)) return EXIT.refused;
  if ('code' in error && NO_ROOM.has(String(error.code))) return EXIT.refused;
  return isPathRefused(error) ? EXIT.usage : EXIT.bug;
}

/** A store that is not of this version's schema yet has no room for what a command asks; null = that is not why. */
async function explainOlder(db: Db, error: unknown): Promise<SchemaError | null> {
  const missing = await findMissing(db, error).catch(() => null);
  return (
    missing &&
    new SchemaError(
      `${missing.pending.length} migration(s) of this version are not in the store: npm run migrate, or start the service.`,
    )
  );
}

/** Runs a command over the store. What it throws is told in one line, and the process ends with another code than 0. */
export async function runOnStore(
  run: (db: Db, config: Config, store: OperatorStore) => Promise<void>,
  {
    statementTimeoutMs = 30_000,
    evenClosed = false,
    withoutStore = 'refused',
    checkWords = () => {},
    whenAway,
  }: {
    statementTimeoutMs?: number;
    /** For what only reads, and for the move itself. */
    evenClosed?: boolean;
    /** `made` by what fills a store, which may be the first to come to this folder; `quiet` = there is nothing to do. */
    withoutStore?: 'refused' | 'quiet' | 'made';
    /** Refuses words that no store would take, before one is looked for: whoever mistyped is told so first. */
    checkWords?: () => void;
    /** Told why the store cannot be reached or asked, in place of whoever called the command. */
    whenAway?: (error: unknown) => void;
  } = {},
): Promise<void> {
  freeReader();
  endOnSignal();
  try {
    checkWords();
    const config = parseConfig(readEnvironment());
    if (withoutStore !== 'made' && !hasStore(config)) {
      if (withoutStore === 'quiet') return;
      throw new NoStore(`There is no store in ${config.dataDir}: the first start of the service makes one.`);
    }
    const store = await openOperatorStore(config);
    const limits = { maxConnections: 2, acquireTimeoutMs: 5_000, statementTimeoutMs };
    const database = openDatabase({ ...store.connection, ...limits });
    try {
      const closed = evenClosed ? null : await findClosed(database.db);
      if (closed !== null) throw new StoreClosed(closed.replace(/^./, (letter) => letter.toUpperCase()));
      const clock = createStoreClock(database.pool);
      await clock.sync();
      await run(database.db, config, { ...store, nowMs: clock.nowMs });
    } catch (error) {
      throw (await explainOlder(database.db, error)) ?? error;
    } finally {
      await database.close();
      await store.stop();
    }
  } catch (error) {
    // What a signal has taken away from it is no failure: the signal ends the process.
    if (isInterrupted()) return;
    process.exitCode = toExitCode(error);
    const isTold = readStoreFailure(error) === 'unavailable' || isRightMissing(error);
    if (whenAway && isTold) whenAway(error);
    else tellFailure(error, process.exitCode);
  }
}
