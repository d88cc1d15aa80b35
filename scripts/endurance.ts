/**
 * `npm run endurance [-- --short] [-- --seed=n]`: renewals by workers that are killed, paused and cut off, in
 * numbers that the suite has no time for; with `processors`, money over processors that fail; with `operations`, processes
 * that are replaced, poolers, and primaries that are lost. Needs PostgreSQL at DATABASE_URL, makes a database of its own there for each course and drops it again.
 * Ends with 1 when anything is not as it should be.
 */
import os from 'node:os';
import { endure } from '../server/test/faults/endurance.ts';
import type { EnduranceOptions } from '../server/test/faults/endurance-course.ts';
import { endureOperations } from './endurance-operations.ts';
import { endureProcessors } from './endurance-processors.ts';
import { inOwnStore } from './endurance-store.ts';

type Course = Omit<EnduranceOptions, 'databaseUrl' | 'dataDir' | 'seed' | 'log' | 'connections'>;

const CONNECTIONS = 8;
const isShort = process.argv.includes('--short');
/** The names of the courses to be run; all when none is given. */
const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const given = process.argv.find((argument) => argument.startsWith('--seed='))?.split('=')[1];
const seed = given === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(given);

const STILL = { workers: 4, periods: 1, kills: 0, pauses: 0, cuts: 0, hasBadCards: false, isHastened: false };
const COURSES: Record<string, Course> = {
  alone: { ...STILL, subscriptions: isShort ? 100 : 1_000 },
  killed: {
    ...STILL,
    subscriptions: isShort ? 200 : 5_000,
    kills: isShort ? 10 : 200,
    hasBadCards: true,
  },
  halted: {
    ...STILL,
    subscriptions: isShort ? 200 : 2_000,
    pauses: isShort ? 2 : 30,
    hasBadCards: true,
    isHastened: !isShort,
  },
  cut: { ...STILL, subscriptions: isShort ? 200 : 2_000, cuts: isShort ? 5 : 60, hasBadCards: true },
  everything: {
    ...STILL,
    subscriptions: isShort ? 60 : 500,
    periods: 3,
    kills: isShort ? 5 : 40,
    pauses: isShort ? 1 : 6,
    cuts: isShort ? 3 : 20,
    hasBadCards: true,
  },
};

async function run(name: string, course: Course): Promise<boolean> {
  console.log(`${name}: ${JSON.stringify(course)}`);
  const { faults, figures } = await inOwnStore((store) =>
    endure({ ...course, ...store, seed, connections: CONNECTIONS }),
  );
  console.log(figures);
  for (const fault of faults) console.log(`  WRONG: ${fault}`);
  return faults.length === 0;
}

console.log(`seed ${seed}, load ${os.loadavg()[0]?.toFixed(1)} on ${os.cpus().length} cores`);
if (wanted[0] === 'processors') {
  if (!(await endureProcessors(wanted.slice(1), { seed, isShort }))) process.exitCode = 1;
} else if (wanted[0] === 'operations') {
  if (!(await endureOperations(wanted.slice(1), { isShort }))) process.exitCode = 1;
} else {
  for (const [name, course] of Object.entries(COURSES)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    if (!(await run(name, course))) process.exitCode = 1;
  }
}
