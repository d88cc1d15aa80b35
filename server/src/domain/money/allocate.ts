import { assert } from '../assert.ts';

/**
 * Splits a total over weights by largest remainder: the parts always add up to the total, and no part passes
 * its weight while the total does not pass the sum of the weights.
 * Ties go to the lower `rank`, then to the earlier part. Weights are 0 or more; the total has any sign.
 */
export function allocate(
  totalMinor: bigint,
  weights: readonly bigint[],
  rank: readonly number[] = [],
): bigint[] {
  if (totalMinor < 0n) return allocate(-totalMinor, weights, rank).map((part) => -part);
  const sum = weights.reduce((total, weight) => total + weight, 0n);
  assert(
    weights.every((weight) => weight >= 0n),
    'a negative weight has no share',
  );
  if (totalMinor === 0n) return weights.map(() => 0n);
  assert(sum > 0n, 'an amount needs a weight to go to');

  const shares = weights.map((weight, index) => ({
    index,
    part: (totalMinor * weight) / sum,
    remainder: (totalMinor * weight) % sum,
    rank: rank[index] ?? index,
  }));
  const left = shares.reduce((rest, share) => rest - share.part, totalMinor);
  const ranked = shares.toSorted(
    (a, b) => compare(b.remainder, a.remainder) || a.rank - b.rank || a.index - b.index,
  );
  for (const share of ranked.slice(0, Number(left))) share.part += 1n;
  return shares.map((share) => share.part);
}

function compare(a: bigint, b: bigint): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
