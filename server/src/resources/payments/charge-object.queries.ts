/**
 * Which object of its processor a charge is. Each of these is one statement on a row that stands: of one who names the
 * object and one who calls the charge off, whoever comes second is told so, and no lock is held while anybody is asked.
 */
import type { Db } from '../../db/database.ts';
import { keepQuery } from '../../db/kept-query.ts';
import { inScope, type Scope, scopeColumns } from '../../db/scope.ts';

export interface NamingObject {
  chargeId: string;
  processorId: string;
  /** The process that asks for its money next; missing where nobody does. */
  sentBy?: string;
  sentAt?: number;
}

const naming = keepQuery((db, { workspaceId, testMode, chargeId, ...named }: Scope & NamingObject) =>
  db
    .updateTable('charges')
    .set(named)
    .where(inScope({ workspaceId, testMode }))
    .where('id', '=', chargeId)
    .where('status', '=', 'pending')
    .where((eb) => eb.or([eb('processorId', 'is', null), eb('processorId', '=', named.processorId)]))
    .where('calledOffAt', 'is', null)
    .returning('id'),
);

/** False where the charge is settled, called off, or another object by now: this one is to be cancelled. */
export async function nameChargeObject(db: Db, scope: Scope, object: NamingObject): Promise<boolean> {
  const rows = await naming(db, { ...scopeColumns(scope), ...object });
  return rows.length > 0;
}

/** From here on no object is named in it. False where one is: the processor is to be asked. */
export async function callOffUnnamed(
  db: Db,
  scope: Scope,
  { chargeId, nowMs }: { chargeId: string; nowMs: number },
): Promise<boolean> {
  const row = await db
    .updateTable('charges')
    .set({ calledOffAt: nowMs })
    .where(inScope(scope))
    .where('id', '=', chargeId)
    .where('processorId', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}
