/** The link by which whoever started a new store makes its owner's account theirs. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Service } from '../../context.ts';
import { type AccountRow, findAccountToSetUp } from '../../resources/accounts/accounts.queries.ts';
import { getInstallationSecret } from '../../resources/installation/installation.queries.ts';

export const toDashboardUrl = ({ publicUrl }: Service['config']) => `${publicUrl}/dashboard`;

export interface SetupLink {
  account: AccountRow;
  token: string;
  url: string;
}

/** The same in every process and at every start, for as long as it works; null once it does not. */
export async function findSetup({ db, config }: Pick<Service, 'db' | 'config'>): Promise<SetupLink | null> {
  const account = await findAccountToSetUp(db);
  if (!account) return null;
  const secret = await getInstallationSecret(db, 'accounts');
  // Another password makes another token.
  const token = createHmac('sha256', secret)
    .update(`setup\n${account.id}\n${account.passwordHash}`)
    .digest('base64url');
  // In the fragment, which no log and no other site is told.
  return { account, token, url: `${toDashboardUrl(config)}/setup#${token}` };
}

export function isSetupToken({ token }: SetupLink, given: string): boolean {
  const [right, shown] = [Buffer.from(token), Buffer.from(given)];
  return right.length === shown.length && timingSafeEqual(right, shown);
}
