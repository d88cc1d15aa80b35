/** Requests in a time, counted in memory: a bucket for each key that holds so many and fills by the second. */

export interface BucketTerms {
  capacity: number;
  perSecond: number;
}

interface Bucket {
  tokens: number;
  atMs: number;
}

export interface Taken {
  isTaken: boolean;
  remaining: number;
  /** Until the bucket is full again. */
  fullInMs: number;
  /** Until there is one more. */
  nextInMs: number;
}

/** Of the buckets of a kind: beyond that the oldest is forgotten, which is to say full. */
const BUCKETS_MAX = 50_000;

/** `nowMs` must never run backwards, or it would take back what has filled. */
export class TokenBuckets {
  readonly #buckets = new Map<string, Bucket>();
  readonly #terms: BucketTerms;
  readonly #nowMs: () => number;

  constructor(terms: BucketTerms, nowMs: () => number) {
    this.#terms = terms;
    this.#nowMs = nowMs;
  }

  take(key: string): Taken {
    const bucket = this.#fill(key);
    const isTaken = bucket.tokens >= 1;
    if (isTaken) bucket.tokens -= 1;
    const { capacity, perSecond } = this.#terms;
    return {
      isTaken,
      remaining: Math.floor(bucket.tokens),
      fullInMs: ((capacity - bucket.tokens) / perSecond) * 1000,
      nextInMs: (Math.max(0, 1 - bucket.tokens) / perSecond) * 1000,
    };
  }

  /** What was taken turned out to be another's to count. */
  giveBack(key: string): void {
    const bucket = this.#fill(key);
    bucket.tokens = Math.min(this.#terms.capacity, bucket.tokens + 1);
  }

  #fill(key: string): Bucket {
    const nowMs = this.#nowMs();
    const { capacity, perSecond } = this.#terms;
    const bucket = this.#buckets.get(key);
    if (bucket) {
      bucket.tokens = Math.min(capacity, bucket.tokens + ((nowMs - bucket.atMs) / 1000) * perSecond);
      bucket.atMs = nowMs;
      return bucket;
    }
    if (this.#buckets.size >= BUCKETS_MAX) {
      const [oldest] = this.#buckets.keys();
      if (oldest !== undefined) this.#buckets.delete(oldest);
    }
    const full = { tokens: capacity, atMs: nowMs };
    this.#buckets.set(key, full);
    return full;
  }
}
