/** Sending a mail again because somebody asks for it: a new mail of the same matter, written anew. */
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import { assert } from '../../domain/assert.ts';
import { Refusal } from '../../domain/errors.ts';
import { SECRET_KINDS } from '../../domain/mails/kinds.ts';
import { findMail, insertMailAgain } from '../../resources/mails/mails.queries.ts';

/** Throws not_found, and mail_not_resendable for one that lets in or whose reader is gone. */
export async function resendMail(
  ctx: Context,
  scope: Scope,
  { tx, mailId }: { tx: Tx; mailId: string },
): Promise<Row<'mails'>> {
  const mail = await findMail(tx, scope, mailId);
  if (!mail) throw new Refusal('not_found');
  // Its link is over, and a new one is whoever it is for to ask for.
  if (SECRET_KINDS.includes(mail.kind)) throw new Refusal('mail_not_resendable');
  const id = ctx.ids.next(ctx.nowMs);
  if (!(await insertMailAgain(tx, scope, { ofId: mailId, id, createdAt: ctx.nowMs })))
    throw new Refusal('mail_not_resendable');
  const again = await findMail(tx, scope, id);
  assert(again, 'a mail is read back in the transaction that wrote it');
  return again;
}
