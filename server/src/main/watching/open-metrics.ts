/** The metrics of a process, where somebody asks for them. */
import { statfs } from 'node:fs/promises';
import type { Config } from '../../config.ts';
import { type Database, type DatabaseOptions, openDatabase } from '../../db/database.ts';
import { holdUpkeep, letGoOfUpkeep } from '../../db/upkeep-lease.ts';
import type { DocumentShelf } from '../../documents/document-shelf.ts';
import { PRODUCT_VERSION } from '../../domain/version.ts';
import { answerWithin } from '../../http/answer-within.ts';
import { createAddressGuard } from '../../net/address-guard.ts';
import type { PaymentProvider } from '../../providers/payment/payment-provider.ts';
import { readStoreState } from '../../resources/installation/store-state.queries.ts';
import { askInvariants } from './ask-invariants.ts';
import type { BackupAges } from './backup-ages.ts';
import type { Metrics } from './metrics.ts';
import { readStoreFigures } from './store-figures.ts';
import type { StoreFigures } from './store-metrics.ts';

/** The name of the lease under which one process tells of the store as a whole. */
const FIGURES = 'store figures';
/** Who watches gives up after 10 s, and would not learn of a store that is silent. */
const SILENCE_MAX_MS = 2_000;
const FIGURES_MAX_MS = 6_000;
/** Some questions look at every row of a store. */
const CHECK_TIMEOUT_MS = 600_000;
/** A day, and an hour for what a night before took longer. */
const CHECK_SINCE_MS = 25 * 3_600_000;

export interface OpenMetrics extends Metrics {
  /** Asks for all that must always hold, of what was written in the last 25 h, unless another process tells of the store. */
  checkStore(): Promise<void>;
  /** The same processor, whose charges are counted. */
  measure(provider: PaymentProvider, processor: string): PaymentProvider;
  /** Tells no more of the store as a whole: the process that comes after this one does at once. */
  end(): Promise<void>;
}

export interface OpeningMetrics {
  /** How the store is reached. */
  store: Omit<DatabaseOptions, 'maxConnections' | 'acquireTimeoutMs' | 'statementTimeoutMs'>;
  /** Asked for when it is there: it tells the metrics how it is used. */
  database: () => Database;
  /** As it tells of itself in `processes`. */
  processId: () => string;
  clockOffMs: () => number | null;
  readBackups: () => Promise<BackupAges | null>;
}

/** Null where nobody asks; the package that keeps them is loaded only where somebody does. */
export async function openMetrics(
  config: Config,
  { store, database, processId, clockOffMs, readBackups }: OpeningMetrics,
): Promise<OpenMetrics | null> {
  if (config.metricsPort === null && config.metricsToken === null) return null;
  const { collectMetrics } = await import('./metrics.ts');
  /** Over an embedded store there is no other, and who is asked every few seconds would write to its log each time. */
  const isAlone = config.databaseUrl === null;
  let hasEnded = false;
  const isChosen = async () =>
    !hasEnded && (isAlone || (await holdUpkeep(database().db, FIGURES, processId())));
  let schema: string | null = null;
  /** What is broken stays so without a write: then all is asked, until all holds. */
  let isBroken = false;
  const metrics = collectMetrics({
    schema: () => schema,
    readFreeRatio: () => readFreeRatio(config),
    pool: () => database().pool,
    role: config.role,
    version: PRODUCT_VERSION,
    clockOffMs,
    readStore: async (): Promise<StoreFigures | null> => {
      const { db } = database();
      const state = await answerWithin(SILENCE_MAX_MS, readStoreState(db), null);
      if (state === null) throw new Error('the store does not answer');
      ({ schema } = state);
      if (config.role === 'api') return null;
      const read = async () =>
        (await isChosen()) ? readStoreFigures(db, { days: config.retainDays, readBackups }) : null;
      return answerWithin(FIGURES_MAX_MS, read(), null);
    },
  });
  return {
    ...metrics,
    measure: (provider, processor) => measureCharges(provider, { processor, notice: metrics.notice }),
    end: async () => {
      hasEnded = true;
      if (isAlone || config.role === 'api') return;
      // Where the store is away its lease ends by itself.
      await letGoOfUpkeep(database().db, FIGURES, processId()).catch(() => {});
    },
    checkStore: async () => {
      if (!(await isChosen())) return;
      const limits = { maxConnections: 1, acquireTimeoutMs: 5_000, statementTimeoutMs: CHECK_TIMEOUT_MS };
      const asking = openDatabase({ ...store, ...limits });
      try {
        const guard = createAddressGuard(config.egressAllowCidrs);
        const sinceMs = isBroken ? null : CHECK_SINCE_MS;
        const violations = await askInvariants(asking.db, { sinceMs, guard });
        isBroken = violations.length > 0;
        metrics.checked(
          violations.map(({ number }) => number),
          Date.now(),
        );
      } finally {
        await asking.close();
      }
    },
  };
}

/** Of the disk of an embedded store: another one's is its server's to tell. */
async function readFreeRatio({ databaseUrl, dataDir }: Config): Promise<number | null> {
  if (databaseUrl !== null) return null;
  const disk = await statfs(dataDir).catch(() => null);
  return disk === null ? null : disk.bavail / disk.blocks;
}

/** How long a processor takes to answer a charge, and what: each has an outcome, also where no answer came. */
function measureCharges(
  provider: PaymentProvider,
  { processor, notice }: { processor: string; notice: Metrics['notice'] },
): PaymentProvider {
  return {
    ...provider,
    charge: async (request) => {
      const fromMs = performance.now();
      const outcome = await provider.charge(request);
      notice({ what: 'charge', processor, ms: performance.now() - fromMs, outcome: outcome.kind });
      return outcome;
    },
  };
}

/** How many documents were drawn, and how many could not be. */
export function countDocuments(shelf: DocumentShelf, { notice }: Metrics): DocumentShelf {
  const count = async <T>(drawing: Promise<T>): Promise<T> => {
    try {
      const drawn = await drawing;
      notice({ what: 'document', outcome: 'drawn' });
      return drawn;
    } catch (error) {
      notice({ what: 'document', outcome: 'failed' });
      throw error;
    }
  };
  return {
    ...shelf,
    make: (place, drawing) => count(shelf.make(place, drawing)),
    drawLetter: (letter) => count(shelf.drawLetter(letter)),
  };
}
