/** What connections need by real time, whatever is due. */
import type { Service } from '../context.ts';
import { runLeased } from '../db/upkeep-lease.ts';
import { adoptDue } from '../flows/processors/adopt-restored.ts';
import { checkProcessors } from '../flows/processors/check-processors.ts';
import { connectFromEnvironment } from '../flows/processors/connect-from-environment.ts';
import { forgetRetired } from '../flows/processors/forget-processor.ts';
import { findSilent, readDue, readFirst } from '../flows/processors/keep-reading.ts';
import type { ReadingBooks } from '../flows/processors/read-books.ts';
import { reconcileDaily } from '../flows/processors/reconcile-daily.ts';
import { registerDomains } from '../flows/processors/register-domains.ts';
import { removeEnded, tendEndpoints } from '../flows/processors/tend-endpoints.ts';
import type { Round, Rounds } from './rounds.ts';

/** Each is asked less often than this: see there. */
const CHECK_EVERY_MS = 60_000;
const READ_EVERY_MS = 10_000;
/** Each is looked after once a day, and what is over is taken away within the hour. */
const TEND_EVERY_MS = 3_600_000;
const DAY_MS = 24 * 3_600_000;

/** What the operator has named; a start does not fail for it. */
async function connectNamed(service: Service): Promise<void> {
  try {
    const lease = { name: 'connect', isWorker: true };
    await runLeased(service.db, lease, () => connectFromEnvironment(service));
  } catch (error) {
    service.log.warn({ err: error }, 'the account of STRIPE_SECRET_KEY could not be connected');
  }
}

/** Those that are not well are asked whether they are again; what nobody tells is read; books are compared with ours. */
export function keepProcessors(service: Service, rounds: Rounds): void {
  const failed = (error: unknown) =>
    service.log.warn({ err: error }, 'what processors need could not be done');
  const repeat = (everyMs: number, run: Round) => rounds.every({ everyMs }, run, failed);
  repeat(CHECK_EVERY_MS, () => checkProcessors(service));
  repeat(CHECK_EVERY_MS, () => findSilent(service));
  repeat(CHECK_EVERY_MS, () => reconcileDaily(service));
  repeat(CHECK_EVERY_MS, () => registerDomains(service, { everyMs: DAY_MS }));
  repeat(READ_EVERY_MS, () => readDue(service));
  repeat(READ_EVERY_MS, () => adoptDue(service));
  repeat(TEND_EVERY_MS, () => tend(service, DAY_MS));
  rounds.once((ending) => beginCare(service, ending), failed);
}

/** Under another address, or by another version, another endpoint is needed at once. A stop ends it between two steps. */
async function beginCare(service: Service, ending: AbortSignal): Promise<void> {
  const steps = [
    () => connectNamed(service),
    () => tend(service, 0),
    () => registerDomains(service, { everyMs: 0 }),
    () => readFirst(service),
  ];
  for (const step of steps) if (!ending.aborted) await step();
}

/** One process at a time, so that none makes what another makes. */
async function tend(service: Service, everyMs: number): Promise<void> {
  await runLeased(service.db, { name: 'endpoints', isWorker: true }, async () => {
    await tendEndpoints(service, { everyMs });
    await removeEnded(service);
    await forgetRetired(service);
  });
}

/** In every process: what has waited for the books goes on once they are read. */
export function keepBooks(service: Service, books: ReadingBooks, rounds: Rounds): void {
  rounds.every(
    { everyMs: READ_EVERY_MS },
    () => books.retry(),
    (error) => service.log.warn({ err: error }, 'what happened at processors could not be read'),
  );
}
