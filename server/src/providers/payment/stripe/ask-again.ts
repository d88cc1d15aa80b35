/** The same call again where that is safe and brings more: it is still under way under its key, or broke behind it. */
import { setTimeout as wait } from 'node:timers/promises';
import type Stripe from 'stripe';
import type { StripeClient } from './client.ts';
import { StripeFailure } from './failure.ts';

const TRIES_MAX = 7;
const FIRST_PAUSE_MS = 40;
/** Stripe keeps what it answered under a key, a failure of its own too: behind one the next key is taken. */
const KEYS_MAX = 4;

type Call<T> = (sdk: Stripe, options: Stripe.RequestOptions) => Promise<T>;

/** Throws StripeFailure. Several who ask at once under one key have the same answer. */
export async function askAgain<T>(
  client: StripeClient,
  key: string,
  call: Call<T>,
  sendByRealMs = Number.POSITIVE_INFINITY,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await client.ask(call, { key, sendByRealMs });
    } catch (error) {
      const isUnderWay = error instanceof StripeFailure && error.facts.code === 'idempotency_key_in_use';
      if (!isUnderWay || tries >= TRIES_MAX) throw error;
      await wait(FIRST_PAUSE_MS * 2 ** (tries - 1));
    }
  }
}

export interface AskingByKeys<T> {
  /** Without its number. */
  key: string;
  call: Call<T>;
  sendByRealMs?: number;
  /** Asked behind a failure of Stripe's own: what has become of it; null = nothing, so that it may be asked for anew. */
  look: () => Promise<T | null>;
}

/** Throws StripeFailure. */
export async function askByKeys<T>(client: StripeClient, asking: AskingByKeys<T>): Promise<T> {
  const { key, call, sendByRealMs, look } = asking;
  for (let number = 0; ; number += 1) {
    try {
      return await askAgain(client, `${key}:${number}`, call, sendByRealMs);
    } catch (error) {
      if (!(error instanceof StripeFailure) || (error.facts.status ?? 0) < 500) throw error;
      const found = await look();
      if (found !== null) return found;
      if (number + 1 >= KEYS_MAX) throw error;
    }
  }
}
