/** The plan of an import: what a commit would do, line by line, and its sums. */
import type { Context } from '../../context.ts';
import { type Scope, toJson } from '../../db/scope.ts';
import { inTransaction } from '../../db/transaction.ts';
import { assert } from '../../domain/assert.ts';
import { Refusal } from '../../domain/errors.ts';
import { describeDecision } from '../../domain/imports/decide.ts';
import { LINE_KINDS } from '../../domain/imports/lines.ts';
import {
  type DecidedLine,
  listLines,
  listPriceChanges,
  listWarned,
  sumDecisions,
  writeDecisions,
} from '../../resources/imports/import-rows.queries.ts';
import { type ImportRow, lockImport, updateImport } from '../../resources/imports/imports.queries.ts';
import { SHOWN_MAX, type StoredPlan } from '../../resources/imports/imports.schema.ts';
import { type Looked, lookAtLines } from './look-at-lines.ts';

export const BATCH_LINES = 500;

/** Decides the next lines; behind the last one it adds up what was decided. Two at once are one after the other. */
export async function planBatch(ctx: Context, scope: Scope, { id }: ImportRow): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const imported = await lockImport(tx, scope, id);
    if (imported?.status !== 'planning') return;
    const kind = imported.plannedKind ?? LINE_KINDS[0];
    const stretch = { importId: id, kind, afterLine: imported.plannedLine, limit: BATCH_LINES };
    const rows = await listLines(tx, scope, stretch);
    const last = rows.at(-1);
    if (last) {
      const { looked } = await lookAtLines(ctx, scope, { db: tx, imported, rows });
      await writeDecisions(tx, scope, id, looked.map(toDecided));
      await updateImport(tx, scope, { id, plannedKind: kind, plannedLine: last.line });
      return;
    }
    const next = LINE_KINDS[(LINE_KINDS as readonly string[]).indexOf(kind) + 1];
    if (next !== undefined) {
      await updateImport(tx, scope, { id, plannedKind: next, plannedLine: 0 });
      return;
    }
    const sums = await sumDecisions(tx, scope, id);
    assert(sums.totals, 'a sum has its row');
    const plan: StoredPlan = {
      lines: sums.totals.lines,
      counts: toCounts(sums.counts),
      warnings: (await listWarned(tx, scope, id, SHOWN_MAX)) as StoredPlan['warnings'],
      warningCount: sums.totals.warnings,
      errorCount: sums.totals.errors,
      charges: sums.charges.map((one) => ({ ...one, amount: Number(one.amount) })) as StoredPlan['charges'],
      priceChanges: (await listPriceChanges(tx, scope, id, SHOWN_MAX)).map((one) => ({
        ...one,
        theirs: Number(one.theirs),
        ours: Number(one.ours),
      })) as StoredPlan['priceChanges'],
      priceChangeCount: sums.totals.changes,
    };
    await updateImport(tx, scope, {
      id,
      status: 'planned',
      plan: toJson(plan),
      planHash: sums.totals.hash,
    });
  });
}

function toCounts(
  counts: ReadonlyArray<{ kind: string; outcome: string; count: number }>,
): StoredPlan['counts'] {
  return LINE_KINDS.flatMap((kind) => {
    const own = counts.filter((one) => one.kind === kind);
    if (own.length === 0) return [];
    const of = (outcome: string) => own.find((one) => one.outcome === outcome)?.count ?? 0;
    return [
      {
        kind,
        ...{ new: of('new'), changed: of('changed'), same: of('same') },
        ...{ conflict: of('conflict'), refused: of('refused') },
      },
    ];
  });
}

export function toDecided({ row, decision }: Looked): DecidedLine {
  const { outcome, fault, warnings, charges, priceChange } = decision;
  const said = { code: fault?.code ?? null, path: fault?.path ?? null, message: fault?.message ?? null };
  return {
    line: row.line,
    outcome,
    decision: describeDecision(decision),
    ...said,
    warnings,
    charges,
    priceChange,
  };
}

/**
 * Looks at every line once more, without a write, and compares. Throws plan_changed for the first that would become of
 * something else than was planned.
 */
export async function checkPlan(ctx: Context, scope: Scope, imported: ImportRow): Promise<void> {
  for (const kind of LINE_KINDS) {
    for (let afterLine = 0; ; ) {
      const rows = await listLines(ctx.db, scope, {
        importId: imported.id,
        kind,
        afterLine,
        limit: BATCH_LINES,
      });
      const last = rows.at(-1);
      if (!last) break;
      const { looked } = await lookAtLines(ctx, scope, { db: ctx.db, imported, rows });
      for (const { row, decision } of looked) {
        if (row.decision === describeDecision(decision)) continue;
        throw new Refusal('plan_changed', {
          message: `Line ${row.line} (${row.kind} ${row.ref}) would become of something else than was planned.`,
        });
      }
      afterLine = last.line;
    }
  }
}
