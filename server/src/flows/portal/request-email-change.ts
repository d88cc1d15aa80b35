/**
 * A buyer wants to be reached at another address. What is done and answered is the same whether somebody has it: the job
 * behind it looks. Nothing changes before the new mailbox has said its code.
 */
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import { parseEmail } from '../../domain/email.ts';
import { invalidField } from '../../domain/errors.ts';
import { CODE_MS, UNDO_MS } from '../../domain/portal/session-life.ts';
import { insertDueWork } from '../../resources/due-work/due-work.queries.ts';
import { insertEmailChange } from '../../resources/portal/email-changes.queries.ts';
import { takeLimited } from '../limits/count-limited.ts';

export interface WantedEmail {
  tx: Tx;
  user: Row<'users'>;
  email: string;
  language: string;
}

/** Throws rate_limited, and invalid_input for what is no other address. */
export async function requestEmailChange(
  ctx: Context,
  scope: Scope,
  { tx, user, email, language }: WantedEmail,
): Promise<void> {
  const wanted = parseEmail(email);
  if (!wanted) throw invalidField('email', 'is not a valid e-mail address');
  if (wanted.address === user.email) throw invalidField('email', 'is your address already');
  const of = user.id;
  await takeLimited(ctx, scope, {
    db: tx,
    limited: [
      { limit: 'email_change_by_user', of },
      { limit: 'email_change_by_user_a_day', of },
    ],
  });
  const nowMs = ctx.realNowMs();
  const id = ctx.ids.next(nowMs);
  await insertEmailChange(tx, scope, {
    ...{ id, userId: user.id, oldEmail: user.email ?? '', newEmail: wanted.address, language },
    createdAt: nowMs,
    codeEndsAt: nowMs + CODE_MS,
    endsAt: nowMs + UNDO_MS,
  });
  await insertDueWork(tx, scope, [{ kind: 'send_email_change', refId: id, dueMs: ctx.nowMs }]);
}
