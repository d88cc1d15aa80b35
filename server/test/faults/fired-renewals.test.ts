import { expect, it } from 'vitest';
import { endure } from './endurance.ts';
import { openFaultStore } from './fault-store.ts';

/** The long form, by hand: `npm run endurance -- processors`. */
const SEED = Number(process.env.ENDURANCE_SEED ?? 20_261_123);

const store = openFaultStore();

it('P23 workers that are killed charge each period once over a processor whose answers are wrong, late or missing', async () => {
  const { faults, figures } = await endure({
    ...store(),
    seed: SEED,
    workers: 4,
    subscriptions: 120,
    periods: 1,
    kills: 8,
    pauses: 0,
    cuts: 0,
    hasBadCards: false,
    isHastened: true,
    connections: 4,
    till: { share: 0.05, timeoutMs: 2_000, rate: '400/400' },
    ...(process.env.ENDURANCE_LOG ? { log: console.log } : {}),
  });
  expect({ faults, seed: SEED }).toEqual({ faults: [], seed: SEED });
  expect(figures).toMatchObject({ kills: 8, 'renewals paid': 120, 'taken there': 240 });
}, 900_000);
