import { randomBytes } from 'node:crypto';
import { v7 } from 'uuid';
import type { Ids } from '../context.ts';

const POOL_BYTES = 16 * 256;
/** Moments whose last id is remembered: a request keeps its moment while others make ids of theirs. */
const MOMENTS_MAX = 10_000;

/** UUIDv7 of the moment given; ids made in one moment keep their order. */
export function createIds(): Ids {
  let pool = randomBytes(POOL_BYTES);
  let used = 0;
  const sequences = new Map<number, number>();
  /** Each byte is given once; asking the system for a few at a time costs more than what is made of them. */
  const take = (length: number): Buffer => {
    if (length > POOL_BYTES) return randomBytes(length);
    if (used + length > POOL_BYTES) {
      pool = randomBytes(POOL_BYTES);
      used = 0;
    }
    used += length;
    return pool.subarray(used - length, used);
  };
  return {
    next(nowMs) {
      const random = take(16);
      // The sequence fills the bits below the milliseconds: a list of one moment stays in the order it was made.
      const last = sequences.get(nowMs);
      const sequence = last === undefined ? random.readUInt32BE(0) >>> 3 : last + 1;
      if (last === undefined && sequences.size >= MOMENTS_MAX) forgetOldest(sequences);
      sequences.set(nowMs, sequence);
      return v7({ msecs: nowMs, random, seq: sequence >>> 0 });
    },
    randomBytes: take,
  };
}

/** A map keeps its keys in the order in which they came. */
function forgetOldest(sequences: Map<number, number>): void {
  for (const moment of sequences.keys()) {
    sequences.delete(moment);
    return;
  }
}
