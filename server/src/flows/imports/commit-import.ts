/** A plan that was looked at is carried out: just that, or nothing. */
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Scope } from '../../db/scope.ts';
import { inTransaction } from '../../db/transaction.ts';
import { toEmailNormal } from '../../domain/email.ts';
import { Refusal } from '../../domain/errors.ts';
import { describeDecision } from '../../domain/imports/decide.ts';
import { type ImportLine, LINE_KINDS } from '../../domain/imports/lines.ts';
import { insertDueWork } from '../../resources/due-work/due-work.queries.ts';
import {
  forgetBodies,
  type LineRow,
  listLines,
  markDone,
  writeDecisions,
} from '../../resources/imports/import-rows.queries.ts';
import {
  findImport,
  type ImportRow,
  lockImport,
  updateImport,
} from '../../resources/imports/imports.queries.ts';
import type { StoredPlan } from '../../resources/imports/imports.schema.ts';
import { bringInBatch, LineRefused } from './bring-in.ts';
import { lookAtLines, REFUSED } from './look-at-lines.ts';
import { BATCH_LINES, checkPlan, toDecided } from './plan-import.ts';

export interface AskedCommit {
  importId: string;
  planHash: string;
  skipErrors: boolean;
  acceptPriceChanges: boolean;
  /** How far the test clock will go; null = the import is meant. */
  rehearse: string | null;
}

/**
 * Refuses what the plan forbids, and one that does not hold any more: that one is made anew. Outside any transaction,
 * since every line is looked at once more.
 */
export async function checkCommit(ctx: Context, scope: Scope, asked: AskedCommit): Promise<void> {
  if (asked.rehearse !== null && !scope.testMode) throw new Refusal('test_mode_only');
  const imported = await findImport(ctx.db, scope, asked.importId);
  if (!imported) throw new Refusal('not_found');
  if (isUnderWay(imported, asked)) return;
  checkAsked(imported, asked);
  try {
    await checkPlan(ctx, scope, imported);
  } catch (error) {
    if (error instanceof Refusal && error.code === 'plan_changed') await planAnew(ctx, scope, imported.id);
    throw error;
  }
}

/** The same commit, asked for once more: it goes on, or is done. */
function isUnderWay({ status, planHash }: ImportRow, asked: AskedCommit): boolean {
  return (status === 'committing' || status === 'committed') && planHash === asked.planHash;
}

function checkAsked(imported: ImportRow, { planHash, skipErrors, acceptPriceChanges }: AskedCommit): void {
  if (imported.status !== 'planned' || imported.plan === null)
    throw new Refusal('import_state', { message: `The import is ${imported.status}.` });
  if (imported.planHash !== planHash) throw new Refusal('plan_changed');
  // Written by `toPlan`.
  const { errorCount, priceChangeCount } = imported.plan as StoredPlan;
  if (errorCount > 0 && !skipErrors) throw new Refusal('import_has_errors');
  if (priceChangeCount > 0 && !acceptPriceChanges) throw new Refusal('price_changes');
}

/** In the transaction of the request; the lines are brought in by the job. */
export async function beginCommit(
  ctx: Context,
  scope: Scope,
  { tx, asked }: { tx: Tx; asked: AskedCommit },
): Promise<ImportRow> {
  const imported = await lockImport(tx, scope, asked.importId);
  if (!imported) throw new Refusal('not_found');
  if (isUnderWay(imported, asked)) return imported;
  checkAsked(imported, asked);
  await insertDueWork(tx, scope, [{ kind: 'run_import', refId: imported.id, dueMs: ctx.nowMs }]);
  const { skipErrors, rehearse } = asked;
  return updateImport(tx, scope, { id: imported.id, status: 'committing', skipErrors, rehearse });
}

async function planAnew(ctx: Context, scope: Scope, id: string): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const imported = await lockImport(tx, scope, id);
    if (imported?.status !== 'planned') return;
    await updateImport(tx, scope, { id, status: 'planning', plannedKind: null, plannedLine: 0 });
    await insertDueWork(tx, scope, [{ kind: 'run_import', refId: id, dueMs: ctx.nowMs }]);
  });
  ctx.nudgeWorker(scope);
}

/**
 * The next lines that are not done, in one transaction; behind the last of them the import is committed. Where one is
 * refused, nothing but that is written, and the next batch is without it.
 */
export async function commitBatch(ctx: Context, scope: Scope, id: string): Promise<void> {
  try {
    await bringInNext(ctx, scope, id);
  } catch (error) {
    if (!(error instanceof LineRefused)) throw error;
    await leaveOut(ctx, scope, { id, refused: error });
  }
}

/** What a line calls otherwise than the operation that it is brought in by. */
const FIELD_OF_LINE = new Map([
  ['recurringInterval', 'interval'],
  ['recurringIntervalCount', 'interval'],
]);

async function leaveOut(
  ctx: Context,
  scope: Scope,
  { id, refused: { looked, refusal } }: { id: string; refused: LineRefused },
): Promise<void> {
  const detail = refusal.details?.[0];
  const fault = {
    code: refusal.code,
    path: detail ? (FIELD_OF_LINE.get(detail.path) ?? detail.path) : null,
    message: detail?.message ?? refusal.message,
  };
  await inTransaction(ctx.db, async (tx) => {
    await writeDecisions(tx, scope, id, [toDecided({ ...looked, decision: { ...REFUSED, fault } })]);
    await markDone(tx, scope, id, [looked.row.line]);
  });
}

async function bringInNext(ctx: Context, scope: Scope, id: string): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const imported = await lockImport(tx, scope, id);
    if (imported?.status !== 'committing') return;
    const rows = await findNextLines(tx, scope, id);
    if (rows.length === 0) {
      await forgetBodies(tx, scope, id);
      await updateImport(tx, scope, { id, status: 'committed', committedAt: ctx.nowMs });
      return;
    }
    const batch = await lookAtLines(ctx, scope, { db: tx, imported, rows });
    // Of a line that the store has overtaken since the plan, why it is left out is kept.
    const overtaken = batch.looked.filter(
      ({ row, decision }) => decision.outcome === 'refused' && row.decision !== describeDecision(decision),
    );
    await writeDecisions(tx, scope, id, overtaken.map(toDecided));
    await bringInBatch(ctx, scope, { tx, imported, batch });
  });
}

async function findNextLines(tx: Tx, scope: Scope, importId: string): Promise<LineRow[]> {
  for (const kind of LINE_KINDS) {
    const rows = await listLines(tx, scope, { importId, kind, afterLine: 0, limit: BATCH_LINES });
    if (rows.length > 0) return kind === 'customer' ? withoutSameBuyers(rows) : rows;
  }
  return [];
}

/** Two customers there with one e-mail are one buyer here: the second waits for a batch that finds the first. */
function withoutSameBuyers(rows: readonly LineRow[]): LineRow[] {
  const seen = new Set<string>();
  return rows.filter(({ body }) => {
    const line = body as ImportLine | null;
    if (line?.kind !== 'customer') return true;
    const email = toEmailNormal(line.email);
    return !seen.has(email) && seen.add(email);
  });
}
