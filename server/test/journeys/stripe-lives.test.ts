/**
 * Random lives of a shop over Stripe's stand-in: it sells, gives back, is disputed, is told late, twice or nothing, meets
 * faults at each call, and its buyers and banks do what they do elsewhere. Once all is healed both books hold the same.
 * `STRIPE_LIVES=20` lives that many more, each with a seed of its own; `STRIPE_SEED=n` lives that one.
 */
import { afterEach, expect, it } from 'vitest';
import { createRandom, type Random } from '../support/random.ts';
import { openStripeLife, type StripeLife } from '../support/stripe-life.ts';

const STEPS = 40;
const SEEDS = [1, 12, 1142509010];

let life: StripeLife | null = null;
afterEach(async () => {
  await life?.close();
  life = null;
});

type Step = (life: StripeLife, random: Random) => Promise<void>;

const PLAN: ReadonlyArray<readonly [number, Step]> = [
  [6, (one, random) => one.buy(random)],
  [4, (one, random) => one.refund(random)],
  [2, (one, random) => one.refundElsewhere(random)],
  [2, (one, random) => one.returnRefund(random)],
  [4, (one, random) => one.dispute(random)],
  [2, (one, random) => one.changeCard(random)],
  [1, (one, random) => one.cancel(random)],
  [3, (one, random) => one.disturb(random)],
  [2, (one) => one.heal()],
  [3, (one) => one.readEvents()],
  [2, (one) => one.passRealDay()],
  [4, (one, random) => one.passTime(random)],
];

function pick(random: Random): Step {
  let left = random.below(PLAN.reduce((sum, [weight]) => sum + weight, 0));
  for (const [weight, step] of PLAN) {
    left -= weight;
    if (left < 0) return step;
  }
  throw new Error('no step');
}

const { STRIPE_LIVES = '0', STRIPE_SEED } = process.env;
const more = Array.from({ length: Number(STRIPE_LIVES) }, () => Math.floor(Math.random() * 2 ** 31));
const seeds = STRIPE_SEED ? [Number(STRIPE_SEED)] : [...SEEDS, ...more];

it.each(seeds)(
  'P37 P40 P42 a life over Stripe ends with equal books (seed %i)',
  { timeout: 600_000 },
  async (seed) => {
    const random = createRandom(seed);
    life = await openStripeLife(seed);
    for (let step = 0; step < STEPS; step += 1) await pick(random)(life, random);
    await life.settle();
    expect({ seed, differences: await life.compare(), said: life.said }).toEqual({
      seed,
      differences: [],
      said: life.said,
    });
  },
);
