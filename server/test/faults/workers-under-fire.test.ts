import { describe, expect, it } from 'vitest';
import { endure } from './endurance.ts';
import { openFaultStore } from './fault-store.ts';

/** The long form, by hand: `npm run endurance`. */
const SEED = Number(process.env.ENDURANCE_SEED ?? 20_261_121);

const store = openFaultStore();

describe('four workers that renew what fell due in two months without any', { timeout: 300_000 }, () => {
  it('T02 renew each period once and in order, though they are killed, cut off, or halted until they have lost their leases', async () => {
    const { faults, figures } = await endure({
      ...store(),
      seed: SEED,
      workers: 4,
      subscriptions: 60,
      periods: 2,
      kills: 8,
      pauses: 2,
      cuts: 2,
      hasBadCards: true,
      isHastened: true,
      connections: 4,
    });
    expect({ faults, seed: SEED }).toEqual({ faults: [], seed: SEED });
    expect(figures).toMatchObject({ kills: 8, pauses: 2, 'renewals paid': 2 * 54 });
  });
});
