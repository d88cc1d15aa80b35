/** What the stand-in holds to be true of the money of one account. */
import { toCalls } from '../../../core/log.ts';
import type { World } from '../../../core/world.ts';
import { sumBalances } from '../verbs/movements.ts';
import { toMinor } from '../world/money.ts';
import { type Account, listRows } from '../world/rows.ts';

interface ChargeSums {
  taken: number;
  refunded: number;
  disputed: number;
  currency: string;
}

export function toBooks(world: World, account: Account): object {
  const sums = sumBalances(listRows(world, 'movement', account).map(({ data }) => data));
  const balance = Object.fromEntries(
    Object.entries({ [account.currency]: 0, ...sums }).map(([code, sum]) => [code.toLowerCase(), sum]),
  );
  return { charges: toCharges(world, account), balance, calls: toCalls(world, account) };
}

/** By the merchant's own name of a charge, which its order carries. */
function toCharges(world: World, account: Account): Record<string, ChargeSums> {
  const sums: Record<string, ChargeSums> = {};
  const owners = new Map<string, ChargeSums>();
  const reversed = new Map<string, number>();
  for (const { id, data, hidden } of listRows(world, 'capture', account)) {
    const name = data.custom_id ?? data.invoice_id;
    if (!name) continue;
    const currency = data.amount.currency_code.toLowerCase();
    sums[name] ??= { taken: 0, refunded: 0, disputed: 0, currency };
    owners.set(id, sums[name]);
    if (data.status === 'PENDING' || data.status === 'DECLINED' || data.status === 'FAILED') continue;
    sums[name].taken += toMinor(data.amount);
    sums[name].refunded += hidden.refundedMinor ?? 0;
    reversed.set(id, hidden.reversedMinor ?? 0);
  }
  for (const { data, hidden } of listRows(world, 'dispute', account)) {
    const sum = owners.get(hidden.capture ?? '');
    const isWon =
      data.status === 'RESOLVED' && data.dispute_outcome?.outcome_code !== 'RESOLVED_BUYER_FAVOUR';
    const isInquiry = data.status !== 'RESOLVED' && data.dispute_life_cycle_stage === 'INQUIRY';
    if (!sum || isWon || isInquiry) continue;
    const disputed = toMinor(data.dispute_amount);
    sum.disputed += disputed;
    // What a lost one has taken back is told by it alone.
    if (data.status === 'RESOLVED')
      reversed.set(hidden.capture ?? '', (reversed.get(hidden.capture ?? '') ?? 0) - disputed);
  }
  for (const [id, minor] of reversed) {
    const sum = owners.get(id);
    if (sum && minor > 0) sum.disputed += minor;
  }
  return sums;
}
