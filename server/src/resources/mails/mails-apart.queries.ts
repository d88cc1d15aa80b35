/** What new mails write, by a statement for each table. */
import type { RawBuilder } from 'kysely';
import type { Tx } from '../../db/database.ts';
import type { Scope } from '../../db/scope.ts';
import { toDueWorkInsertion } from '../due-work/due-work.sql.ts';
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
