/** A person has what a processor told read once more. */
import type { Step } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import { Refusal } from '../../domain/errors.ts';
import { insertDueWork } from '../../resources/due-work/due-work.queries.ts';
import {
  findProcessorEvent,
  updateProcessorEvent,
} from '../../resources/processors/processor-events.queries.ts';

/** With all its tries anew. Throws not_found. */
export async function retryEvent(
  ctx: Step,
  scope: Scope,
  { tx, connectionId, id }: { tx: Tx; connectionId: string; id: string },
): Promise<Row<'processorEvents'>> {
  const told = await findProcessorEvent(tx, scope, id);
  if (told?.connectionId !== connectionId) throw new Refusal('not_found');
  await insertDueWork(tx, scope, [{ kind: 'read_processor_event', refId: id, dueMs: ctx.nowMs }]);
  const status = 'waiting' as const;
  await updateProcessorEvent(tx, scope, { id, status, tries: 0 });
  return { ...told, status, tries: 0 };
}
