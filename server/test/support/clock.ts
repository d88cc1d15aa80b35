/** Moves the clock of a test store forward, doing what falls due on the way at the moment it is due. */
import type { Db } from '../../src/db/database.ts';
import type { Scope } from '../../src/db/scope.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { holdClock, moveClock, releaseClock } from '../../src/resources/test-clock/test-clock.queries.ts';
import { getClock } from '../../src/resources/workspaces/workspaces.queries.ts';
import type { TestApp } from './harness.ts';

/** Milliseconds of a day, for readable steps. */
export const DAY_MS = 86_400_000;
export const MINUTE_MS = 60_000;

/** The time goes by while nothing runs: what fell due meanwhile is due now. */
export async function jumpClock(db: Db, scope: Scope, toMs: number): Promise<void> {
  const held = await holdClock(db, scope, toMs);
  if (!held) throw new Error('the clock is held');
  await moveClock(db, held, toMs);
  await inTransaction(db, (tx) => releaseClock(tx, held));
}

/** As `POST /v0/test-clock/advance` does; also for another store than that of the test's keys. */
export async function advance({ service }: TestApp, scope: Scope, byMs: number): Promise<void> {
  const { offsetMs } = await getClock(service.db, scope);
  await service.clock.advance(scope, service.realNowMs() + offsetMs + byMs);
}
