/** The new mailbox gets a code, or is told that somebody wanted it; the old one gets a note and a way to say no. */
import type { Context } from '../../context.ts';
import type { Scope } from '../../db/scope.ts';
import { inTransaction } from '../../db/transaction.ts';
import { CODE_MS } from '../../domain/portal/session-life.ts';
import { finishDueWork } from '../../resources/due-work/due-work.queries.ts';
import type { ClaimedWork } from '../../resources/due-work/due-work.sql.ts';
import { type EmailChangeRow, findEmailChange } from '../../resources/portal/email-changes.queries.ts';
import { findUserByEmail } from '../../resources/users/users.queries.ts';
import { type NewMail, queueCausedMail } from '../outbox/queue-mail.ts';
import { deriveWords } from './derive-words.ts';
import { findPortalUrl } from './portal-address.ts';
import { signUndoLink } from './undo-email-change.ts';

const MINUTE_MS = 60_000;

/** Reference of the work: the change that was asked for. */
export async function sendEmailChange(ctx: Context, work: ClaimedWork): Promise<void> {
  const { scope, refId: id } = work;
  const row = await findEmailChange(ctx.db, scope, id);
  const mails = row && row.stoppedAt === null ? await writeMails(ctx, scope, row) : [];
  await inTransaction(ctx.db, async (tx) => {
    if (!(await finishDueWork(tx, work))) return;
    for (const mail of mails) await queueCausedMail(ctx, scope, { tx, mail });
  });
}

async function writeMails(ctx: Context, scope: Scope, row: EmailChangeRow): Promise<NewMail[]> {
  const { id, oldEmail, newEmail, language } = row;
  const at = ctx.nowMs;
  const { code, link } = await deriveWords(ctx.db, { purpose: 'email', id });
  const undo = await signUndoLink(ctx, scope, row);
  const owner = await findUserByEmail(ctx.db, scope, newEmail);
  // By whose change it is a mail goes with its user, whoever reads the mailbox.
  const about = `${id}:${row.userId}`;
  const isTaken = owner !== undefined && owner.id !== row.userId;
  const toNew: NewMail = isTaken
    ? {
        ...{ kind: 'email_change_taken', params: {}, key: `email_change_taken:${id}`, at, to: newEmail },
        language: owner.language,
      }
    : {
        ...{ kind: 'email_change_code', key: `email_change_code:${about}`, at, to: newEmail, language },
        params: {
          code,
          url: await findPortalUrl(ctx, scope, `/account/email/${link}`),
          validMinutes: CODE_MS / MINUTE_MS,
        },
      };
  const toOld: NewMail = {
    ...{ kind: 'email_change_note', key: `email_change_note:${about}`, at, to: oldEmail, language },
    params: {
      newEmail,
      undoUrl: await findPortalUrl(ctx, scope, `/account/not-me/${undo}`),
    },
  };
  return oldEmail === '' ? [toNew] : [toNew, toOld];
}
