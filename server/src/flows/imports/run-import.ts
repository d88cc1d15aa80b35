/** Plans an import, or commits it, a batch at a time; after a stretch the job gives its slot back. */
import { setImmediate as letOthersRun } from 'node:timers/promises';
import type { Context } from '../../context.ts';
import type { Scope } from '../../db/scope.ts';
import { inTransaction } from '../../db/transaction.ts';
import { finishDueWork, postponeDueWork, renewDueWork } from '../../resources/due-work/due-work.queries.ts';
import type { ClaimedWork } from '../../resources/due-work/due-work.sql.ts';
import { findImport, updateImport } from '../../resources/imports/imports.queries.ts';
import { commitBatch } from './commit-import.ts';
import { planBatch } from './plan-import.ts';

/** Well within the lease of its row, and within the time that a process has to stop. */
const STRETCH_MS = 4_000;
/** Shorter than of other work: whoever looks at a progress that stands still would wait a minute after a kill. */
const HELD_MS = 15_000;
/** What fails so often will not come to an end by itself. */
const FAILURES_MAX = 5;

/** Reference of the work: the import. */
export async function runImport(ctx: Context, work: ClaimedWork): Promise<void> {
  const { scope, refId } = work;
  const untilMs = performance.now() + STRETCH_MS;
  // A batch may take longer than that: it is said again and again that somebody lives who is at it.
  let held: Promise<unknown> = Promise.resolve();
  const hold = () => {
    held = renewDueWork(ctx.db, work, HELD_MS).catch(() => {});
  };
  hold();
  const holding = setInterval(hold, HELD_MS / 5);
  try {
    while (performance.now() < untilMs) {
      if (!(await takeBatch(ctx, scope, refId))) {
        await inTransaction(ctx.db, (tx) => finishDueWork(tx, work));
        return;
      }
      await letOthersRun();
    }
  } catch (error) {
    if (work.failures + 1 < FAILURES_MAX) throw error;
    ctx.log.error({ err: error, importId: refId }, 'an import was given up');
    await updateImport(ctx.db, scope, { id: refId, status: 'failed', reason: 'failed' });
    await inTransaction(ctx.db, (tx) => finishDueWork(tx, work));
    return;
  } finally {
    clearInterval(holding);
    // Its end is behind what holds it.
    await held;
  }
  await postponeDueWork(ctx.db, work, { dueMs: work.nowMs });
}

/** One batch of what is to be done next; false = there is nothing. */
export async function takeBatch(ctx: Context, scope: Scope, importId: string): Promise<boolean> {
  const imported = await findImport(ctx.db, scope, importId);
  switch (imported?.status) {
    case 'planning':
      await planBatch(ctx, scope, imported);
      return true;
    case 'committing':
      await commitBatch(ctx, scope, imported.id);
      return true;
    default:
      return false;
  }
}
