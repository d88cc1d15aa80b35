/** The metrics of a process, where somebody asks for them. */
import { randomUUID } from 'node:crypto';
import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import { holdUpkeep } from '../db/upkeep-lease.ts';
import { USER_AGENT } from '../net/user-agent.ts';
import type { Sandbox } from '../providers/payment/sandbox/sandbox.ts';
import type { Metrics, StoreFigures } from './metrics.ts';
import { readStoreFigures } from './store-figures.ts';

export interface OpeningMetrics {
  /** Asked for when it is there: it tells the metrics how it is used. */
  database: () => Database;
  clockOffMs: () => number | null;
}

/** Null where nobody asks; the package that keeps them is loaded only where somebody does. */
export async function openMetrics(
  config: Config,
  { database, clockOffMs }: OpeningMetrics,
): Promise<Metrics | null> {
  if (config.metricsPort === null && config.metricsToken === null) return null;
  const { collectMetrics } = await import('./metrics.ts');
  const processId = randomUUID();
  return collectMetrics({
    pool: () => database().pool,
    role: config.role,
    version: USER_AGENT.split('/')[1] ?? '',
    clockOffMs,
    readStore: async (): Promise<StoreFigures | null> => {
      const { db, pool } = database();
      if (config.role !== 'api') {
        return (await holdUpkeep(db, 'store figures', processId)) ? readStoreFigures(db) : null;
      }
      await pool.query('select 1');
      return null;
    },
  });
}

/** How long the processor takes to answer, and what. */
export function measureCharges(sandbox: Sandbox, { notice }: Metrics): Sandbox {
  return {
    ...sandbox,
    charge: async (request) => {
      const fromMs = performance.now();
      const tell = (outcome: string) =>
        notice({ what: 'charge', processor: sandbox.name, ms: performance.now() - fromMs, outcome });
      try {
        const outcome = await sandbox.charge(request);
        tell(outcome.kind);
        return outcome;
      } catch (error) {
        tell('unknown');
        throw error;
      }
    },
  };
}
