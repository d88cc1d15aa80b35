/** The same call again where that is safe and brings more: it is still under way under its key, or broke behind it. */
import { setTimeout as wait } from 'node:timers/promises';
import type Stripe from 'stripe';
import type { StripeClient } from './client.ts';
import { StripeFailure } from './failure.ts';

const TRIES_MAX = 7;
const FIRST_PAUSE_MS = 40;
/**
 * Stripe keeps what it answered under a key for a day, a failure of its own too: behind one the next key is taken. So
 * many failures are waited for, those of earlier tries left out.
 */
const FAILURES_MAX = 4;
/** Of what moves nothing. */
const FAILURES_OF_NOTHING_MAX = 6;
/** Failures of earlier tries that one goes past: each time twice as far, which is more keys than a day can use up. */
const REPLAYS_MAX = 30;

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
  const isFree = look === 'moves nothing';
  const failuresMax = isFree ? FAILURES_OF_NOTHING_MAX : FAILURES_MAX;
  let failures = 0;
  let replays = 0;
  for (let number = 0; ; ) {
    try {
      return await askAgain(client, `${key}:${number}`, call, sendByRealMs);
    } catch (error) {
      if (!(error instanceof StripeFailure)) throw error;
      if (!hasBroken(error) && !(isFree && isLost(error))) throw error;
      const found = isFree ? null : await look();
      if (found !== null) return found;
      const isOld = error.facts.isReplayed === true;
      if (isOld) replays += 1;
      else failures += 1;
      if (failures >= failuresMax || replays >= REPLAYS_MAX) throw error;
      number += isOld ? 2 ** (replays - 1) : 1;
    }
  }
}

/** Stripe says so itself. */
const hasBroken = ({ facts: { status } }: StripeFailure) => (status ?? 0) >= 500;

/** There was no answer, or none that could be read. */
const isLost = ({ kind, facts: { status } }: StripeFailure) =>
  kind === 'unknown' && (status === null || status < 400);
