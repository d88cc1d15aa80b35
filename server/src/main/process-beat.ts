/** This process says that it lives, hears how many do, and remembers what the store must still show. */
import { hostname } from 'node:os';
import type { Service } from '../context.ts';
import { findHosts } from '../db/hosts/hosts.ts';
import type { Beat, Witness } from '../db/witness.ts';
import { toFilesUrl } from '../domain/files-place.ts';
import { PRODUCT_VERSION } from '../domain/version.ts';
import { holdLost, noteTimeline } from '../flows/quarantine/hold-lost.ts';
import { findSystemIdentifier } from '../resources/installation/held.queries.ts';
import {
  countProcesses,
  endProcess,
  getConnectionsMax,
  keepProcessesUnlogged,
  type LivingProcess,
  noteProcess,
  writeBeat,
} from '../resources/installation/processes.queries.ts';
import { type BeatFile, openBeatFile } from './beat-file.ts';

const EVERY_MS = 1_000;
/** What the server keeps for its operators, and for whoever looks in. */
const SPARE = 15;

/**
 * Says it at once, and again every second. Over an embedded store nobody else is, and even what is not logged leaves the
 * word in the log that it was committed: said again and again, it would archive a segment a minute. Answers what ends it:
 * the row stays for a while, for the next start.
 */
export async function keepBeating(service: Service, witness: Witness): Promise<() => Promise<void>> {
  const { db, log } = service;
  const own = describe(service);
  if (service.config.databaseUrl === null) await keepProcessesUnlogged(db);
  const beat = await noteProcess(db, own);
  await warnOfPools(service);
  const end = () => endProcess(db, own.id).catch(() => {});
  if (service.config.databaseUrl === null) return end;
  const file = await openBeatFile(service.config.dataDir, await findSystemIdentifier(db)).catch(
    (error: unknown) => {
      log.warn({ err: error }, 'DATA_DIR/beat cannot be written: a start after this one remembers nothing');
      return null;
    },
  );
  witness.remember(beat);
  witness.keepBy(async (last) => void (await file?.write(toKept(last, witness))));
  const hosts = findHosts(service.config.databaseUrl);
  let beating: Promise<void> | null = null;
  const timer = setInterval(() => {
    // The store has said nothing since the last one: perhaps it is another's turn.
    if (beating !== null) return void hosts?.look();
    beating = beatOnce(service, { witness, file })
      .catch((error: unknown) => log.warn({ err: error }, 'this process could not say that it lives'))
      .finally(() => {
        beating = null;
      });
  }, EVERY_MS);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await beating;
    await file?.close().catch(() => {});
    await end();
  };
}

function describe({ config, processId: id }: Service): LivingProcess {
  const { role, databaseConnectionsMax, files } = config;
  // One more looks after the store.
  const pool = databaseConnectionsMax + 1;
  return { id, role, version: PRODUCT_VERSION, host: hostname(), pool, filesUrl: toFilesUrl(files) };
}

export interface Beating {
  witness: Witness;
  /** Null = it cannot be written. */
  file: BeatFile | null;
}

/** One of them; a store that shows less than was acknowledged is held before it hears another. */
export async function beatOnce(service: Service, { witness, file }: Beating): Promise<void> {
  const last = witness.last();
  const beat = (last && (await writeBeat(service.db, last))) ?? (await beginAnew(service, last));
  if (last !== null && (beat.timeline ?? 0) > (last.timeline ?? 0)) {
    service.log.warn({ event: 'store_failover', timeline: beat.timeline }, 'the store has another primary');
    await noteTimeline(service.db, beat.timeline);
  }
  witness.remember(beat);
  await file?.write(toKept(beat, witness));
}

/** What was acknowledged last, and the highest timeline that this process has met. */
const toKept = (beat: Beat, witness: Witness): Beat => ({
  ...beat,
  timeline: witness.highest() ?? beat.timeline,
});

/** It shows less than `last`. */
async function beginAnew(service: Service, last: Beat | null): Promise<Beat> {
  if (last !== null) {
    await holdLost(service.db, service.realNowMs());
    service.holds.forget();
    service.log.error({ event: 'store_lost_writes' }, 'the store shows less than it had acknowledged: held');
  }
  return noteProcess(service.db, describe(service));
}

/** Said at the start of whoever is one too many. */
export async function warnOfPools({ db, log }: Pick<Service, 'db' | 'log'>): Promise<void> {
  const [{ count, pools }, max] = [await countProcesses(db), await getConnectionsMax(db)];
  if (pools + SPARE <= max) return;
  log.warn(
    { event: 'pools_exceed_server', processes: count, pools, spare: SPARE, maxConnections: max },
    `${count} processes may open ${pools} connections to the store, with ${SPARE} to spare more than its max_connections of ${max}: lower DATABASE_CONNECTIONS_MAX, or raise it there`,
  );
}
