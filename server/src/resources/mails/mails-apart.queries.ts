/** What new and finished mails write, by a statement for each table. */
import type { RawBuilder } from 'kysely';
import type { Tx } from '../../db/database.ts';
import { keepQuery } from '../../db/kept-query.ts';
import { inScope, type Scope, scopeColumns } from '../../db/scope.ts';
import { type ClaimedWork, toDueWorkInsertion } from '../due-work/due-work.sql.ts';
import type { QueuedMail } from './mails.sql.ts';

/** Of the mails that an insertion finds to be new; which they are only it can tell. */
export async function insertMailsApart(
  tx: Tx,
  scope: Scope,
  insertion: RawBuilder<QueuedMail>,
): Promise<void> {
  const { rows } = await insertion.execute(tx);
  if (rows.length === 0) return;
  const due = rows.map(({ id, createdAt }) => ({ kind: 'send_mail', refId: id, dueMs: createdAt }) as const);
  await toDueWorkInsertion(scope, due).execute(tx);
}

const ending = keepQuery(
  (db, { kind, refId, fence, ...scope }: Scope & Pick<ClaimedWork, 'kind' | 'refId' | 'fence'>) =>
    db
      .deleteFrom('dueWork')
      .where(inScope(scope))
      .where('kind', '=', kind)
      .where('refId', '=', refId)
      .where('fence', '=', fence)
      .returning('refId'),
);

/** Ends the claimed row of a mail; false when the lease was lost, and nothing may be written of it. */
export async function endMailWork(tx: Tx, { scope, kind, refId, fence }: ClaimedWork): Promise<boolean> {
  const rows = await ending(tx, { ...scopeColumns(scope), kind, refId, fence });
  return rows.length === 1;
}
