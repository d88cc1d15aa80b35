import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { SERVICE_ROLE, secureCluster } from './access.ts';
import { type BackupOptions, type BackupPlace, prepareBackups, toArchive } from './backups/backup-place.ts';
import { createCluster } from './cluster.ts';
import { becomeService, joinUsers, leaveUsers } from './lease.ts';
import { type Place, preparePlace } from './place.ts';
import { hasCode } from './platform.ts';
import { stopPostmaster } from './postmaster.ts';
import { openSession, type Session } from './session.ts';

/**
 * The store that needs nothing installed: a real PostgreSQL, whose binaries come from npm, run beside the
 * service in DATA_DIR on a unix socket. The server outlives a killed service; the next start takes it over.
 */
export interface EmbeddedStore {
  poolConfig: { host: string; port: number; user: string; database: string; password?: string };
  url: string;
  /** Where the cluster lies, as which of the system's users it runs, and which PostgreSQL it is. */
  place: { cluster: string; uid: number; isRoot: boolean };
  /** What its backups are taken of, and where they lie; null = nowhere. */
  backups: { place: Place; backups: BackupPlace; durable: boolean } | null;
  /** Leaves the store, and stops the server when no other process uses it. Close your pools before. */
  stop(): Promise<void>;
}

export interface EmbeddedStoreOptions {
  dataDir: string;
  log: (line: string) => void;
  /** `serve` (the default) is for the one service of a DATA_DIR; `attach` for commands beside it. */
  purpose?: 'serve' | 'attach';
  /** Where its log is archived and its base backups lie; missing = nowhere. */
  backups?: BackupOptions | null;
  /** False only for a store that is thrown away: it is faster, and a power cut corrupts it. */
  durable?: boolean;
}

const NAME = SERVICE_ROLE;
const PORT = 5432;
const REOPEN_DELAY_MS = 250;
const OPEN_TRIES_MAX = 5;

/**
 * Opens the store of `dataDir`, creating it and starting the server where needed. Throws an Error of one
 * line: the platform has no binary, the DATA_DIR is in use by another service, or PostgreSQL's own reason.
 */
export async function openEmbeddedStore(options: EmbeddedStoreOptions): Promise<EmbeddedStore> {
  const opening = openStore(options);
  openings.add(opening);
  const forget = () => openings.delete(opening);
  opening.catch(forget);
  const store = await opening;
  return { ...store, stop: () => store.stop().finally(forget) };
}

/** Of this process, those being opened too. */
const openings = new Set<Promise<EmbeddedStore>>();

/** For who ends before their time: leaves all that this process has open. A server that only it uses would outlive it. */
export async function stopEmbeddedStores(): Promise<void> {
  for (const opening of openings) {
    const store = await opening.catch(() => null);
    await store?.stop();
  }
}

async function openStore(options: EmbeddedStoreOptions): Promise<EmbeddedStore> {
  const found = await preparePlace(options.dataDir);
  const durable = options.durable !== false;
  await createCluster(found, durable);
  const backups = options.backups ? await prepareBackups(found, options.backups) : null;
  const place = { ...found, archive: backups && (await toArchive(found, backups)) };
  const store: OpenStore = { ...options, place, session: null, isStopping: false, reopening: null };
  await open(store);
  const host = place.socketDir;
  const { password } = place.access;
  const secret = password === null ? {} : { password };
  return {
    poolConfig: { host, port: PORT, user: NAME, database: NAME, ...secret },
    url: `postgresql://${NAME}${password === null ? '' : `:${password}`}@localhost/${NAME}?host=${encodeURIComponent(host)}&port=${PORT}`,
    place: { cluster: place.cluster, uid: place.user.uid, isRoot: place.user.via !== 'direct' },
    backups: backups && { place, backups, durable },
    stop: () => stop(store),
  };
}

interface OpenStore extends EmbeddedStoreOptions {
  place: Place;
  session: Session | null;
  isStopping: boolean;
  reopening: Promise<void> | null;
}

async function open(store: OpenStore): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    const session = await openSession(store.place, store.durable !== false, store.log);
    try {
      await joinUsers(session.client);
      await createDatabase(session.client, store.place.access.password);
      await secureCluster(session.client, store.place.cluster, store.place);
      if (store.purpose !== 'attach') await serve(store, session);
      store.session = session;
      // The session is a lock, not work: it must not keep a process that has nothing left to do.
      session.socket.unref();
      return;
    } catch (error) {
      await closeSession(store, session);
      // The server was just being stopped by its last user: start it again.
      if (!isLost(error) || tries >= OPEN_TRIES_MAX) throw error;
    }
  }
}

async function serve(store: OpenStore, { client }: Session): Promise<void> {
  const service = await becomeService(client);
  if (!service.done) {
    throw new Error(`DATA_DIR ${store.place.dataDir} is in use by another service (${service.by})`);
  }
  await archiveAsTold(store, client);
  client.once('end', () => {
    store.session = null;
    if (!store.isStopping) store.reopening = reopen(store);
  });
}

/** One that runs since before BACKUP_DIR was set, or named another folder, is started again with what it says now. */
async function archiveAsTold({ place, log }: OpenStore, client: pg.Client): Promise<void> {
  if (place.archive === null) return;
  const { rows } = await client.query<{ directory: string | null }>(
    `select current_setting('basic_archive.archive_directory', true) as directory`,
  );
  if (rows[0]?.directory === place.archive.directory) return;
  log('PostgreSQL is started again, to archive its log in BACKUP_DIR');
  await stopPostmaster(place, log);
  throw Object.assign(new Error('the server was stopped'), { code: '57P01' });
}

/** A server that dies under a living service is started again: nobody else would do it. */
async function reopen(store: OpenStore): Promise<void> {
  store.log('PostgreSQL went away: starting it again');
  while (!store.isStopping) {
    try {
      await open(store);
      store.log('PostgreSQL is back');
      return;
    } catch (error) {
      store.log(`PostgreSQL is not back yet: ${error instanceof Error ? error.message : String(error)}`);
      await delay(REOPEN_DELAY_MS);
    }
  }
}

async function stop(store: OpenStore): Promise<void> {
  store.isStopping = true;
  await store.reopening;
  const { session } = store;
  if (session === null) return;
  store.session = null;
  await closeSession(store, session);
}

async function closeSession(store: OpenStore, { client, socket }: Session): Promise<void> {
  socket.ref();
  try {
    if (await leaveUsers(client)) await stopPostmaster(store.place, store.log);
    await client.end();
  } catch (error) {
    // A session that is gone has left already.
    if (!isLost(error)) throw error;
  }
}

function isLost(error: unknown): boolean {
  // admin_shutdown and crash_shutdown come as codes; a closed socket comes as pg's own message.
  if (hasCode(error, '57P01') || hasCode(error, '57P02') || hasCode(error, 'ECONNRESET')) return true;
  if (hasCode(error, 'EPIPE')) return true;
  return error instanceof Error && /terminated|not queryable|was closed/i.test(error.message);
}

/**
 * The service's role is not a superuser: a superuser could run programs on this machine from within SQL.
 * It may create databases, which the tests do.
 */
async function createDatabase(session: pg.Client, password: string | null): Promise<void> {
  const { rowCount } = await session.query('select from pg_database where datname = $1', [NAME]);
  if (rowCount === 1) return;
  const secret = password === null ? '' : ` password ${session.escapeLiteral(password)}`;
  await createOnce(session, `create role ${NAME} login createdb${secret}`);
  await createOnce(session, `create database ${NAME} owner ${NAME}`);
}

async function createOnce(session: pg.Client, statement: string): Promise<void> {
  try {
    await session.query(statement);
  } catch (error) {
    // Already there: a first start was cut short here, or another one runs at this moment.
    const exists = ['42710', '42P04', '23505'].some((code) => hasCode(error, code));
    if (!exists) throw error;
  }
}
