/** The same call again where that is safe and brings more: it is still under way under its key, or broke behind it. */
import { setTimeout as wait } from 'node:timers/promises';
import type Stripe from 'stripe';
import type { StripeClient } from './client.ts';
import { StripeFailure } from './failure.ts';

const TRIES_MAX = 7;
const FIRST_PAUSE_MS = 40;
/** Stripe keeps what it answered under a key, a failure of its own too: behind one the next key is taken. */
const KEYS_MAX = 4;
/** Of what moves nothing. */
const KEYS_FOR_NOTHING_MAX = 6;

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
  /**
   * Asked behind a failure of Stripe's own: what has become of it; null = nothing, so that it may be asked for anew.
   * `moves nothing`: it need not be known, also behind an answer that was lost, since a second one takes no money.
   */
  look: (() => Promise<T | null>) | 'moves nothing';
}

/** Throws StripeFailure. */
export async function askByKeys<T>(client: StripeClient, asking: AskingByKeys<T>): Promise<T> {
  const { key, call, sendByRealMs, look } = asking;
  for (let number = 0; ; number += 1) {
    try {
      return await askAgain(client, `${key}:${number}`, call, sendByRealMs);
    } catch (error) {
      if (!(error instanceof StripeFailure)) throw error;
      const isFree = look === 'moves nothing';
      if (!hasBroken(error) && !(isFree && isLost(error))) throw error;
      const found = isFree ? null : await look();
      if (found !== null) return found;
      if (number + 1 >= (isFree ? KEYS_FOR_NOTHING_MAX : KEYS_MAX)) throw error;
    }
  }
}

/** Stripe says so itself. */
const hasBroken = ({ facts: { status } }: StripeFailure) => (status ?? 0) >= 500;

/** There was no answer, or none that could be read. */
const isLost = ({ kind, facts: { status } }: StripeFailure) =>
  kind === 'unknown' && (status === null || status < 400);
