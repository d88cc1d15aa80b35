/**
 * Which object of its processor a charge is. Each of these is one statement on a row that stands: of one who names the
 * object and one who calls the charge off, whoever comes second is told so, and no lock is held while anybody is asked.
 */
import type { Db } from '../../db/database.ts';
import { inScope, type Scope } from '../../db/scope.ts';

export interface NamingObject {
  chargeId: string;
  processorId: string;
  /** The process that asks for its money next; missing where nobody does. */
  sentBy?: string;
  sentAt?: number;
}

/** False where the charge is settled, called off, or another object by now: this one is to be cancelled. */
export async function nameChargeObject(
  db: Db,
  scope: Scope,
  { chargeId, ...named }: NamingObject,
): Promise<boolean> {
  const { processorId } = named;
  const row = await db
    .updateTable('charges')
    .set(named)
    .where(inScope(scope))
    .where('id', '=', chargeId)
    .where('status', '=', 'pending')
    .where((eb) => eb.or([eb('processorId', 'is', null), eb('processorId', '=', processorId)]))
    .where('calledOffAt', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
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
