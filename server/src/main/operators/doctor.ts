/** `npm run doctor`: what is wrong with the store and the machine, one remedy each; ends with 6 where something was found. */
import type { Config } from '../../config.ts';
import type { Db } from '../../db/database.ts';
import { EXIT } from '../exit-codes.ts';
import { readBackupAges } from '../watching/backup-ages.ts';
import { findMissing } from './compare-migrations.ts';
import { readFacts } from './doctor/facts.ts';
import { type Finding, judge, judgeAway, judgeOlder } from './doctor/judge.ts';
import { type OperatorStore, runOnStore } from './operator-store.ts';
import { readFlags } from './read-flags.ts';

const USAGE = 'Usage: npm run doctor -- [--profile NAME] [--base-url URL]';

// The merchant's half takes them; what neither takes is told before anything is looked at.
const OF_MERCHANTS = { profile: { type: 'string' }, 'base-url': { type: 'string' } } as const;
readFlags(USAGE, { options: OF_MERCHANTS });

const isJson = process.argv.includes('--json');

function print({ check, status, message, remedy }: Finding): void {
  if (isJson) console.log(JSON.stringify({ check, status, message, remedy }));
  else
    console.log(
      `${status.padEnd(4)}  ${check.padEnd(12)}  ${message}${remedy ? `\n${' '.repeat(20)}${remedy}` : ''}`,
    );
}

/** Whether there was a store to look at: the merchant's half of this command asks. */
export let hasLooked = false;

/** That half tells how many were found in all. */
export let foundCount = 0;

/** That half leaves it out then: a service says of its store what the store has said. */
export let isHeldTold = false;

async function look(db: Db, config: Config, { backups }: OperatorStore): Promise<void> {
  hasLooked = true;
  const readAges = async () => (backups === null ? null : readBackupAges(backups, Date.now()));
  const found = await readFacts(db, config, { readAges }).then(
    (facts) => judge(facts, config),
    async (error: unknown) => {
      const older = await findMissing(db, error);
      if (older === null) throw error;
      return [judgeOlder(older)];
    },
  );
  tell(found);
  isHeldTold = found.some(({ check, status }) => check === 'held' && status !== 'ok');
}

function tell(found: readonly Finding[]): void {
  for (const one of found) print(one);
  foundCount = found.filter(({ status }) => status !== 'ok').length;
  if (foundCount > 0) process.exitCode = EXIT.found;
}

// Where there is no store the machine alone is looked at, by the merchant's half of this command.
await runOnStore(look, {
  evenClosed: true,
  withoutStore: 'quiet',
  whenAway: (error) => tell([judgeAway(error)]),
});
