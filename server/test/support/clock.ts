/** Moves the clock of a test store forward, doing what falls due on the way at the moment it is due. */
import { sql } from 'kysely';
import type { Scope } from '../../src/db/scope.ts';
import type { TestApp } from './harness.ts';

/** Milliseconds of a day, for readable steps. */
export const DAY_MS = 86_400_000;
export const MINUTE_MS = 60_000;

/** Answers how many jobs ran. */
export async function advance(app: TestApp, scope: Scope, byMs: number): Promise<number> {
  const targetMs = (await readOffset(app, scope)) + byMs;
  let ran = await app.wired.worker.runDue();
  for (;;) {
    const nextMs = await findNextOffset(app, scope, targetMs);
    if (nextMs === null) break;
    await setOffset(app, scope, nextMs);
    ran += await app.wired.worker.runDue();
  }
  await setOffset(app, scope, targetMs);
  return ran + (await app.wired.worker.runDue());
}

async function readOffset({ service }: TestApp, scope: Scope): Promise<number> {
  const store = await service.db
    .selectFrom('stores')
    .select('clockOffsetMs')
    .where('workspaceId', '=', scope.workspaceId)
    .where('testMode', '=', scope.testMode)
    .executeTakeFirstOrThrow();
  return store.clockOffsetMs;
}

/** The offset at which the next row before the target falls due. */
async function findNextOffset(
  { service }: TestApp,
  { workspaceId, testMode }: Scope,
  targetMs: number,
): Promise<number | null> {
  const { rows } = await sql<{ offsetMs: number | null }>`
    select min(due_ms) - real_now_ms() as offset_ms from due_work
    where workspace_id = ${workspaceId} and test_mode = ${testMode}
      and due_ms <= real_now_ms() + ${targetMs}::bigint`.execute(service.db);
  return rows[0]?.offsetMs ?? null;
}

async function setOffset({ service }: TestApp, scope: Scope, offsetMs: number): Promise<void> {
  const { workspaceId, testMode } = scope;
  const whole = Math.ceil(offsetMs);
  await sql`update stores set clock_offset_ms = greatest(clock_offset_ms, ${whole}::bigint)
    where workspace_id = ${workspaceId} and test_mode = ${testMode}`.execute(service.db);
  await sql`update due_work d set due_real_ms = d.due_ms - s.clock_offset_ms from stores s
    where d.workspace_id = ${workspaceId} and d.test_mode = ${testMode}
      and s.workspace_id = d.workspace_id and s.test_mode = d.test_mode`.execute(service.db);
}
