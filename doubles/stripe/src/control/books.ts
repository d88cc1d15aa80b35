/** What the stand-in holds to be true of the money of one account. */

import { toCalls } from '../../../core/log.ts';
import type { World } from '../../../core/world.ts';
import { sumBalance } from '../verbs/ledger.ts';
import { type Account, listRows } from '../world/rows.ts';

interface ChargeSums {
  taken: number;
  refunded: number;
  disputed: number;
  currency: string;
}

export function toBooks(world: World, account: Account): object {
  const { available, pending } = sumBalance(world, account);
  return {
    charges: toCharges(world, account),
    balance: { [account.currency]: available + pending },
    calls: toCalls(world, account),
  };
}

/** By the merchant's own name of a charge, which its object carries. */
function toCharges(world: World, account: Account): Record<string, ChargeSums> {
  const sums: Record<string, ChargeSums> = {};
  const owners = new Map<string, ChargeSums>();
  for (const { data } of listRows(world, 'charge', account)) {
    const name = data.metadata.cf_charge;
    if (!name) continue;
    sums[name] ??= { taken: 0, refunded: 0, disputed: 0, currency: data.currency };
    const sum = sums[name];
    owners.set(data.id, sum);
    if (data.status !== 'succeeded') continue;
    sum.taken += data.amount_captured;
    sum.refunded += data.amount_refunded;
    sum.currency = data.currency;
  }
  for (const { data } of listRows(world, 'dispute', account)) {
    const isCounted = ['lost', 'needs_response', 'under_review'].includes(data.status);
    const sum = owners.get(String(data.charge));
    if (isCounted && sum) sum.disputed += data.amount;
  }
  return sums;
}
