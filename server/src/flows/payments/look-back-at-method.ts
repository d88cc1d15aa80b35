/**
 * A bank may refuse the mandate of a debit before the first payment by it is settled, and so before the method is kept: what was
 * told of it then found nothing here. It is looked at once more, as soon as there is a method to lose.
 */
import type { Step } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Scope } from '../../db/scope.ts';
import { DAYS_WHEN_KEPT } from '../../domain/processors/method-types.ts';
import { insertDueWork } from '../../resources/due-work/due-work.queries.ts';
import { findToldOfMethod } from '../../resources/processors/processor-events.queries.ts';

export interface KeptMethod {
  connectionId: string | null;
  reference: string;
  /** As its details name it. */
  type: string;
}

export async function lookBackAtMethod(
  { nowMs }: Pick<Step, 'nowMs'>,
  scope: Scope,
  { tx, connectionId, reference, type }: KeptMethod & { tx: Tx },
): Promise<void> {
  if (connectionId === null || !DAYS_WHEN_KEPT.has(type)) return;
  const told = await findToldOfMethod(tx, scope, { connectionId, reference });
  if (told) await insertDueWork(tx, scope, [{ kind: 'watch_method', refId: told.id, dueMs: nowMs }]);
}
