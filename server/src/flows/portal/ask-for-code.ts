/**
 * Somebody wants to be let in. What is done for it is the same whoever they are: the job behind it looks who that is.
 */
import type { Context } from '../../context.ts';
import type { Scope } from '../../db/scope.ts';
import { inTransaction } from '../../db/transaction.ts';
import { CODE_MS } from '../../domain/portal/session-life.ts';
import { generateToken, hashToken } from '../../resources/accounts/tokens.ts';
import { insertDueWork } from '../../resources/due-work/due-work.queries.ts';
import { replaceCode } from '../../resources/portal/portal-codes.queries.ts';
import { takeLimited, toSubject } from '../limits/count-limited.ts';

export interface AskedCode {
  /** An e-mail in its normal form, or an order's number or a key as it was typed. */
  asked: string;
  askedAs: 'email' | 'purchase';
  language: string;
  /** Where the buyer wanted to go, behind the portal's address; null = the overview. */
  path: string | null;
  /** As limits count it. */
  addressKey: string;
}

/** Answers the word that the browser keeps. Throws rate_limited. */
export async function askForCode(ctx: Context, scope: Scope, asking: AskedCode): Promise<string> {
  const { asked, askedAs, language, path, addressKey } = asking;
  const browserWord = generateToken();
  const nowMs = ctx.realNowMs();
  await inTransaction(ctx.db, async (tx) => {
    const of = `${askedAs} ${asked}`;
    await takeLimited(ctx, scope, {
      db: tx,
      limited: [
        { limit: 'portal_code_by_address', of: addressKey },
        { limit: 'portal_code_by_email', of },
        { limit: 'portal_code_by_email_a_day', of },
      ],
    });
    const id = ctx.ids.next(nowMs);
    await replaceCode(tx, scope, {
      ...{ id, asked, askedAs, language, path },
      mailboxHash: toMailboxHash(scope, askedAs, asked),
      browserHash: hashToken(browserWord),
      createdAt: nowMs,
      endsAt: nowMs + CODE_MS,
    });
    await insertDueWork(tx, scope, [{ kind: 'send_portal_code', refId: id, dueMs: ctx.nowMs }]);
  });
  ctx.nudgeWorker(scope);
  return browserWord;
}

/** Tells whose code it is without saying who it is. */
export function toMailboxHash(scope: Scope, askedAs: 'email' | 'purchase', asked: string): string {
  return toSubject(scope, `portal ${askedAs} ${asked}`);
}
