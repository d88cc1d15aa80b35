/** Moves the clock of a test store forward, doing what falls due on the way at the moment it is due. */
import type { Scope } from '../../src/db/scope.ts';
import { getClock } from '../../src/resources/workspaces/workspaces.queries.ts';
import type { TestApp } from './harness.ts';

/** Milliseconds of a day, for readable steps. */
export const DAY_MS = 86_400_000;
export const MINUTE_MS = 60_000;

/** As `POST /v0/test-clock/advance` does; also for another store than that of the test's keys. */
export async function advance({ service }: TestApp, scope: Scope, byMs: number): Promise<void> {
  const { offsetMs } = await getClock(service.db, scope);
  await service.clock.advance(scope, service.realNowMs() + offsetMs + byMs);
}
