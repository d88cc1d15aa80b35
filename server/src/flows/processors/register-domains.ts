/**
 * The hosts whose pages are to show wallets are named to the processors that ask for it: when one is connected, when they
 * change, and day by day. What a processor says of each stands in its health.
 */
import type { Context } from '../../context.ts';
import type { Row } from '../../db/schema.ts';
import { type Scope, toJson } from '../../db/scope.ts';
import { inTransaction } from '../../db/transaction.ts';
import { findWalletHosts } from '../../domain/processors/wallet-hosts.ts';
import { toSettings } from '../../domain/settings.ts';
import { updateProcessor } from '../../resources/processors/processors.queries.ts';
import type { WalletDomain } from '../../resources/processors/processors.schema.ts';
import { claimDomains } from '../../resources/processors/tending.queries.ts';
import { listOpenStores } from '../../resources/workspaces/open-stores.queries.ts';
import { getStore } from '../../resources/workspaces/workspaces.queries.ts';
import { openAccount } from './tend-endpoints.ts';

type Service = Omit<Context, 'nowMs'>;

/** Those that are due, or were not named for `everyMs`. Answers of how many connections it was all said. */
export async function registerDomains(service: Service, { everyMs }: { everyMs: number }): Promise<number> {
  let count = 0;
  const stores = await listOpenStores(service.db);
  for (const row of await claimDomains(service.db, { ...stores, everyMs })) {
    const { workspaceId, testMode } = row;
    if (await registerDomainsOf(service, { workspaceId, testMode }, row)) count += 1;
  }
  return count;
}

/** Answers whether each was said. What gets no answer is `pending`, and asked for again tomorrow. */
export async function registerDomainsOf(
  service: Service,
  scope: Scope,
  row: Row<'processors'>,
): Promise<boolean> {
  const account = openAccount(service, scope, row);
  const register = account?.accounts.registerDomain;
  if (!account || !register) return false;
  const { authorizedDomains } = toSettings((await getStore(service.db, scope)).settings);
  const { credentials, testMode } = account;
  const domains: WalletDomain[] = [];
  for (const host of findWalletHosts({ publicUrl: service.config.publicUrl, authorizedDomains })) {
    try {
      domains.push({ host, state: await register({ credentials, testMode, host }) });
    } catch (error) {
      service.log.warn({ err: error, processorId: row.id, host }, 'a host could not be named for wallets');
      domains.push({ host, state: 'pending' });
    }
  }
  await inTransaction(service.db, (tx) =>
    updateProcessor(tx, scope, { id: row.id, domains: toJson(domains), domainsAt: service.realNowMs() }),
  );
  return domains.every(({ state }) => state !== 'pending');
}
