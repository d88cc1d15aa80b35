import { expect, it } from 'vitest';
import { openFaultStore } from './fault-store.ts';
import { renewBesideBuyers } from './shared-rate.ts';

/** The long form, by hand: `npm run endurance -- processors`. */
const SEED = Number(process.env.ENDURANCE_SEED ?? 20_261_123);
const DUE = 60;
const PER_SECOND = 20;

const store = openFaultStore();

it('P31 three processes keep to one rate, buyers come first, and what is turned away fails no charge', async () => {
  const shared = await renewBesideBuyers({
    ...store(),
    seed: SEED,
    ...{ workers: 2, due: DUE, checkouts: 2, perSecond: PER_SECOND, connections: 4 },
  });
  expect(shared).toMatchObject({ paid: DUE, failed: 0, faults: [] });
  expect(shared.turnedAway).toBeGreaterThan(0);
  // Buyers did not wait for all that was due before them.
  expect(shared.renewalsLeft).toBeGreaterThan(0);
  // Each process may begin with the calls of a second.
  expect(shared.perSecond).toBeLessThanOrEqual(PER_SECOND * 1.25);
}, 900_000);
