import { randomBytes } from 'node:crypto';
import { v7 } from 'uuid';
import type { Ids } from '../context.ts';

const POOL_BYTES = 16 * 256;

/** UUIDv7 of the moment given; ids made in one moment keep their order. */
export function createIds(): Ids {
  let pool = randomBytes(POOL_BYTES);
  let used = 0;
  let lastMs = -1;
  let sequence = 0;
  return {
    next(nowMs) {
      if (used + 16 > POOL_BYTES) {
        pool = randomBytes(POOL_BYTES);
        used = 0;
      }
      const random = pool.subarray(used, used + 16);
      used += 16;
      // The sequence fills the bits below the milliseconds: a list of one moment stays in the order it was made.
      sequence = nowMs === lastMs ? sequence + 1 : random.readUInt32BE(0) >>> 3;
      lastMs = nowMs;
      return v7({ msecs: nowMs, random, seq: sequence >>> 0 });
    },
    randomBytes: (length) => randomBytes(length),
  };
}
