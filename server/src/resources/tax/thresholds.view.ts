/** How near a seller is to what makes them register somewhere: thresholds beside the sales that count for them. */
import type { Db } from '../../db/database.ts';
import type { Scope } from '../../db/scope.ts';
import { divideHalfAwayFromZero } from '../../domain/money/rounding.ts';
import {
  findThresholds,
  isCounted,
  isForSeller,
  type ThresholdPeriod,
  toThresholdStart,
} from '../../domain/tax/thresholds.ts';
import { findBooks, loadSeries } from '../reports/reports.view.ts';
import type { ThresholdStanding } from './tax-tables.schema.ts';

const PPM = 1_000_000n;
const METRICS = ['grossVolume', 'refunds', 'taxCollected'] as const;

interface Sold {
  currency: string;
  country: string | null;
  netMinor: bigint;
}

export async function loadThresholds(
  db: Db,
  scope: Scope,
  { nowMs, sellerCountry }: { nowMs: number; sellerCountry: string | null },
): Promise<ThresholdStanding[]> {
  const thresholds = findThresholds(nowMs);
  const soldIn = new Map<ThresholdPeriod, Sold[]>();
  for (const period of new Set(thresholds.map((threshold) => threshold.period)))
    soldIn.set(
      period,
      await sumSales(db, scope, { fromMs: toThresholdStart(period, nowMs), toMs: nowMs + 1 }),
    );
  return thresholds.map((threshold) => {
    const { period, currency, amountMinor } = threshold;
    const counted = (soldIn.get(period) ?? []).filter(({ country }) =>
      isCounted(threshold, { buyerCountry: country, sellerCountry }),
    );
    const sales = [...new Set(counted.map((sold) => sold.currency))].sort().map((code) => ({
      currency: code,
      amountMinor: counted
        .filter((sold) => sold.currency === code)
        .reduce((sum, { netMinor }) => sum + netMinor, 0n),
    }));
    const own = sales.find((sale) => sale.currency === currency);
    return {
      ...{ threshold, sales, fromMs: toThresholdStart(period, nowMs), toMs: nowMs },
      applies: isForSeller(threshold, sellerCountry),
      ratioPpm: own ? divideHalfAwayFromZero(own.amountMinor * PPM, amountMinor) : null,
    };
  });
}

/** By the figures, so that a threshold and a report never tell different sales. */
async function sumSales(db: Db, scope: Scope, window: { fromMs: number; toMs: number }): Promise<Sold[]> {
  const books = await findBooks(db, scope);
  const buckets = [{ ...window, isWhole: false }];
  const asked = { metrics: METRICS, buckets, currency: null, home: null, groupBy: 'country' as const, books };
  const sums = new Map<string, Sold>();
  for (const { metric, currency, group: country, values } of await loadSeries(db, scope, asked)) {
    const key = `${currency} ${country}`;
    const sold = sums.get(key) ?? { currency, country, netMinor: 0n };
    const [value] = values;
    const amount = typeof value === 'bigint' ? value : 0n;
    sold.netMinor += metric === 'grossVolume' ? amount : -amount;
    sums.set(key, sold);
  }
  return [...sums.values()];
}
