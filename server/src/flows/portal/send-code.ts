/** The code goes to whoever reads the mailbox that was named, or the mailbox of the purchase that was; else to nobody. */
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import { inTransaction } from '../../db/transaction.ts';
import { toEmailNormal } from '../../domain/email.ts';
import { parseNumber, toOrderNumber } from '../../domain/numbers.ts';
import { CODE_MS } from '../../domain/portal/session-life.ts';
import { finishDueWork } from '../../resources/due-work/due-work.queries.ts';
import type { ClaimedWork } from '../../resources/due-work/due-work.sql.ts';
import {
  bindCode,
  findBuyerOfPurchase,
  findCode,
  type PortalCodeRow,
} from '../../resources/portal/portal-codes.queries.ts';
import { findUser, findUserByEmail } from '../../resources/users/users.queries.ts';
import { queueCausedMail } from '../outbox/queue-mail.ts';
import { toMailboxHash } from './ask-for-code.ts';
import { deriveWords } from './derive-words.ts';
import { findPortalUrl } from './portal-address.ts';

/** Reference of the work: what was asked. */
export async function sendPortalCode(ctx: Context, work: ClaimedWork): Promise<void> {
  const { scope, refId: id } = work;
  const words = await deriveWords(ctx.db, { purpose: 'sign-in', id });
  const url = await findPortalUrl(ctx, scope, `/sign-in/${words.link}`);
  await inTransaction(ctx.db, async (tx) => {
    if (!(await finishDueWork(tx, work))) return;
    const row = await findCode(tx, scope, id);
    if (!row || row.asked === null || row.endsAt <= ctx.realNowMs()) return;
    const user = await findBuyer(tx, scope, row);
    const to = user?.email ?? null;
    const mailboxHash = to === null ? row.mailboxHash : toMailboxHash(scope, 'email', toEmailNormal(to));
    await bindCode(tx, scope, { id, userId: to === null ? null : (user?.id ?? null), mailboxHash });
    if (to === null) return;
    const params = { code: words.code, url, validMinutes: CODE_MS / 60_000 };
    const language = user?.language ?? row.language;
    const mail = {
      kind: 'magic_link' as const,
      params,
      key: `magic_link:${id}`,
      at: ctx.nowMs,
      to,
      language,
    };
    await queueCausedMail(ctx, scope, { tx, mail });
  });
}

/** Undefined where nobody is there, or nobody any more. */
async function findBuyer(
  tx: Tx,
  scope: Scope,
  { asked, askedAs }: PortalCodeRow,
): Promise<Row<'users'> | undefined> {
  const text = asked ?? '';
  const user =
    askedAs === 'email' ? await findUserByEmail(tx, scope, text) : await findByPurchase(tx, scope, text);
  return user && user.archivedAt === null && user.erasedAt === null ? user : undefined;
}

async function findByPurchase(tx: Tx, scope: Scope, text: string): Promise<Row<'users'> | undefined> {
  // Of a renewal the buyer has the number of a payment.
  const named = { orderNumber: toOrderNumber(text) ?? parseNumber(text), key: text };
  const userId = await findBuyerOfPurchase(tx, scope, named);
  return userId === undefined ? undefined : findUser(tx, scope, userId);
}
