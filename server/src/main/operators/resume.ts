/** `npm run resume`: what a held installation, or a workspace that is held alone, is. */
import { createInterface } from 'node:readline/promises';
import type { Config } from '../../config.ts';
import type { Db } from '../../db/database.ts';
import { RESUMED_AS, type Resumed, type ResumedAs, resume } from '../../flows/quarantine/resume.ts';
import { createIds } from '../ids.ts';
import { readPresent } from '../present.ts';
import { passOnInterrupt } from '../stop-signal.ts';
import { answer } from './manners.ts';
import { type OperatorStore, runOnStore, UsageError } from './operator-store.ts';
import { readFlags } from './read-flags.ts';

const USAGE = `Usage: npm run resume -- --same | --restored | --copy [--workspace ID] [--skip 1000] [--send-old] [--yes]
  --same      it is the only one, and nothing was lost
  --restored  it takes the place of one that was lost: what waits to be sent is dropped (but for --send-old), and
              documents leave out as many numbers as --skip says
  --copy      it is a copy for tries, for good: its live stores lose their credentials, and send no mail`;

const SKIP_MAX = 1_000_000;
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const ERASED = 'Its live stores have no credentials of processors any more.';
const MISSING =
  'What was sold, refunded and mailed between the moment of the copy and now is not in it. May be missing: orders, subscriptions and users of that time, what was edited, refunds, mails and webhooks. Users who were erased in that time are in it again: erase them anew.';
const REPORTED =
  'Nobody is charged unasked over these before that: payments of theirs are adopted then, and what nobody can place is in the report of each (Payments, or GET /v0/processors/{id}/reports/list).';

const { values } = readFlags(USAGE, {
  options: {
    same: { type: 'boolean', default: false },
    restored: { type: 'boolean', default: false },
    copy: { type: 'boolean', default: false },
    workspace: { type: 'string' },
    skip: { type: 'string', default: '1000' },
    'send-old': { type: 'boolean', default: false },
    // Of all commands that ask: here what is said already is the answer.
    yes: { type: 'boolean', default: false },
  },
});

// An empty one, as of a variable that is not set, is no 0: that would give numbers out again.
const skip = Number(values.skip.trim() || Number.NaN);
const workspaceId = values.workspace?.toLowerCase() ?? null;
const given = RESUMED_AS.filter((word) => values[word]);

function isAsked(): boolean {
  const { stdin, stderr, env } = process;
  return Boolean(stdin.isTTY && stderr.isTTY && !env.CI);
}

function checkWords(): void {
  if (!Number.isInteger(skip) || skip < 0 || skip > SKIP_MAX) throw new UsageError(USAGE);
  if (workspaceId !== null && !ID.test(workspaceId)) throw new UsageError(USAGE);
  if (given.length > 1 || (given.length === 0 && !isAsked())) throw new UsageError(USAGE);
}

async function run(db: Db, config: Config, { place, nowMs }: OperatorStore): Promise<void> {
  const as = await findWord();
  const present = await readPresent(config, place);
  const sendOld = values['send-old'];
  const done = await resume(db, {
    ...{ as, workspaceId, present, skip, sendOld },
    ...{ nowMs: nowMs(), ids: createIds() },
  });
  answer({ as, workspaceId, ...done }, ...tell(as, done));
}

async function findWord(): Promise<ResumedAs> {
  const [word] = given;
  if (word) return word;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  passOnInterrupt(terminal);
  try {
    const typed = (await terminal.question(`${USAGE}\nWhat is it: same, restored or copy? `)).trim();
    const meant = RESUMED_AS.find((one) => one === typed);
    if (!meant) throw new UsageError('Nothing was changed.');
    return meant;
  } finally {
    terminal.close();
  }
}

function tell(as: ResumedAs, { stores, stillHeld, mails, deliveries, skipped, adopting }: Resumed): string[] {
  const goesOn = `It goes on within 5 seconds, with ${stores} live store(s).`;
  const alone = stillHeld.map(
    (id) => `Held alone, as before: it goes on by npm run resume -- --workspace ${id}`,
  );
  if (as === 'same') return [goesOn, ...alone];
  return [
    goesOn,
    `Dropped, since the other may have sent them: ${mails} mail(s), ${deliveries} delivery(s).`,
    ...skipped.map(({ series, from, to }) => `Left out of ${series}: ${from} to ${to}.`),
    as === 'copy' ? ERASED : MISSING,
    ...adopting.map(
      ({ connectionName, restoredAt }) =>
        `Its books are held against what was restored: ${connectionName}, which the store knows of until ${new Date(restoredAt).toISOString()}, and a day before.`,
    ),
    ...(adopting.length > 0 ? [REPORTED] : []),
  ];
}

await runOnStore(run, { checkWords });
