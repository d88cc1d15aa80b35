/** SQL of what a mail says of a statement: that it was received. */
import { sql } from 'kysely';
import type { Tx } from '../../db/database.ts';
import { inScope, type Scope } from '../../db/scope.ts';

export interface Acknowledgement {
  kind: 'withdrawal_received' | 'notice_received';
  statementId: string;
  recipient: string;
  acknowledgedAt: number;
}

/** The first one that goes to whoever stated it counts. */
export async function noteAcknowledgement(tx: Tx, scope: Scope, given: Acknowledgement): Promise<void> {
  const { kind, statementId, recipient, acknowledgedAt } = given;
  const table = kind === 'withdrawal_received' ? 'withdrawals' : 'cancellation_notices';
  await sql`
    update ${sql.table(table)} s set acknowledged_at = ${acknowledgedAt}::bigint
    where ${inScope(scope, 's')} and s.id = ${statementId}::uuid and s.acknowledged_at is null
      and lower(s.email) = lower(${recipient})`.execute(tx);
}
