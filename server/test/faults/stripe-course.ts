/** Subscriptions over Stripe's stand-in, and workers that renew them: opened for one course, and closed after it. */
import { openShop, type Shop } from './renewing-shop.ts';
import { openStripeTill, type Till, type TillOptions } from './stripe-till.ts';
import { type Fleet, startFleet } from './worker-fleet.ts';

export interface CourseOptions {
  databaseUrl: string;
  dataDir: string;
  seed: number;
  workers: number;
  connections: number;
  log?: (line: string) => void;
}

interface Opening {
  till: Omit<TillOptions, 'seed' | 'share'>;
  /** Beside what every process has. */
  env?: Record<string, string>;
  /** How many are sold before the workers start. */
  subscriptions: number;
}

export interface OpenCourse {
  shop: Shop;
  fleet: Fleet;
  till: Till;
  /** What a purchase over it has besides. */
  fields: Record<string, unknown>;
}

export async function runCourse<Outcome>(
  { databaseUrl, dataDir, seed, workers, connections, log }: CourseOptions,
  { till: asked, env: more = {}, subscriptions }: Opening,
  run: (course: OpenCourse) => Promise<Outcome>,
): Promise<Outcome> {
  const till = await openStripeTill({ seed, share: 0, ...asked });
  const env = { ...till.env, DATABASE_CONNECTIONS_MAX: String(connections), LOG_LEVEL: 'error', ...more };
  const shop = await openShop({ databaseUrl, dataDir, env });
  let fleet: Fleet | null = null;
  try {
    const fields = await till.connect(shop);
    log?.(`seed ${seed}: selling ${subscriptions} subscriptions`);
    await shop.sell(subscriptions, () => null, fields);
    fleet = await startFleet({ count: workers, databaseUrl, dataDir, env });
    return await run({ shop, fleet, till, fields });
  } finally {
    await fleet?.close();
    await shop.close();
    await till.close();
  }
}
