/**
 * A letter to an account. That one is asked for is kept whether there is such an account or not: who it goes to, and
 * the link in it, are looked up and made when it is sent, so that asking tells nothing.
 */
import type { Db } from '../../db/database.ts';
import { type AccountMailKind, insertAccountMail } from '../../resources/accounts/account-mails.queries.ts';
import type { AccountContext } from './visitor.ts';

/** How long one is tried to be sent, or its link is good for. */
const LIFE_MS = 60 * 60_000;

export interface AccountMail {
  kind: AccountMailKind;
  /** An address in its normal form. */
  to: string;
  params: Record<string, unknown>;
  /** Missing = an hour. */
  lifeMs?: number;
}

/** Answers its id. */
export async function queueAccountMail(
  { ids, nowMs }: Pick<AccountContext, 'ids' | 'nowMs'>,
  db: Db,
  { kind, to, params, lifeMs = LIFE_MS }: AccountMail,
): Promise<string> {
  const id = ids.next(nowMs);
  await insertAccountMail(db, {
    id,
    kind,
    recipient: to,
    params,
    endsAt: nowMs + lifeMs,
    createdAt: nowMs,
  });
  return id;
}
