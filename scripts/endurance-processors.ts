/**
 * `npm run endurance -- processors [P23 …]`: money over a processor whose answers are lost, late or wrong, by processes that
 * are killed and halted, against the stand-ins. What the suite does in small numbers, in those that were promised.
 */
import { endure } from '../server/test/faults/endurance.ts';
import { haltBeforeSends } from '../server/test/faults/late-sends.ts';
import { renewBesideBuyers } from '../server/test/faults/shared-rate.ts';
import { runJourneys } from './endurance-journeys.ts';
import { inOwnStore, type OwnStore } from './endurance-store.ts';

const CONNECTIONS = 8;
/** By journeys of the suite, in full size. */
const JOURNEYS = ['P12', 'P13', 'P20', 'P22', 'P25', 'P37', 'P44'];

interface Size {
  seed: number;
  isShort: boolean;
}

/** Answers what is not as it should be. */
type CourseOf = (store: OwnStore, size: Size) => Promise<{ faults: string[]; figures: object }>;

const COURSES: Record<string, CourseOf> = {
  P23: (store, { seed, isShort }) =>
    endure({
      ...{ ...store, seed, workers: 4, periods: 1, connections: CONNECTIONS },
      ...{ kills: isShort ? 20 : 200, pauses: 0, cuts: 0, hasBadCards: false, isHastened: false },
      subscriptions: isShort ? 300 : 5_000,
      till: { share: 0.05, timeoutMs: 8_000, rate: '400/400' },
    }),
  P24: async (store, { seed, isShort }) => {
    const [workers, sends] = isShort ? [2, 12] : [8, 50];
    const { faults, ...late } = await haltBeforeSends({ ...store, seed, workers, sends, connections: 4 });
    const isSo = late.halted === sends && late.sent === 0 && late.paid === sends;
    return {
      faults: isSo ? faults : [...faults, 'not all were halted, one was sent, or one is unpaid'],
      figures: late,
    };
  },
  P31: async (store, { seed, isShort }) => {
    const due = isShort ? 100 : 1_000;
    const of = { workers: 2, due, checkouts: isShort ? 5 : 20, perSecond: 20, connections: CONNECTIONS };
    const { faults, ...shared } = await renewBesideBuyers({ ...store, seed, ...of });
    const isSo =
      shared.paid === due && shared.failed === 0 && shared.renewalsLeft > 0 && shared.perSecond <= 22;
    return { faults: isSo ? faults : [...faults, 'too fast, too late, or a charge failed'], figures: shared };
  },
};

/** Answers whether all was as it should be. */
export async function endureProcessors(only: readonly string[], size: Size): Promise<boolean> {
  let isWell = true;
  const isWanted = (name: string) => only.length === 0 || only.includes(name);
  for (const [name, course] of Object.entries(COURSES).filter(([one]) => isWanted(one))) {
    console.log(`${name}, ${size.isShort ? 'short' : 'in full'}`);
    const { faults, figures } = await inOwnStore((store) => course(store, size));
    console.log(figures);
    for (const fault of faults) console.log(`  WRONG: ${fault}`);
    isWell &&= faults.length === 0;
  }
  const journeys = JOURNEYS.filter(isWanted);
  return (journeys.length === 0 || (await runJourneys(journeys, size))) && isWell;
}
