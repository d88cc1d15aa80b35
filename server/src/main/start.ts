/** `npm start`: opens the store, migrates, fills an empty one, serves, and stops in good order. */
import { setTimeout as wait } from 'node:timers/promises';
import { type Config, parseConfig } from '../config.ts';
import { BackupDirRefused } from '../db/embedded/backups/backup-place.ts';
import { watchRoom } from '../db/embedded/room.ts';
import { makeServerUser } from '../db/embedded/server-user.ts';
import { type EmbeddedStore, openEmbeddedStore } from '../db/embedded/store.ts';
import { findWaiting, migrate } from '../db/migrate.ts';
import type { HeldReason } from '../domain/held.ts';
import { sendAccountMails } from '../flows/accounts/send-account-mails.ts';
import { findClosed, openForStart } from '../flows/moves/closed-store.ts';
import { stopListening } from '../http/drain.ts';
import { warnOfUnnamedProxy } from '../http/proxy-watch.ts';

import { getServerVersion } from '../resources/installation/installation.queries.ts';
import { secureBeforeMigrating } from './before-migrating.ts';
import { bootstrapStore } from './bootstrap-store.ts';
import { checkFolders } from './check-folders.ts';
import { compareStore } from './compare-store.ts';
import type { Credentials } from './credentials-file.ts';
import { keepDiskDays } from './disk-days.ts';
import { readEnvironment } from './environment.ts';
import { EXIT } from './exit-codes.ts';
import { choosePort } from './free-port.ts';
import { keepGivingBackMemory } from './give-back-memory.ts';
import { serveHealth } from './health-port.ts';
import { keepBackups } from './keep-backups.ts';
import { findMisplaced } from './open-files.ts';
import { isPathRefused, toExitCode } from './operators/operator-store.ts';
import { readFlags } from './operators/read-flags.ts';
import { printStart } from './print-start.ts';
import { keepBeating } from './process-beat.ts';
import { keepBooks, keepProcessors } from './processor-care.ts';
import { refuseOther } from './refuse-other.ts';
import { refuseStale } from './refuse-stale.ts';
import { createRounds, type Rounds } from './rounds.ts';
import { findMissingKey } from './sealed-secrets.ts';
import { listenAt, overMigrateUrl, StartError, toOperatorLine } from './start-error.ts';
import { hearStop, type StopSignal } from './stop-signal.ts';
import { keepSweeping } from './sweep.ts';
import { watchFiles } from './watch-files.ts';
import { readBackupAges } from './watching/backup-ages.ts';
import { createLog } from './watching/log.ts';
import { serveMetrics } from './watching/metrics-pages.ts';
import { openTraces } from './watching/open-traces.ts';
import { type Wired, type WireOptions, wire } from './wire.ts';

const USAGE = 'Usage: npm start [-- --make-user]';
const { values: given } = readFlags(USAGE, {
  options: { 'make-user': { type: 'boolean', default: false } },
});

/** A stop ends within 30 s whatever hangs. */
const STOP_LIMIT_MS = 29_000;
/** What is cut off notes its end, and gives back what it has. */
const ROLLBACK_MS = 2_000;
const FLUSH_EVERY_MS = 30_000;
/** Letters to accounts go out with the request that causes them; this is for those that were left. */
const LETTERS_EVERY_MS = 15_000;
/** Whoever looks for a request that was just refused finds it. */
const LOG_EVERY_MS = 500;
/** How often stores are looked for whose advance of the test clock died with its process. */
const RELEASE_EVERY_MS = 15_000;
const CLOCK_EVERY_MS = 30_000;
/** Where somebody watches: nightly, and not at once after a start. */
const CHECK_AFTER_MS = 3_600_000;
const CHECK_EVERY_MS = 24 * 3_600_000;
/** More is no matter of a slow network: the machine's clock, or the store's, is wrong. */
const CLOCK_OFF_MAX_MS = 5_000;

const HELD_WORDS: Readonly<Record<HeldReason, string>> = {
  system_identifier: 'it lies in another PostgreSQL than when it last ran',
  data_dir: 'it lies in another folder than when it last ran',
  public_url: 'it is reached at another PUBLIC_URL than when it last sold',
  restored: 'it was restored',
  operator: 'its operator holds it',
  witness: 'it shows less than it had acknowledged, or nobody remembers what it should show',
};

interface Opened {
  connection: Omit<WireOptions['store'], 'hasRoom'>;
  hasRoom?: () => boolean;
  /** Once what a start writes is written: where there is no room. */
  refuseWrites?: () => void;
  /** Where the embedded store lies, and who runs it; null for a PostgreSQL of the operator's own. */
  place: EmbeddedStore['place'] | null;
  backups: EmbeddedStore['backups'];
  /** What was written to before, at least. */
  timeline?: number | null;
  /** Once they are kept. */
  endBackups?: () => Promise<void>;
  /** Once it is said that this process lives. */
  endBeating?: () => Promise<void>;
  /** Once what is done is traced. */
  endTraces?: (() => Promise<void>) | undefined;
  close(): Promise<void>;
}

async function openStore(config: Config): Promise<Opened> {
  if (config.databaseUrl !== null) {
    return {
      connection: { connectionString: config.databaseUrl },
      place: null,
      backups: null,
      close: async () => {},
    };
  }
  // A start that is refused says why in one line: what happened on the way is told once the store is ours.
  let early: string[] | null = [];
  const log = (line: string) => (early === null ? console.error(line) : early.push(line));
  try {
    const store = await openEmbeddedStore({ dataDir: config.dataDir, backups: config.backups, log });
    for (const line of early) console.error(line);
    early = null;
    const { stop, ...room } = await watchRoom(config.dataDir, (line) => console.error(line));
    const close = () => {
      stop();
      return store.stop();
    };
    return { connection: store.poolConfig, ...room, place: store.place, backups: store.backups, close };
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    if (isPathRefused(cause)) {
      const exit = EXIT.usage;
      throw new StartError(`DATA_DIR (${config.dataDir}) cannot be used: ${message}`, { cause, exit });
    }
    const exit = cause instanceof BackupDirRefused ? EXIT.usage : EXIT.refused;
    throw new StartError(message, { cause, exit });
  }
}

/** What migrations are run over: a pooler is no place for them. */
const toMigrate = ({ connection }: Opened, { migrateDatabaseUrl }: Config) =>
  migrateDatabaseUrl === null ? connection : { connectionString: migrateDatabaseUrl };

/** The store, with a way back where it is about to be migrated. */
async function openReady(config: Config): Promise<Opened> {
  const store = await openStore(config);
  try {
    const { databaseUrl, migrateDatabaseUrl, dataDir } = config;
    store.timeline = await refuseStale(databaseUrl, dataDir);
    await refuseOther(config);
    const { last, pending } = await overMigrateUrl(config, async () => {
      store.timeline = (await refuseStale(migrateDatabaseUrl, dataDir)) ?? store.timeline ?? null;
      return findWaiting(toMigrate(store, config));
    });
    if (pending.length === 0) return store;
    if (config.migrate === 'off') {
      throw new StartError(`${pending.length} migration(s) wait, and MIGRATE is off: npm run migrate`);
    }
    if (last === null || store.place === null) return store;
    const { place, backups, close } = store;
    const asked = { store: { place, backups }, migrate: config.migrate, schema: last, close };
    for (const line of await secureBeforeMigrating(asked)) console.error(line);
    return backups === null ? await openStore(config) : store;
  } catch (error) {
    await store.close();
    throw error;
  }
}

async function start(signal: StopSignal): Promise<void> {
  if (given['make-user']) makeUser();
  const startedMs = performance.now();
  const config = parseConfig(await choosePort(readEnvironment()));
  hasOwnStore = config.databaseUrl !== null;
  stopEarly(signal, config);
  await checkFolders(config);
  // First, since what is not there cannot be started with, and what is built before is not traced.
  const traces = await openTraces(config);
  const log = createLog(config.logLevel, { ...traces, asText: config.logFormat === 'text' });
  traces?.tellTo(log);
  const store = await openReady(config);
  if (signal.isAsked()) {
    await store.close();
    process.exit(0);
  }
  store.endTraces = traces?.close;
  const { backups } = store;
  const wired = await wire({
    config,
    log,
    ...(backups === null ? {} : { readBackups: () => readBackupAges(backups, Date.now()) }),
    store: { ...store.connection, ...(store.hasRoom ? { hasRoom: store.hasRoom } : {}) },
  });
  if (store.timeline) wired.witness.atLeast(store.timeline);
  const running = { wired, store, config, rounds: createRounds() };
  stopOnSignal(signal, running);
  try {
    await refuseClosed(wired, store);
    const tell = (line: string) => console.error(line);
    await overMigrateUrl(config, () => migrate(toMigrate(store, config), { tell }));
    const missing = await findMissingKey(wired.service.db, wired.service.sealing);
    if (missing !== null) throw new StartError(missing);
    await compare(wired, config, store);
    const misplaced = await findMisplaced(wired.service.db, config);
    if (misplaced !== null) throw new StartError(misplaced);
    const credentials = await serve(running);
    const readyMs = performance.now() - startedMs;
    watchBackups(wired, config, store);
    const version = await getServerVersion(wired.service.db);
    printStart({ config, credentials, readyMs, store: { version, place: store.place } });
  } catch (error) {
    // What a stop takes away from a start that has not ended is no failure of it: the stop ends the process.
    if (wired.readiness.isStopping) return;
    // Who looks after the processes would take it for one that was killed.
    await store.endBeating?.();
    // The embedded store is a process of its own, which would outlive a start that failed.
    await wired.close();
    await store.close();
    throw error;
  }
}

/** A store that has moved is closed; one that a killed move has left as it was is open again. */
async function refuseClosed({ service }: Wired, { connection }: Opened): Promise<void> {
  const { refused, isReopened } = await openForStart(service.db, connection);
  if (refused !== null) throw new StartError(refused);
  if (isReopened)
    console.error(
      'A move of this store was killed before its end: it is open again, and nothing has left it.',
    );
}

/** A copy of an installation that lives is held: it is told here how it goes on. */
async function compare({ service, storeClock }: Wired, config: Config, { place }: Opened): Promise<void> {
  await storeClock.sync();
  const reason = await compareStore(service, config, place);
  if (reason !== null)
    console.error(
      `This store is held (${HELD_WORDS[reason]}): its live stores can be read, and nothing goes out of them. npm run resume`,
    );
}

/** Said once, as root: the store that is made then belongs to an account of its own. */
function makeUser(): void {
  try {
    if (makeServerUser() === 'made')
      console.log('The system user counterfoil was made: a new store runs as it.');
  } catch (cause) {
    throw new StartError(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

async function serve({ wired, store, config, rounds }: Running): Promise<Credentials | null> {
  await setClock(wired, rounds);
  store.endBeating = await keepBeating(wired.service, wired.witness);
  // A move that has begun meanwhile sees this process from here on.
  const closed = await findClosed(wired.service.db);
  if (closed !== null) throw new StartError(closed);
  watchFiles(wired.service, rounds);
  const credentials = await bootstrapStore(wired.service);
  await listenEverywhere(wired, config);
  store.refuseWrites?.();
  if (config.role === 'api') wired.worker.standIn();
  else wired.worker.start();
  const { service, authenticator, requestLog } = wired;
  rounds.every({ everyMs: FLUSH_EVERY_MS }, () => authenticator.flush());
  rounds.every({ everyMs: LETTERS_EVERY_MS }, () => sendAccountMails(service));
  rounds.every({ everyMs: LOG_EVERY_MS }, () => requestLog.flush());
  rounds.every({ everyMs: RELEASE_EVERY_MS }, () => service.clock.releaseAbandoned());
  if (config.role !== 'api') {
    keepSweeping(service, rounds);
    keepProcessors(service, rounds);
    keepChecking(wired, rounds);
  }
  keepBooks(service, wired.books, rounds);
  keepGivingBackMemory();
  keepDiskDays(config.dataDir, () => Date.now());
  if (config.role !== 'worker') warnOfUnnamedProxy(config, wired.service.log);
  if (config.isBackupDirIdle)
    wired.service.log.warn(
      'BACKUP_DIR is for the embedded store: the PostgreSQL of DATABASE_URL is backed up by its own means',
    );
  wired.readiness.isReady = true;
  return credentials;
}

/** All ports before any work is begun: what is refused ends the start in one line. */
async function listenEverywhere({ app, metrics, health }: Wired, config: Config): Promise<void> {
  const { role, host, port, metricsHost, metricsPort, healthPort } = config;
  if (role !== 'worker') await listenAt(['HOST', 'PORT'], () => app.listen({ port, host }));
  if (metrics && metricsPort !== null) {
    const serve = () => serveMetrics(metrics, { port: metricsPort, host: metricsHost });
    await listenAt(['METRICS_HOST', 'METRICS_PORT'], serve);
  }
  if (role === 'worker' && healthPort !== null)
    await listenAt(['HOST', 'HEALTH_PORT'], () => serveHealth(health, { port: healthPort, host }));
}

/** Beside everything else; a stop gives a round that runs its end. */
function watchBackups({ service }: Wired, config: Config, store: Opened): void {
  if (config.backups === null || store.backups === null) return;
  const keeping = { backups: store.backups, config: config.backups, nowMs: () => Date.now() };
  store.endBackups = keepBackups(keeping, service.log);
}

/** For who watches: whether all that must always hold did so today. */
function keepChecking({ metrics, service }: Wired, rounds: Rounds): void {
  if (!metrics) return;
  rounds.every(
    { everyMs: CHECK_EVERY_MS, firstMs: CHECK_AFTER_MS },
    () => metrics.checkStore(),
    (error) => service.log.warn({ err: error }, 'the invariants could not be asked for'),
  );
}

/** Real time is the store's from here on. */
async function setClock({ storeClock, service }: Wired, rounds: Rounds): Promise<void> {
  const offMs = Math.round(await storeClock.sync());
  if (Math.abs(offMs) > CLOCK_OFF_MAX_MS) {
    const way = offMs > 0 ? 'ahead of' : 'behind';
    const message = `this machine's clock is ${Math.abs(offMs)} ms ${way} the store's, which is gone by`;
    service.log.warn({ event: 'clock_off', offMs }, message);
  }
  rounds.every({ everyMs: CLOCK_EVERY_MS }, () => storeClock.sync());
}

/** No new connections, running requests finish, leases are given back, the store is closed. */
function stopOnSignal(signal: StopSignal, { wired, store, config, rounds }: Running): void {
  const { drainDelayMs, drainTimeoutMs } = config;
  const stop = async () => {
    setTimeout(() => process.exit(1), drainDelayMs + STOP_LIMIT_MS).unref();
    wired.readiness.isStopping = true;
    const stopped = Promise.all([wired.worker.stop(), rounds.end()]);
    await wait(drainDelayMs);
    await Promise.race([endInOrder(wired, store, stopped), cutShort(wired, drainTimeoutMs)]);
    // The connections of what is cut short go with the process: the store rolls it back.
    await store.close();
    process.exit(0);
  };
  signal.onAsked(() => {
    stop().catch((error: unknown) => {
      console.error('The service did not stop in good order:', error);
      process.exit(1);
    });
  });
}

interface Running {
  wired: Wired;
  store: Opened;
  config: Config;
  rounds: Rounds;
}

/** What is made of an embedded store is made to its end, and left in good order; nothing else is begun yet. */
function stopEarly(signal: StopSignal, { databaseUrl }: Config): void {
  signal.onAsked(() => {
    if (databaseUrl !== null) process.exit(0);
    setTimeout(() => process.exit(1), STOP_LIMIT_MS).unref();
  });
}

async function endInOrder(wired: Wired, store: Opened, stopped: Promise<unknown>): Promise<void> {
  wired.service.clock.stop();
  await stopListening(wired.app.server);
  await Promise.all([wired.app.close(), stopped]);
  await wired.requestLog.flush();
  await store.endBeating?.();
  await wired.close();
  await store.endTraces?.();
  await store.endBackups?.();
}

/** Ends what has not ended by then: a request whose body never comes, a statement that waits. */
async function cutShort({ app, service }: Wired, drainTimeoutMs: number): Promise<void> {
  await wait(drainTimeoutMs);
  const message = 'the time of the stop is over: what still runs is cut off, and the store rolls it back';
  service.log.warn(message);
  app.server.closeAllConnections();
  await wait(Math.min(ROLLBACK_MS, STOP_LIMIT_MS - drainTimeoutMs));
}

const signal = hearStop();
/** Whether DATABASE_URL names the store, wherever that was read. */
let hasOwnStore = false;
try {
  await start(signal);
} catch (error) {
  // Ctrl-C reaches what the start has begun, too: that it failed then is no failure.
  if (signal.isAsked()) process.exit(0);
  const line = toOperatorLine(error, { hasOwnStore });
  console.error(line === null ? error : `Counterfoil cannot start: ${line}`);
  process.exit(toExitCode(error));
}
