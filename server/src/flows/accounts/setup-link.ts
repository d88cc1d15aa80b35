/** The link by which whoever started a new store makes its owner's account theirs. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Service } from '../../context.ts';
import type { Db } from '../../db/database.ts';
import { listAccountsToSetUp, type OpenAccount } from '../../resources/accounts/accounts.queries.ts';
import { getInstallationSecret } from '../../resources/installation/installation.queries.ts';
import { countPaidOrders } from '../../resources/workspaces/paid-orders.queries.ts';

export const toDashboardUrl = ({ publicUrl }: Service['config']) => `${publicUrl}/dashboard`;

export interface SetupLink {
  account: OpenAccount;
  token: string;
  url: string;
}

/** The same in every process and at every start, for as long as it works; null once it does not. */
export async function findSetup({ db, config }: Pick<Service, 'db' | 'config'>): Promise<SetupLink | null> {
  const account = await findOpen(db);
  if (!account) return null;
  const secret = await getInstallationSecret(db, 'accounts');
  // Another password makes another token.
  const token = createHmac('sha256', secret)
    .update(`setup\n${account.id}\n${account.passwordHash}`)
    .digest('base64url');
  // In the fragment, which no log and no other site is told.
  return { account, token, url: `${toDashboardUrl(config)}/setup#${token}` };
}

/** The account that is still to be set up; none once a live order of its was paid. */
async function findOpen(db: Db): Promise<OpenAccount | null> {
  for (const account of await listAccountsToSetUp(db)) {
    const paid = await countPaidOrders(db, account.workspaceIds, 1);
    if ([...paid.values()].every((count) => count === 0)) return account;
  }
  return null;
}

export function isSetupToken({ token }: SetupLink, given: string): boolean {
  const [right, shown] = [Buffer.from(token), Buffer.from(given)];
  return right.length === shown.length && timingSafeEqual(right, shown);
}
