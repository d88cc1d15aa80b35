/** A person says that they have seen to what a report found. */
import type { Step } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import { assert } from '../../domain/assert.ts';
import { Refusal } from '../../domain/errors.ts';
import { acknowledgeReport, findReport } from '../../resources/processors/processor-reports.queries.ts';

/** The first who says so is named. Throws not_found. */
export async function acknowledge(
  ctx: Step,
  scope: Scope,
  { tx, connectionId, id, note }: { tx: Tx; connectionId: string; id: string; note: string },
): Promise<Row<'processorReports'>> {
  const report = await findReport(tx, scope, id);
  if (report?.connectionId !== connectionId) throw new Refusal('not_found');
  await acknowledgeReport(tx, scope, { id, note, at: ctx.realNowMs() });
  const acknowledged = await findReport(tx, scope, id);
  assert(acknowledged, 'a report is never deleted by itself');
  return acknowledged;
}
