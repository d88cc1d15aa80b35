/** Who is at the door, and what is noted of what they do there. */
import type { Service } from '../../context.ts';
import type { Db } from '../../db/database.ts';
import { type AccountOperation, insertAccountAudit } from '../../resources/accounts/account-audit.queries.ts';

/** A browser that is on its way in, or an operator's command. */
export interface Visitor {
  ipAddress: string;
  /** The address as limits count it. */
  addressKey: string;
  userAgent: string;
  requestId: string;
}

/** What flows of accounts need of the process. */
export type AccountContext = Pick<Service, 'db' | 'ids' | 'config' | 'log' | 'mail' | 'sealing'> & {
  /** Real time. */
  nowMs: number;
};

export interface Noted {
  accountId: string | null;
  operation: AccountOperation;
  visitor: Pick<Visitor, 'ipAddress' | 'requestId'> | null;
  details?: Record<string, unknown>;
}

/** Belongs into the transaction of what it tells of. */
export async function noteAccount(
  { ids, nowMs }: Pick<AccountContext, 'ids' | 'nowMs'>,
  db: Db,
  { accountId, operation, visitor, details = {} }: Noted,
): Promise<void> {
  await insertAccountAudit(db, {
    id: ids.next(nowMs),
    accountId,
    operation,
    details,
    ipAddress: visitor?.ipAddress ?? null,
    requestId: visitor?.requestId ?? null,
    createdAt: nowMs,
  });
}
