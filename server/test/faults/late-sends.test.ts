import { expect, it } from 'vitest';
import { openFaultStore } from './fault-store.ts';
import { haltBeforeSends } from './late-sends.ts';

/** The long form, by hand: `npm run endurance -- processors`. */
const SEED = Number(process.env.ENDURANCE_SEED ?? 20_261_123);
const SENDS = 6;

const store = openFaultStore();

it('P24 workers that were halted before they sent ask for nothing once it is too late', async () => {
  const late = await haltBeforeSends({
    ...store(),
    seed: SEED,
    ...{ workers: 2, sends: SENDS, connections: 4 },
  });
  expect(late.halted).toBeGreaterThan(0);
  expect(late).toMatchObject({ sent: 0, paid: SENDS, faults: [] });
}, 900_000);
