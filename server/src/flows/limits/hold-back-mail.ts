/**
 * Mails that somebody can cause who neither paid nor signed in: whoever types an address may not fill its mailbox. One
 * that is too many is kept for the merchant to see and not sent.
 */
import type { Db } from '../../db/database.ts';
import type { Scope } from '../../db/scope.ts';
import { toEmailNormal } from '../../domain/email.ts';
import type { MailKind } from '../../domain/mails/kinds.ts';
import { countLimited, type LimitContext } from './count-limited.ts';

/**
 * Counts a mail of the kind to an address, in the transaction that queues it; answers whether it is to be held back.
 * Receipts, keys, invoices, refunds, dunning's own steps and mails to owners are never asked about, nor is anything that
 * a request with the secret key brings.
 */
export async function isMailOneTooMany(
  ctx: LimitContext,
  scope: Scope,
  { db, kind, to }: { db: Db; kind: MailKind; to: string },
): Promise<boolean> {
  const limited = [{ limit: 'mail_by_mailbox' as const, of: `${kind} ${toEmailNormal(to)}` }];
  return !(await countLimited(ctx, scope, { db, limited }));
}
