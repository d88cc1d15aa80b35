/** An export is not wanted any more: its job ends at its next look, and its bytes go with the next sweep. */
import type { Step } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Scope } from '../../db/scope.ts';
import { assert } from '../../domain/assert.ts';
import { Refusal } from '../../domain/errors.ts';
import { deleteDueWork } from '../../resources/due-work/due-work.queries.ts';
import { type ExportRow, endExport } from '../../resources/exports/exports.queries.ts';

/** Throws export_state for one that has ended. The row is locked. */
export async function cancelExport(
  ctx: Step,
  scope: Scope,
  { tx, row }: { tx: Tx; row: ExportRow },
): Promise<ExportRow> {
  if (row.outcome !== null)
    throw new Refusal('export_state', { message: `The export has ended: it is ${row.outcome}.` });
  const ended = await endExport(tx, scope, { id: row.id, outcome: 'canceled', endedAt: ctx.nowMs });
  assert(ended, 'a locked row that has not ended can be ended');
  await deleteDueWork(tx, scope, 'write_export', row.id);
  return ended;
}
