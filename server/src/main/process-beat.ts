/** This process says that it lives, and hears how many do. */
import { hostname } from 'node:os';
import type { Service } from '../context.ts';
import { USER_AGENT } from '../net/user-agent.ts';
import {
  countProcesses,
  forgetProcess,
  getConnectionsMax,
  keepProcessesUnlogged,
  type LivingProcess,
  noteProcess,
} from '../resources/installation/processes.queries.ts';

const EVERY_MS = 10_000;
/** What the server keeps for its operators, and for whoever looks in. */
const SPARE = 15;

/** Says it at once, and again every ten seconds. */
export async function keepBeating(service: Service): Promise<void> {
  const { db, log } = service;
  const { role, databaseConnectionsMax: pool, databaseUrl } = service.config;
  const version = USER_AGENT.split('/')[1] ?? '';
  const own: LivingProcess = { id: service.processId, role, version, host: hostname(), pool };
  if (databaseUrl === null) await keepProcessesUnlogged(db);
  await noteProcess(db, own);
  await warnOfPools(service);
  const timer = setInterval(() => {
    noteProcess(db, own).catch((error: unknown) =>
      log.warn({ err: error }, 'this process could not say that it lives'),
    );
  }, EVERY_MS);
  timer.unref();
}

/** One that does not say so is taken for gone after a while. */
export async function stopBeating({ db, processId }: Service): Promise<void> {
  await forgetProcess(db, processId).catch(() => {});
}

/** Said at the start of whoever is one too many. */
export async function warnOfPools({ db, log }: Pick<Service, 'db' | 'log'>): Promise<void> {
  const [{ count, pools }, max] = [await countProcesses(db), await getConnectionsMax(db)];
  if (pools + SPARE <= max) return;
  log.warn(
    { processes: count, pools, spare: SPARE, maxConnections: max },
    `${count} processes may open ${pools} connections to the store, with ${SPARE} to spare more than its max_connections of ${max}: lower DATABASE_CONNECTIONS_MAX, or raise it there`,
  );
}
